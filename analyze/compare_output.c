// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/compare_output.h"

#include "analyze/report/compare_rows.h"
#include "analyze/report/text_compare.h"
#include "analyze/html.h"

static int write_text(const void *page, FILE *f, struct fcap_err *err)
{
	const struct fan_compare_page *p = page;

	return p->text(&p->compare, p->is_all, p->style, f, err);
}

static int write_csv(const void *item, FILE *f, struct fcap_err *err)
{
	return fan_compare_csv(item, f, err);
}

static int write_tex(const void *item, FILE *f, struct fcap_err *err)
{
	return fan_compare_tex(item, f, err);
}

static int write_html(const void *item, FILE *f, struct fcap_err *err)
{
	return fan_compare_html(item, f, err);
}

int fan_compare_output(const struct fan_compare_page *page, const struct fan_outputs *to)
{
	const struct fan_writers writers = { write_text, &fan_compare_table, write_csv, write_tex,
					     write_html };

	return fan_output_all(page, &writers, to);
}
