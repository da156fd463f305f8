// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/stack.h"

#include <math.h>
#include <string.h>

#define HALF_BAR     0.36 /* of the distance of two bars */
#define BAR_IN	     0.24
#define AXIS_IN	     0.4
#define NAME_EDGE    3.0  /* of a name in SVG, of whose text gnuplot does not know the width */
#define NAME_LETTER  1.15 /* in a wide font */
#define ALSO_LETTERS 22	  /* in the legend, of what else is plotted */

static const char *const fills[FPLOT_FILLS] = { "0072B2", "56B4E9", "009E73",
						"E69F00", "00456E", "7FCDB0" };

const char *fplot_fill(size_t i)
{
	return fills[i % FPLOT_FILLS];
}

void fplot_stack_add(struct fplot_stack *s, const char *name, const char *colour, size_t column)
{
	if (s->nparts < FPLOT_PARTS_MAX)
		s->parts[s->nparts++] = (struct fplot_stack_part){ name, colour, column };
}

static struct fplot_legend legend_of(const struct fplot_stack *s, double width_in)
{
	size_t longest = s->also ? ALSO_LETTERS : 0;

	for (size_t i = 0; i < s->nparts; i++) {
		const size_t len = s->parts[i].name ? strlen(s->parts[i].name) : 1;

		longest = len > longest ? len : longest;
	}
	return fplot_legend_of(s->nparts + (s->also != NULL), longest, width_in);
}

double fplot_stack_height(const struct fplot_stack *s, double width_in)
{
	const struct fplot_legend l = legend_of(s, width_in);

	return AXIS_IN + BAR_IN * (double)(s->nbars > 1 ? s->nbars : 2) + fplot_legend_in(&l);
}

void fplot_put_bar_name(FILE *f, size_t i, size_t n, const char *name)
{
	fputs(i ? ", \\\n\t\t" : "\tset ytics (", f);
	fplot_put_tic(f, name);
	fprintf(f, " %zu%s", i, i + 1 == n ? ") scale 0\n" : "");
}

void fplot_put_name_room(FILE *f, size_t letters)
{
	fprintf(f, "\tset lmargin (format eq 'svg' ? %.1f : -1)\n",
		NAME_EDGE + NAME_LETTER * (double)letters);
}

/* The sum of the first n parts of a row; what is not told takes no room. */
static void put_sum(FILE *f, const struct fplot_stack *s, size_t n)
{
	fputc('(', f);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%sv(%zu)", i ? "+" : "", s->parts[i].column);
	fputs(n ? ")" : "0)", f);
}

static void put_part(FILE *f, const struct fplot_stack *s, size_t i)
{
	fprintf(f, "\t\t'%s' using ", s->table);
	put_sum(f, s, i);
	fputs(":($0):", f);
	put_sum(f, s, i);
	fputc(':', f);
	put_sum(f, s, i + 1);
	fprintf(f,
		":($0-%g):($0+%g) \\\n\t\t\twith boxxyerror fs solid 1 border rgb 0xFFFFFF "
		"fc rgb 0x%s lw 0.5 title ",
		HALF_BAR, HALF_BAR, s->parts[i].colour);
	fplot_put_label(f, s->parts[i].name);
	fputs(i + 1 < s->nparts || s->also ? ", \\\n" : "\n", f);
}

void fplot_put_stack(FILE *f, const struct fplot_stack *s, double width_in)
{
	struct fplot_legend l;

	fputs("\tv(c) = strcol(c) eq 'NaN' ? 0 : column(c)\n"
	      "\tset border 1 lw 0.75\n"
	      "\tset rmargin 2\n"
	      "\tset xtics offset 0,0.3\n",
	      f);
	fprintf(f, "\tset xlabel say('%s') offset 0,0.6\n", s->xlabel);
	if (isfinite(s->longest))
		fprintf(f, "\tset xrange [0:%.6g]\n", s->longest);
	else
		fputs("\tset xrange [0:*]\n", f);
	fprintf(f, "\tset yrange [%zu.5:-0.5]\n", s->nbars - 1);
	l = legend_of(s, width_in);
	fplot_put_key(f, &l, "samplen 0.8");
	fputs("\tplot \\\n", f);
	for (size_t i = 0; i < s->nparts; i++)
		put_part(f, s, i);
	if (s->also)
		fputs(s->also, f);
}
