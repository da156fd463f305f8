// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/figure.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fcap/num.h"

#define MM_PER_IN 25.4

static const struct {
	const char *name, *end;
	unsigned int bit;
} formats[] = {
	{ "svg", ".svg", FPLOT_SVG },
	{ "pdf", ".pdf", FPLOT_PDF },
	{ "png", ".png", FPLOT_PNG },
	/* gnuplot names what LaTeX takes in after it, which must not be the image pdf */
	{ "tex", "-tex.tex", FPLOT_TEX },
};

#define FORMATS (sizeof(formats) / sizeof(formats[0]))

int fplot_formats_parse(const char *list, unsigned int *ret)
{
	unsigned int bits = 0;

	for (;;) {
		const size_t len = strcspn(list, ",");
		size_t i = 0;

		while (i < FORMATS &&
		       (strlen(formats[i].name) != len || strncmp(formats[i].name, list, len) != 0))
			i++;
		if (i == FORMATS)
			return -EINVAL;
		bits |= formats[i].bit;
		if (!list[len])
			break;
		list += len + 1;
	}
	*ret = bits;
	return 0;
}

int fplot_width_parse(const char *word, double *ret)
{
	double mm;

	if (strcmp(word, "1col") == 0) {
		*ret = FPLOT_ONE_COLUMN_IN;
		return 0;
	}
	if (strcmp(word, "2col") == 0) {
		*ret = FPLOT_TWO_COLUMN_IN;
		return 0;
	}
	if (fcap_parse_real(word, &mm) < 0 || !(mm >= FPLOT_WIDTH_MIN_MM) ||
	    !(mm <= FPLOT_WIDTH_MAX_MM))
		return -EINVAL;
	*ret = mm / MM_PER_IN;
	return 0;
}

const char *fplot_format_name(unsigned int bit)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].bit == bit)
			return formats[i].name;
	return NULL;
}

const char *fplot_image_end(unsigned int bit)
{
	for (size_t i = 0; i < FORMATS; i++)
		if (formats[i].bit == bit)
			return formats[i].end;
	return "";
}

int fplot_make_dir(const char *dir, struct fcap_err *err)
{
	char *path = strdup(dir);
	struct stat st;
	int e = 0;

	if (!path)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (char *p = path + 1; *path && *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		/* what cannot be made here shows at the end */
		mkdir(path, 0777);
		*p = '/';
	}
	if (mkdir(path, 0777) < 0)
		e = errno;
	if (e == EEXIST)
		e = stat(path, &st) < 0 ? errno : S_ISDIR(st.st_mode) ? 0 : ENOTDIR;
	free(path);
	return e ? fcap_fail(err, e, "cannot make this directory: %s", strerror(e)) : 0;
}

static int cannot_write(struct fcap_err *err, const char *name, int code)
{
	return fcap_fail(err, code, "cannot write %s: %s", name, strerror(code));
}

static int fill(FILE *f, fplot_put put, const void *what)
{
	int e = put(what, f);

	if (e == 0 && ferror(f))
		e = -EIO;
	errno = 0;
	if (fclose(f) != 0 && (e == 0 || e == -EIO))
		e = errno ? -errno : -EIO;
	return e;
}

int fplot_write(const char *dir, const char *name, fplot_put put, const void *what,
		struct fcap_err *err)
{
	char *final = NULL, *part = NULL;
	FILE *f = NULL;
	int e = -ENOMEM;

	if (asprintf(&final, "%s/%s", dir, name) < 0)
		final = NULL;
	if (asprintf(&part, "%s/.%s.%d", dir, name, (int)getpid()) < 0)
		part = NULL;
	if (!final || !part)
		goto out;
	f = fopen(part, "wx");
	e = f ? fill(f, put, what) : -errno;
	if (e == 0 && rename(part, final) < 0)
		e = -errno;
	if (f && e < 0)
		unlink(part);
out:
	free(final);
	free(part);
	return e < 0 ? cannot_write(err, name, -e) : 0;
}

size_t fplot_printable(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;
	const size_t len = *s < 0x80 ? 1 : *s < 0xC2 ? 0 : *s < 0xE0 ? 2 : *s < 0xF0 ? 3 : 4;
	uint32_t c = len > 1 ? *s & (0xFFU >> (len + 1)) : *s;

	if (len == 0)
		return 0;
	for (size_t i = 1; i < len; i++) {
		if ((s[i] & 0xC0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3FU);
	}
	/* overlong forms, surrogates, and what is beyond Unicode are not UTF-8; no XML takes the
	 * last two */
	if ((len == 3 && c < 0x800) || (len == 4 && (c < 0x10000 || c > 0x10FFFF)) ||
	    (c >= 0xD800 && c <= 0xDFFF) || c == 0xFFFE || c == 0xFFFF)
		return 0;
	/* C0, DEL, C1; separators and marks that would turn or break the line */
	if (c < 0x20 || (c >= 0x7F && c < 0xA0) || (c >= 0x2028 && c <= 0x202E) ||
	    (c >= 0x2066 && c <= 0x2069))
		return 0;
	return len;
}

/* Writes the character at s; returns its bytes. */
static size_t put_char(FILE *f, const char *s, const char *also)
{
	const size_t len = fplot_printable(s);

	if (len == 0 || strchr(also, *s)) {
		fprintf(f, "\\x%02X", (unsigned char)*s);
		return 1;
	}
	fwrite(s, 1, len, f);
	return len;
}

void fplot_put_text(FILE *f, const char *s, const char *also)
{
	if (!s)
		s = "-";
	while (*s)
		s += put_char(f, s, also);
}

static size_t char_len(const char *s)
{
	const size_t len = fplot_printable(s);

	return len ? len : 1;
}

void fplot_put_quoted(FILE *f, const char *s, size_t max)
{
	size_t chars = 0;

	if (!s)
		s = "-";
	for (const char *p = s; *p; p += char_len(p))
		chars++;
	fputc('\'', f);
	for (size_t i = 0; *s; i++) {
		if (chars > max && i == max / 2) {
			fputs("\xE2\x80\xA6", f);
			for (size_t cut = chars - max + 1; cut > 0; cut--, i++)
				s += char_len(s);
		}
		if (*s == '\'')
			fputc('\'', f);
		s += put_char(f, s, "");
	}
	fputc('\'', f);
}
