// SPDX-License-Identifier: GPL-3.0-or-later
/* saved_cmdlines and more. */
#include "capture/cmdlines.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct name {
	int tid;
	unsigned int rank; /* the highest of one tid is kept */
	int len;
	const char *comm;
};

static int by_tid_and_rank(const void *a, const void *b)
{
	const struct name *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->rank > y->rank) - (x->rank < y->rank);
}

static size_t count_lines(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n + 1;
}

static size_t take_saved(const char *text, struct name *name)
{
	size_t n = 0;

	for (const char *p = text; *p;) {
		const size_t len = strcspn(p, "\n");
		char *comm;
		const long tid = strtol(p, &comm, 10);

		if (tid > 0 && *comm == ' ' && comm + 1 < p + len)
			name[n++] = (struct name){ (int)tid, 0, (int)(p + len - comm - 1),
						   comm + 1 };
		p += len + (p[len] == '\n');
	}
	return n;
}

/* A thread may have a newline in its name, with what looks like another one's line behind it. */
static void print_name(FILE *out, const struct name *name)
{
	fprintf(out, "%d ", name->tid);
	for (int i = 0; i < name->len; i++)
		fputc(name->comm[i] == '\n' ? '?' : name->comm[i], out);
	fputc('\n', out);
}

static int print(const struct name *name, size_t n, char **ret, size_t *ret_len)
{
	FILE *out = open_memstream(ret, ret_len);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (i + 1 == n || name[i + 1].tid != name[i].tid)
			print_name(out, &name[i]);
	if (fclose(out) == 0)
		return 0;
	free(*ret);
	return -ENOMEM;
}

int cap_cmdlines_build(const char *saved, const struct cap_tasks *tasks, int self, char **ret,
		       size_t *ret_len)
{
	const char *text = saved ? saved : "";
	struct name *name = calloc(count_lines(text) + tasks->n + 1, sizeof(*name));
	size_t n;
	int r;

	if (!name)
		return -ENOMEM;
	n = take_saved(text, name);
	for (size_t i = 0; i < tasks->n; i++) {
		const struct cap_task *t = tasks->all[i];

		name[n++] = (struct name){ t->tid, 1, (int)strlen(t->comm), t->comm };
	}
	name[n++] = (struct name){ self, 2, 4, "fcap" };
	qsort(name, n, sizeof(*name), by_tid_and_rank);
	r = print(name, n, ret, ret_len);
	free(name);
	return r;
}
