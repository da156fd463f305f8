// SPDX-License-Identifier: GPL-3.0-or-later
/* The part "tail". */
#include "capture/tail.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/archive.h"
#include "fcap/num.h"

#define SAVED "saved_cmdlines"
#define STATS "stats/" /* then the CPU */

int cap_tail_print(char **ret, size_t *ret_len, const char *saved, char *const *stats,
		   uint32_t ncpu)
{
	FILE *out = open_memstream(ret, ret_len);

	if (!out)
		return -ENOMEM;
	if (saved)
		cap_archive_add(out, SAVED, saved, strlen(saved));
	for (uint32_t i = 0; i < ncpu; i++) {
		char name[32];

		snprintf(name, sizeof(name), STATS "%u", i);
		if (stats[i])
			cap_archive_add(out, name, stats[i], strlen(stats[i]));
	}
	cap_archive_end(out);
	if (fclose(out) == 0)
		return 0;
	free(*ret);
	return -ENOMEM;
}

static int take_entry(struct cap_tail *t, const struct cap_archive_entry *e)
{
	int64_t cpu;

	if (strcmp(e->name, SAVED) == 0)
		t->saved = e->data;
	if (strncmp(e->name, STATS, strlen(STATS)) != 0)
		return 0;
	if (fcap_parse_i64(e->name + strlen(STATS), 0, (int64_t)t->ncpu - 1, &cpu) < 0)
		return -EINVAL;
	t->stats[cpu] = e->data;
	return 0;
}

int cap_tail_parse(struct cap_tail *ret, char *text, size_t len, uint32_t ncpu)
{
	struct cap_tail t = { .text = text, .ncpu = ncpu };
	struct cap_archive_entry e;
	char *at = text;
	int r = 0;

	t.stats = calloc(ncpu, sizeof(*t.stats));
	if (!t.stats)
		r = -ENOMEM;
	while (text && r == 0) {
		r = cap_archive_next(&at, text + len, &e);
		if (r == 0)
			break;
		r = r < 0 ? r : take_entry(&t, &e);
	}
	if (r < 0) {
		cap_tail_clear(&t);
		return r;
	}
	*ret = t;
	return 0;
}

void cap_tail_clear(struct cap_tail *t)
{
	free(t->stats);
	free(t->text);
	*t = (struct cap_tail){ 0 };
}
