// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/html.h"

#include <errno.h>
#include <stdlib.h>

#include "analyze/report/compare_grids.h"
#include "analyze/report/score_text.h"
#include "analyze/report/text_counted.h"
#include "analyze/report/words.h"
#include "plot/html.h"

/* What the text begins with, a paragraph a line; to be freed, NULL: no memory. */
static char *answer_of(const struct fplot_page *page)
{
	struct fan_print p = { .is_raw = true };
	char *ret = NULL;
	size_t size;

	p.f = open_memstream(&ret, &size);
	if (!p.f)
		return NULL;
	if (page->report && fan_is_counted(page->report))
		fan_print_basis(page->report, &p);
	if (page->report)
		fan_print_answer(page->report, &p);
	else
		fan_print_scores_answer(page->compare, &p);
	if (fclose(p.f) == EOF || p.r < 0) {
		free(ret);
		return NULL;
	}
	return ret;
}

static int write_page(const struct fplot_page *page, FILE *f, struct fcap_err *err)
{
	struct fplot_words words = { .of_flag = fan_flag_words,
				     .of_closure = fan_closure_words,
				     .of_est = fan_est_words,
				     .of_gap = page->compare && page->compare->windows.n > 0
						       ? fan_gap_title_of_windows
						       : fan_gap_title };
	char *answer = answer_of(page);
	struct fplot_drawings drawings;
	struct fcap_err why = { 0 };
	int e = fplot_drawings_make(&drawings, page, &why);
	const struct fplot_html html = { page, &words, &drawings };

	words.answer = answer;
	if (e < 0)
		fprintf(stderr, "fanalyze: --html: %s\n", why.text);
	if (!answer || e == -ENOMEM)
		e = fcap_fail(err, ENOMEM, "no memory for the page; free some and run again");
	else
		e = fplot_html_write(&html, f, err);
	fplot_drawings_free(&drawings);
	free(answer);
	return e;
}

int fan_report_html(const struct fan_report *r, FILE *f, struct fcap_err *err)
{
	const struct fplot_page page = { .report = r };

	return write_page(&page, f, err);
}

int fan_compare_html(const struct fan_compare *c, FILE *f, struct fcap_err *err)
{
	const struct fplot_page page = { .compare = c };

	return write_page(&page, f, err);
}
