// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyze/report/json.h"

static int cannot_write(struct fcap_err *err)
{
	return fcap_fail(err, errno, "cannot write it: %s", strerror(errno));
}

static int write_stream(const void *item, const struct fan_table *table, FILE *f,
			struct fcap_err *err)
{
	int e = f ? fan_tree_json(item, table, f, err) : cannot_write(err);

	if (f && fclose(f) != 0 && e == 0)
		e = cannot_write(err);
	return e;
}

int fan_output_json(const void *item, const struct fan_table *table, const char *path,
		    struct fcap_err *err)
{
	char *temporary = NULL;
	struct stat st;
	int e;

	if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		return write_stream(item, table, fopen(path, "w"), err);
	if (asprintf(&temporary, "%s.%d", path, (int)getpid()) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	e = write_stream(item, table, fopen(temporary, "wx"), err);
	if (e == 0 && rename(temporary, path) < 0)
		e = cannot_write(err);
	if (e < 0)
		unlink(temporary);
	free(temporary);
	return e;
}
