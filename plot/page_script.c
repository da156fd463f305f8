// SPDX-License-Identifier: GPL-3.0-or-later
/* The frame of a script, the same for all figures. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "plot/page.h"

#define LEGEND_ROW_IN 0.14
#define LEGEND_GAP_IN 0.1
#define SAMPLE_IN     0.36 /* of the legend, with the room beside it */
#define LETTER_IN     0.056

/*
 * One look in all formats: SVG has 96 pixels to the inch, PNG 288. Of SVG and LaTeX gnuplot cannot
 * know how wide the text will be: the legend gets room for a wide font, and what stands beside the
 * marks of the y axis (at the offset "side") goes farther out.
 */
static const char terminals[] =
	"\tif (format eq 'svg') { set terminal svg noenhanced size 96*width,96*height \\\n"
	"\t\tfont 'sans-serif,8' fontscale 1.33 background 'white'; dot = 0.6; side = 0.4; \\\n"
	"\t\tset key width 2 }\n"
	"\tif (format eq 'pdf') { set terminal pdfcairo noenhanced size (width)in,(height)in \\\n"
	"\t\tfont 'Sans,8' fontscale 0.75 linewidth 1.2 pointscale 0.7; dot = 0.4; side = 1.2; \\\n"
	"\t\tset key width -0.5 }\n"
	"\tif (format eq 'png') { set terminal pngcairo noenhanced size 288*width,288*height \\\n"
	"\t\tfont 'Sans,8' fontscale 3 linewidth 3 pointscale 3 \\\n"
	"\t\tdashlength 2; dot = 0.4; side = 1.2; set key width -0.5 }\n"
	"\tif (format eq 'tex') { set terminal cairolatex pdf colortext size (width)in,(height)in "
	"\\\n"
	"\t\tfont ',8' linewidth 1.2 pointscale 0.7 \\\n"
	"\t\theader '\\fontsize{8}{9.6}\\selectfont'; dot = 0.4; side = -0.2; \\\n"
	"\t\tset key width 3 spacing 1.2 }\n";

void fplot_put_terminals(FILE *f)
{
	fputs(terminals, f);
}

void fplot_put_output(FILE *f, const char *name)
{
	fprintf(f, "\tset output '%s' . (format eq 'tex' ? '-tex.' : '.') . format\n", name);
}

void fplot_put_text_function(FILE *f)
{
	fputs("# LaTeX sets the text of the format tex, and some characters mean something to it\n"
	      "plain(c) = strstrt('%#&_${}', c) ? '\\' . c : c eq '\\' ? '\\textbackslash{}' : \\\n"
	      "\tc eq '~' ? '\\textasciitilde{}' : c eq '^' ? '\\textasciicircum{}' : c\n"
	      "say(s) = format ne 'tex' || strlen(s) == 0 ? s : plain(s[1:1]) . "
	      "say(s[2:*])\n"
	      "# the same for a mark of an axis, which gnuplot takes for a format\n"
	      "tic(s) = strlen(s) == 0 ? s : (s[1:1] eq '%' ? say('%') . '%' : say(s[1:1])) . "
	      "tic(s[2:*])\n",
	      f);
}

void fplot_put_size(FILE *f, const struct fplot_page *p, double height_in)
{
	const char *before = "";

	fputs("\nif (!exists(\"formats\")) formats = \"", f);
	for (unsigned int bit = 1; fplot_format_name(bit); bit <<= 1) {
		if (!(p->formats & bit))
			continue;
		fprintf(f, "%s%s", before, fplot_format_name(bit));
		before = " ";
	}
	fprintf(f, "\"\nwidth = %g     # inches\nheight = %.2f\n", p->width_in, height_in);
}

void fplot_put_label(FILE *f, const char *name)
{
	fputs("say(", f);
	fplot_put_quoted(f, name, FPLOT_NAME_MAX_CHARS);
	fputc(')', f);
}

void fplot_put_tic(FILE *f, const char *name)
{
	fputs("tic(", f);
	fplot_put_quoted(f, name, FPLOT_NAME_MAX_CHARS);
	fputc(')', f);
}

struct fplot_legend fplot_legend_of(size_t entries, size_t longest, double width_in)
{
	const size_t shown = longest < FPLOT_NAME_MAX_CHARS ? longest : FPLOT_NAME_MAX_CHARS;
	const size_t columns = (size_t)(width_in / (SAMPLE_IN + LETTER_IN * (double)shown));
	struct fplot_legend ret = { .columns = columns ? columns : 1 };

	ret.rows = (entries + ret.columns - 1) / ret.columns;
	return ret;
}

double fplot_legend_in(const struct fplot_legend *l)
{
	return LEGEND_ROW_IN * (double)l->rows + LEGEND_GAP_IN;
}

void fplot_put_key(FILE *f, const struct fplot_legend *l, const char *extra)
{
	fprintf(f,
		"\tset key at screen 0.5,screen 1-0.03/height center top horizontal maxcols %zu "
		"Left \\\n"
		"\t\treverse font ',7' %s\n"
		"\tset tmargin at screen 1-%.2f/height\n",
		l->columns, extra, fplot_legend_in(l));
}

/* Names that are cut get an ellipsis, which is not ASCII. */
static bool is_plain(const char *name)
{
	size_t n = 0;

	for (; name && name[n]; n++)
		if ((unsigned char)name[n] >= 0x80)
			return false;
	return n <= FPLOT_NAME_MAX_CHARS;
}

static bool has_plain_names(const struct fplot_page *p)
{
	const struct fan_r_group *g = p->report ? p->report->groups.items : NULL;
	const struct fan_c_gap *gap = p->compare ? p->compare->gaps.items : NULL;

	for (size_t i = 0; g && i < p->report->groups.n; i++)
		if (!is_plain(g[i].name))
			return false;
	for (size_t i = 0; gap && i < p->compare->gaps.n; i++)
		if (!is_plain(gap[i].a) || !is_plain(gap[i].b) || !is_plain(gap[i].per) ||
		    !is_plain(gap[i].config))
			return false;
	return true;
}

void fplot_put_encoding(FILE *f, const struct fplot_page *p)
{
	if (!has_plain_names(p))
		fputs("set encoding utf8\n", f);
}

static int put_table(const void *what, FILE *f)
{
	const struct fplot_content *c = what;

	fprintf(f, "# %s\n#\n", c->figure->title);
	fplot_put_origin(f, c->page);
	return c->put_data(c->what, f);
}

static int put_script(const void *what, FILE *f)
{
	const struct fplot_content *c = what;
	const char *name = c->figure->name;

	fprintf(f,
		"# %s. To draw it again: gnuplot %s.gp\n"
		"# or in other formats: gnuplot -e \"formats='png pdf'\" %s.gp\n#\n",
		c->figure->title, name, name);
	fplot_put_origin(f, c->page);
	fplot_put_size(f, c->page, c->height_in);
	fputs("\nreset\n", f);
	fplot_put_encoding(f, c->page);
	fputs("set datafile separator \"\\t\"\n", f);
	fplot_put_text_function(f);
	if (c->put_values)
		c->put_values(c->what, f);
	fputs("\ndo for [format in formats] {\n", f);
	fplot_put_terminals(f);
	fplot_put_output(f, name);
	fputs("\tset border 3 lw 0.75\n"
	      "\tset tics nomirror out scale 0.5\n"
	      "\tset style fill solid noborder\n",
	      f);
	c->put_plot(c->what, f);
	fputs("\tunset output\n}\n", f);
	return 0;
}

int fplot_write_content(const struct fplot_content *c, const char *dir, struct fcap_err *err)
{
	char *table = NULL, *script = NULL;
	int e = 0;

	if (asprintf(&table, "%s.tsv", c->figure->name) < 0)
		table = NULL;
	if (asprintf(&script, "%s.gp", c->figure->name) < 0)
		script = NULL;
	if (!table || !script)
		e = fcap_fail(err, ENOMEM, "out of memory");
	if (e == 0)
		e = fplot_write(dir, table, put_table, c, err);
	if (e == 0)
		e = fplot_write(dir, script, put_script, c, err);
	free(table);
	free(script);
	return e;
}
