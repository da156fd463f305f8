// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a page: what it begins with, contents, sections with their figures. */
#include "plot/html.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plot/html_parts.h"
#include "plot/html_svg.h"
#include "plot/html_text.h"

/* A section as it was written; NULL: nothing is in it. */
struct written {
	const char *id, *title, *lead;
	char *text;
};

void fplot_html_items(struct fplot_out *o, const struct fan_strs *strs)
{
	if (strs->n == 0)
		return;
	fputs("<ul class=\"notes\">\n", o->f);
	for (size_t i = 0; i < strs->n; i++) {
		fputs("<li>", o->f);
		fplot_html_text(o->f, strs->items[i]);
		fputs("</li>\n", o->f);
	}
	fputs("</ul>\n", o->f);
}

void fplot_html_fold(struct fplot_out *o, const char *title, const char *of)
{
	fputs("<details><summary>", o->f);
	fplot_html_text(o->f, title);
	if (of) {
		fputs(" <b>", o->f);
		fplot_html_text(o->f, of);
		fputs("</b>", o->f);
	}
	fputs("</summary>\n", o->f);
}

void fplot_html_unfold(struct fplot_out *o)
{
	fputs("</details>\n", o->f);
}

static bool is_listed(const char *list, const char *name)
{
	const size_t len = strlen(name);

	for (const char *at = list; at && *at; at += strcspn(at, ",")) {
		at += *at == ',';
		if (strncmp(at, name, len) == 0 && (at[len] == ',' || !at[len]))
			return true;
	}
	return false;
}

/* What no section asks for comes last. */
static const struct fplot_section rest = { .id = "figures", .title = "More figures" };

/* Whether a section has the figure; of the rest, whether none has it. */
static bool is_here(const struct fplot_sections *all, const struct fplot_section *section,
		    const char *name)
{
	if (section != &rest)
		return is_listed(section->figures, name);
	for (size_t i = 0; i < all->n; i++)
		if (is_listed(all->items[i].figures, name))
			return false;
	return true;
}

static void put_figure(struct fplot_out *o, const struct fplot_drawing *d)
{
	if (!d->svg) {
		fputs("<p class=\"foot\">No figure of \xE2\x80\x9C", o->f);
		fplot_html_text(o->f, d->figure->title);
		fputs("\xE2\x80\x9D: ", o->f);
		fplot_html_text(o->f, d->why);
		fputs(".</p>\n", o->f);
		return;
	}
	fprintf(o->f, "<figure id=\"figure-%s\"><div class=\"paper\">\n", d->figure->name);
	if (fplot_svg_inline(o->f, d->svg, d->figure->name, d->figure->title) < 0)
		fputs("<p>gnuplot wrote no SVG.</p>\n", o->f);
	fputs("</div><figcaption>", o->f);
	fplot_html_text(o->f, d->figure->title);
	fputs("</figcaption></figure>\n", o->f);
}

/* The figures of a section, and below them why others are not there. */
static void put_figures(struct fplot_out *o, const struct fplot_html *h,
			const struct fplot_sections *all, const struct fplot_section *section)
{
	const struct fplot_drawing *d = h->drawings->items;
	const char *before = "<div class=\"figures\">\n";

	for (size_t i = 0; i < h->drawings->n; i++) {
		if (!d[i].svg || !is_here(all, section, d[i].figure->name))
			continue;
		fputs(before, o->f);
		put_figure(o, &d[i]);
		before = "";
	}
	fputs(*before ? "" : "</div>\n", o->f);
	for (size_t i = 0; i < h->drawings->n; i++)
		if (d[i].why && is_here(all, section, d[i].figure->name))
			put_figure(o, &d[i]);
}

static int write_section(struct written *ret, const struct fplot_html *h,
			 const struct fplot_sections *all, const struct fplot_section *section)
{
	struct fplot_out o = { .words = h->words };
	size_t size;

	*ret = (struct written){ section->id, section->title, section->lead, NULL };
	o.f = open_memstream(&ret->text, &size);
	if (!o.f)
		return -ENOMEM;
	if (section->put)
		section->put(&o, h->page);
	put_figures(&o, h, all, section);
	if (section->put_more)
		section->put_more(&o, h->page);
	if (fclose(o.f) == EOF)
		return -ENOMEM;
	return o.e;
}

/* The answer's lines; a paragraph, or a remark. */
static void put_answer(FILE *f, const char *answer)
{
	bool is_list = false;

	while (*answer) {
		const size_t len = strcspn(answer, "\n");
		const bool is_item = strncmp(answer, "- ", 2) == 0;
		char *line = strndup(answer + 2 * is_item, len - 2 * is_item);

		if (is_item != is_list)
			fputs(is_item ? "<ul class=\"notes\">\n" : "</ul>\n", f);
		is_list = is_item;
		fputs(is_item ? "<li>" : "<p class=\"answer\">", f);
		fplot_html_text(f, line);
		fputs(is_item ? "</li>\n" : "</p>\n", f);
		free(line);
		answer += len + (answer[len] == '\n');
	}
	fputs(is_list ? "</ul>\n" : "", f);
}

/* What the whole page hangs on: the quality of the trace, or the notes of a comparison. */
static void put_notes(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_strs *notes = p->report ? &p->report->quality.notes : &p->compare->notes;
	const char *quality = p->report ? p->report->quality.verdict : NULL;
	const bool is_ok = !quality || strcmp(quality, "ok") == 0;

	if (notes->n == 0 && is_ok)
		return;
	fprintf(o->f, "<aside class=\"%s\"><h2>%s", is_ok ? "ok" : "warn",
		p->report ? "Quality of the trace: " : "Notes");
	if (p->report)
		fplot_html_text(o->f, quality);
	fputs("</h2>\n", o->f);
	fplot_html_items(o, notes);
	fputs("</aside>\n", o->f);
}

/* The trace without its folder, which is told where the recording is. */
static const char *title_of(const struct fplot_page *p)
{
	const char *file = p->report ? p->report->source.file : NULL;
	const char *slash = file ? strrchr(file, '/') : NULL;

	if (!p->report)
		return "What changed between configurations";
	return slash && slash[1] ? slash + 1 : file ? file : "a trace";
}

static void put_labels(FILE *f, const struct fan_array *labels)
{
	const struct fan_pair *pair = labels->items;

	for (size_t i = 0; i < labels->n; i++) {
		fputs(" <span class=\"label\">", f);
		fplot_html_text(f, pair[i].key);
		fputc('=', f);
		fplot_html_text(f, pair[i].value);
		fputs("</span>", f);
	}
}

/* Below the title: where the numbers come from. */
static void put_origin(struct fplot_out *o, const struct fplot_page *p)
{
	const struct fan_r_tool *tool = p->report ? &p->report->tool : &p->compare->tool;

	fputs("<p class=\"origin\">", o->f);
	if (p->report && p->report->source.cpus != FAN_NONE) {
		fplot_html_i64(o->f, p->report->source.cpus);
		fputs(" CPUs", o->f);
		if (p->report->host.smt) {
			fputs(", SMT ", o->f);
			fplot_html_text(o->f, p->report->host.smt);
		}
		fputs(" \xC2\xB7 ", o->f);
	}
	if (p->report && p->report->source.kernel) {
		fputs("kernel ", o->f);
		fplot_html_text(o->f, p->report->source.kernel);
		fputs(" \xC2\xB7 ", o->f);
	}
	fplot_html_text(o->f, tool->name);
	fputc(' ', o->f);
	fplot_html_text(o->f, tool->version);
	if (p->report)
		put_labels(o->f, &p->report->source.labels);
	if (tool->command) {
		fputs("<br/><code>", o->f);
		fplot_html_text(o->f, tool->command);
		fputs("</code>", o->f);
	}
	fputs("</p>\n", o->f);
}

static void put_head(struct fplot_out *o, const struct fplot_html *h)
{
	fputs("<!DOCTYPE html>\n"
	      "<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
	      o->f);
	fplot_html_text(o->f, title_of(h->page));
	fputs(" \xE2\x80\x93 fanalyze</title>\n<style>\n", o->f);
	fplot_html_style(o->f);
	fputs("</style>\n</head>\n<body>\n<header>\n<h1>", o->f);
	fplot_html_text(o->f, title_of(h->page));
	fputs("</h1>\n", o->f);
	put_origin(o, h->page);
	put_answer(o->f, h->words->answer);
	put_notes(o, h->page);
	if (h->drawings->why) {
		fputs("<aside class=\"warn\"><p>There are figures missing: ", o->f);
		fplot_html_text(o->f, h->drawings->why);
		fputs(".</p></aside>\n", o->f);
	}
	fputs("</header>\n", o->f);
}

static void put_body(FILE *f, const struct written *list, size_t n)
{
	fputs("<nav aria-label=\"Contents\"><ul>\n", f);
	for (size_t i = 0; i < n; i++)
		if (*list[i].text)
			fprintf(f, "<li><a href=\"#%s\">%s</a></li>\n", list[i].id, list[i].title);
	fputs("</ul></nav>\n<main>\n", f);
	for (size_t i = 0; i < n; i++) {
		if (!*list[i].text)
			continue;
		fprintf(f, "<section id=\"%s\">\n<h2>%s</h2>\n", list[i].id, list[i].title);
		if (list[i].lead)
			fprintf(f, "<p class=\"lead\">%s</p>\n", list[i].lead);
		fputs(list[i].text, f);
		fputs("</section>\n", f);
	}
	fputs("</main>\n</body>\n</html>\n", f);
}

int fplot_html_write(const struct fplot_html *h, FILE *f, struct fcap_err *err)
{
	const struct fplot_sections *all = h->page->report ? &fplot_report_sections
							   : &fplot_compare_sections;
	struct fplot_out o = { .f = f, .words = h->words };
	struct written *list = calloc(all->n + 1, sizeof(*list));
	int e = list ? 0 : -ENOMEM;

	errno = 0;
	for (size_t i = 0; e == 0 && i <= all->n; i++)
		e = write_section(&list[i], h, all, i < all->n ? &all->items[i] : &rest);
	if (e == 0) {
		put_head(&o, h);
		put_body(f, list, all->n + 1);
		e = o.e;
	}
	if (e == 0 && (fflush(f) == EOF || ferror(f)))
		e = errno > 0 ? -errno : -EIO;
	for (size_t i = 0; list && i <= all->n; i++)
		free(list[i].text);
	free(list);
	return e < 0 ? fcap_fail(err, -e, "the page cannot be written: %s", strerror(-e)) : 0;
}
