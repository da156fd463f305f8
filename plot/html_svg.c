// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/html_svg.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "plot/html_text.h"

#define BLANKS " \t\r\n"

struct svg {
	FILE *f;
	const char *text, *prefix, *label;
};

/* name="value" in a tag: where its parts begin, and how long they are. */
struct attribute {
	const char *name, *value;
	size_t name_len, value_len;
	char quote;
};

static bool is_called(const char *s, size_t len, const char *name)
{
	return strlen(name) == len && strncmp(s, name, len) == 0;
}

/* Reads the attribute at *at and goes behind it. False: there is none. */
static bool next_attribute(const char **at, const char *end, struct attribute *ret)
{
	const char *s = *at + strspn(*at, BLANKS), *close;

	ret->name = s;
	ret->name_len = strcspn(s, BLANKS "=/>");
	if (ret->name_len == 0)
		return false;
	s += ret->name_len;
	/* gnuplot puts blanks around some of them */
	s += strspn(s, BLANKS);
	if (*s != '=')
		return false;
	s++;
	s += strspn(s, BLANKS);
	if (s >= end || (*s != '"' && *s != '\''))
		return false;
	ret->quote = *s;
	ret->value = s + 1;
	close = strchr(ret->value, ret->quote);
	if (!close || close > end)
		return false;
	ret->value_len = (size_t)(close - ret->value);
	*at = close + 1;
	return true;
}

/* The value, with the prefix in each "url(#ID)". */
static void put_value(const struct svg *g, const struct attribute *a)
{
	static const char url[] = "url(#";
	const char *s = a->value, *end = s + a->value_len, *at;

	while ((at = memmem(s, (size_t)(end - s), url, strlen(url)))) {
		at += strlen(url);
		fwrite(s, 1, (size_t)(at - s), g->f);
		fprintf(g->f, "%s-", g->prefix);
		s = at;
	}
	fwrite(s, 1, (size_t)(end - s), g->f);
}

/* Does anything in the document point at this id? gnuplot gives some of the others twice. */
static bool is_used(const struct svg *g, const struct attribute *id)
{
	for (const char *at = g->text; (at = strchr(at, '#')); at++)
		if (strncmp(at + 1, id->value, id->value_len) == 0 && at[1 + id->value_len] &&
		    strchr("\"')", at[1 + id->value_len]))
			return true;
	return false;
}

/* What an attribute is worth: references go nowhere but into this document or the data itself. */
static void put_attribute(const struct svg *g, const struct attribute *a)
{
	static const char data[] = "data:image/png;";
	const bool is_ref = is_called(a->name, a->name_len, "xlink:href") ||
			    is_called(a->name, a->name_len, "href");
	const bool is_id = is_called(a->name, a->name_len, "id");
	const bool is_local = a->value_len > 0 && *a->value == '#';

	if (is_id && !is_used(g, a))
		return;
	if (is_ref && !is_local &&
	    (a->value_len < strlen(data) || strncmp(a->value, data, strlen(data)) != 0))
		return;
	fprintf(g->f, " %.*s=%c", (int)a->name_len, a->name, a->quote);
	if (is_id)
		fprintf(g->f, "%s-%.*s", g->prefix, (int)a->value_len, a->value);
	else if (is_ref && is_local)
		fprintf(g->f, "#%s-%.*s", g->prefix, (int)a->value_len - 1, a->value + 1);
	else
		put_value(g, a);
	fputc(a->quote, g->f);
}

/* The tag from "<" to before ">"; of the root without what fixes its size. */
static void put_tag(const struct svg *g, const char *tag, const char *end, bool is_root)
{
	const size_t name_len = strcspn(tag, BLANKS "/>");
	const char *at = tag + name_len;
	struct attribute a;

	if (tag[1] == '/') {
		fwrite(tag, 1, (size_t)(end - tag) + 1, g->f);
		return;
	}
	fwrite(tag, 1, name_len, g->f);
	if (is_root) {
		fputs(" role=\"img\" aria-label=\"", g->f);
		fplot_html_text(g->f, g->label);
		fputc('"', g->f);
	}
	while (next_attribute(&at, end, &a))
		if (!is_root || (!is_called(a.name, a.name_len, "width") &&
				 !is_called(a.name, a.name_len, "height")))
			put_attribute(g, &a);
	fputs(end[-1] == '/' ? "/>" : ">", g->f);
}

/* The ">" of the tag at s, not one in a value; NULL: there is none. */
static const char *tag_end(const char *s)
{
	char quote = 0;

	for (; *s; s++)
		if (quote)
			quote = *s == quote ? 0 : quote;
		else if (*s == '"' || *s == '\'')
			quote = *s;
		else if (*s == '>')
			return s;
	return NULL;
}

/* Behind what stands at s, if it is something that a page has no use for; else s. */
static const char *skip_element(const char *s)
{
	static const struct {
		const char *open, *close;
	} list[] = {
		{ "<title", "</title>" },   { "<desc", "</desc>" }, { "<metadata", "</metadata>" },
		{ "<script", "</script>" }, { "<!--", "-->" },
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(list[0]); i++) {
		const size_t len = strlen(list[i].open);
		const char *end;

		if (strncmp(s, list[i].open, len) != 0)
			continue;
		end = strstr(s + len, list[i].close);
		if (end)
			return end + strlen(list[i].close);
	}
	return s;
}

/* Text as it is, but for "]]>", which gnuplot lets pass and XML does not. */
static void put_text(FILE *f, const char *s, const char *end)
{
	for (; s < end; s++)
		if (*s == '>')
			fputs("&gt;", f);
		else
			fputc(*s, f);
}

/* Writes what is up to the next tag, which is written too. Behind it; NULL: no more. */
static const char *put_next(const struct svg *g, const char *s, bool is_root)
{
	const char *tag = strchr(s, '<'), *end;

	if (!tag)
		return NULL;
	put_text(g->f, s, tag);
	end = skip_element(tag);
	if (end != tag)
		return end;
	end = tag_end(tag);
	if (!end)
		return NULL;
	put_tag(g, tag, end, is_root);
	return end + 1;
}

int fplot_svg_inline(FILE *f, const char *svg, const char *prefix, const char *label)
{
	const struct svg g = { f, svg, prefix, label };
	const char *at = strstr(svg, "<svg");

	if (!at || !strstr(at, "</svg>"))
		return -EINVAL;
	for (at = put_next(&g, at, true); at;)
		at = put_next(&g, at, false);
	return 0;
}
