// SPDX-License-Identifier: GPL-3.0-or-later
/* Grids to LaTeX. Knows nothing of the tree. */
#include "analyze/report/tex.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *escape(char c)
{
	switch (c) {
	case '\\':
		return "\\textbackslash{}";
	case '~':
		return "\\textasciitilde{}";
	case '^':
		return "\\textasciicircum{}";
	case '<':
		return "\\textless{}";
	case '>':
		return "\\textgreater{}";
	case '|':
		return "\\textbar{}";
	case '"':
		return "''";
	case '&':
		return "\\&";
	case '%':
		return "\\%";
	case '$':
		return "\\$";
	case '#':
		return "\\#";
	case '_':
		return "\\_";
	case '{':
		return "\\{";
	case '}':
		return "\\}";
	default:
		return NULL;
	}
}

/* A hyphen before a digit that follows no word is a minus. */
static bool is_minus(const char *text, size_t i)
{
	return text[i] == '-' && isdigit((unsigned char)text[i + 1]) &&
	       (i == 0 || strchr(" [/(", text[i - 1]));
}

static void put_cell(const char *text, FILE *f)
{
	for (size_t i = 0; text[i]; i++) {
		const char *replacement = is_minus(text, i) ? "$-$" : escape(text[i]);

		if (replacement)
			fputs(replacement, f);
		else
			fputc(text[i], f);
	}
}

void fan_tex_comment(struct fan_print *p, const char *fmt, ...)
{
	char *text;
	va_list ap;

	if (p->r < 0)
		return;
	va_start(ap, fmt);
	text = fan_safe_text(fmt, ap);
	va_end(ap);
	if (!text)
		p->r = -ENOMEM;
	else if (fprintf(p->f, "%% %s\n", text) < 0)
		p->r = errno > 0 ? -errno : -EIO;
	free(text);
}

void fan_tex_grid(struct fan_grid *g, const char *caption, struct fan_print *p)
{
	const size_t ncols = strlen(g->columns);
	/* a bracket at the beginning of a row would be taken for an option of the line before */
	const char *guard = "{}";

	fan_tex_comment(p, "%s", caption);
	if (g->r < 0 && p->r == 0)
		p->r = g->r;
	if (p->r == 0)
		fprintf(p->f, "\\begin{tabular}{%s}\n\\toprule\n", g->columns);
	for (size_t i = 0; p->r == 0 && i < g->cells.n / ncols * ncols; i++) {
		const bool is_last = i % ncols == ncols - 1;

		if (i % ncols == 0 && g->cells.items[i][0] == '[')
			fputs(guard, p->f);
		put_cell(g->cells.items[i], p->f);
		fputs(is_last ? " \\\\\n" : " & ", p->f);
		if (i == ncols - 1)
			fputs("\\midrule\n", p->f);
	}
	if (p->r == 0)
		fputs("\\bottomrule\n\\end{tabular}\n", p->f);
	if (p->r == 0 && ferror(p->f))
		p->r = errno > 0 ? -errno : -EIO;
	fan_grid_free(g);
}
