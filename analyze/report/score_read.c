// SPDX-License-Identifier: GPL-3.0-or-later
/* Files of scores, line by line, and what form they have. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/report/score_read.h"
#include "analyze/trace/checksum.h"

struct reader {
	FILE *f;
	struct fan_score_table *table;
	struct fan_score_place place;
	char *line; /* FAN_SCORE_LINE bytes */
	enum { FORM_UNKNOWN, FORM_CSV, FORM_LOG } form;
	struct fan_score_header header;
	struct fan_score_log log;
};

/* Takes escape sequences, such as those of colours, out of a line. */
static void drop_escapes(char *line)
{
	char *to = line;

	for (const char *s = line; *s;) {
		if (s[0] == '\033' && s[1] == '[') {
			s += 2;
			s += strspn(s, "0123456789;");
			s += *s != '\0';
		} else {
			*to++ = *s++;
		}
	}
	*to = '\0';
}

/* The next line without its end: 1; 0: there is none; negative errno. */
static int read_line(struct reader *r)
{
	size_t n = 0;
	int c;

	r->place.line++;
	errno = 0;
	while ((c = getc(r->f)) != EOF && c != '\n') {
		if (c == '\0')
			return fan_score_fail(&r->place, EINVAL,
					      "a NUL byte: this is no table of scores (a trace.dat "
					      "is for fanalyze report)");
		if (n == FAN_SCORE_LINE - 1)
			return fan_score_fail(&r->place, EINVAL, "longer than %d bytes",
					      FAN_SCORE_LINE - 1);
		r->line[n++] = (char)c;
	}
	if (ferror(r->f) && errno == EISDIR) {
		r->place.line = 0;
		return fan_score_fail(&r->place, EISDIR,
				      "this is a directory, not a table of scores");
	}
	if (ferror(r->f))
		return fan_score_fail(&r->place, errno ? errno : EIO, "%s",
				      strerror(errno ? errno : EIO));
	if (n > 0 && r->line[n - 1] == '\r')
		n--;
	r->line[n] = '\0';
	return c != EOF || n > 0;
}

/* The first line that says something decides what the file is. */
static int take_first(struct reader *r, char *line)
{
	r->form = fan_score_log_begin(&r->log, line, r->place.path) ? FORM_LOG : FORM_CSV;
	return r->form == FORM_LOG ? fan_score_log_row(r->table, &r->log, line, &r->place)
				   : fan_score_header(&r->header, r->table, line, &r->place);
}

static int take_line(struct reader *r, char *line)
{
	switch (r->form) {
	case FORM_UNKNOWN:
		return take_first(r, line);
	case FORM_LOG:
		return fan_score_log_row(r->table, &r->log, line, &r->place);
	case FORM_CSV:
		return fan_score_csv_row(r->table, &r->header, line, &r->place);
	}
	return 0;
}

static int read_all(struct reader *r)
{
	const size_t before = r->table->n;
	int e;

	while ((e = read_line(r)) > 0) {
		char *line = r->line;

		if (r->place.line == 1 && strncmp(line, "\xEF\xBB\xBF", 3) == 0)
			line += 3; /* a byte order mark */
		drop_escapes(line);
		if (line[strspn(line, " \t")] == '\0' || *line == '#' ||
		    (r->form != FORM_CSV && fan_score_is_chatter(line)))
			continue;
		e = take_line(r, line);
		if (e < 0)
			return e;
	}
	if (e < 0)
		return e;
	r->place.line = 0;
	if (r->table->n == before)
		return fan_score_fail(&r->place, EINVAL, "it holds no values");
	return 0;
}

/* With the checksum of the same bytes. */
static int read_and_sum(struct reader *r)
{
	struct fan_checksum *c = fan_checksum_start(fileno(r->f));
	char text[FAN_CHECKSUM_TEXT];
	const int e = read_all(r);

	if (e < 0) {
		fan_checksum_abandon(c);
		return e;
	}
	fan_checksum_finish(c, text); /* without one the text is empty */
	r->place.line = 0;
	return fan_strs_add(&r->table->checksums, "%s", text) < 0
		       ? fan_score_fail(&r->place, ENOMEM, "out of memory")
		       : 0;
}

int fan_scores_read(struct fan_score_table *t, const char *path, const char *config,
		    struct fcap_err *err)
{
	struct reader r = { .table = t, .place = { path, 0, (int32_t)t->files.n, config, err } };
	char *line;
	int e;

	if (fan_strs_add(&t->files, "%s", path) < 0)
		return fan_score_fail(&r.place, ENOMEM, "out of memory");
	r.f = fopen(path, "re");
	if (!r.f)
		return fan_score_fail(&r.place, errno, "%s", strerror(errno));
	line = calloc(1, FAN_SCORE_LINE);
	r.line = line;
	e = line ? read_and_sum(&r) : fan_score_fail(&r.place, ENOMEM, "out of memory");
	free(line);
	fclose(r.f);
	return e;
}
