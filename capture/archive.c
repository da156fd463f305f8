// SPDX-License-Identifier: GPL-3.0-or-later
/* Named texts in a row. */
#include "capture/archive.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void cap_archive_add(FILE *out, const char *name, const void *data, size_t len)
{
	fprintf(out, "%s %zu\n", name, len);
	if (len)
		fwrite(data, 1, len, out);
	fputc('\n', out);
}

void cap_archive_print(FILE *out, const char *name, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	cap_archive_add(out, name, text, strlen(text));
}

void cap_archive_end(FILE *out)
{
	cap_archive_add(out, "end", "", 0);
}

int cap_archive_next(char **at, const char *end, struct cap_archive_entry *ret)
{
	char *blank = memchr(*at, ' ', (size_t)(end - *at));
	unsigned long long len;
	char *data;

	if (!blank || blank == *at || !isdigit((unsigned char)blank[1]))
		return -EINVAL;
	len = strtoull(blank + 1, &data, 10);
	/* a newline here, one behind the data, and the data between */
	if (*data != '\n' || len >= (unsigned long long)(end - data) ||
	    (unsigned long long)(end - data) < len + 2 || data[1 + len] != '\n')
		return -EINVAL;
	data++;
	*blank = data[len] = '\0';
	*ret = (struct cap_archive_entry){ *at, data, (size_t)len };
	*at = data + len + 1;
	return strcmp(ret->name, "end") != 0;
}
