// SPDX-License-Identifier: GPL-3.0-or-later
/* The part "head": collected from tracefs, and taken apart again. */
#include "capture/head.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/archive.h"
#include "fcap/num.h"
#include "fcap/version.h"

#define CPUS_MAX 65536U

static int add_file(FILE *out, const struct cap_session *s, const char *name, const char *file)
{
	size_t len;
	char *text = cap_session_read(s, file, &len);

	if (!text)
		return errno ? -errno : -EIO;
	cap_archive_add(out, name, text, len);
	free(text);
	return 0;
}

static int add_format(FILE *out, const struct cap_session *s, const char *system, const char *event)
{
	char name[256];
	size_t len;
	char *text = cap_session_format(s, system, event, &len);

	if (!text)
		return errno ? -errno : -EIO;
	snprintf(name, sizeof(name), CAP_HEAD_FORMAT "%s/%s", system, event);
	cap_archive_add(out, name, text, len);
	free(text);
	return 0;
}

static int add_formats(FILE *out, const struct cap_session *s, const struct cap_plan *plan)
{
	char **ftrace = tracefs_system_events(NULL, "ftrace");
	int r = ftrace ? 0 : -EIO;

	for (size_t i = 0; ftrace && ftrace[i] && r == 0; i++)
		r = add_format(out, s, "ftrace", ftrace[i]);
	tracefs_list_free(ftrace);
	for (size_t i = 0; i < plan->nevent && r == 0; i++)
		r = add_format(out, s, plan->event[i].system, plan->event[i].name);
	return r;
}

int cap_head_add_facts(FILE *out, uint32_t ncpu, int level)
{
	struct utsname u;

	if (uname(&u) < 0)
		return -errno;
	cap_archive_print(out, "version", "fcap %s", FCAP_VERSION);
	cap_archive_print(out, "uname", "%s %s %s %s", u.sysname, u.nodename, u.release, u.machine);
	cap_archive_print(out, "pid", "%d", (int)getpid());
	cap_archive_print(out, "ncpu", "%" PRIu32, ncpu);
	if (level)
		cap_archive_print(out, "compress", "%d", level);
	return 0;
}

static int add_all(FILE *out, const struct cap_session *s, const struct cap_plan *plan, int level)
{
	int r = cap_head_add_facts(out, cap_session_ncpu(s), level);

	if (r == 0)
		r = add_file(out, s, "clock", "trace_clock");
	if (r == 0)
		r = add_file(out, s, "header_page", "events/header_page");
	if (r == 0)
		r = add_file(out, s, "header_event", "events/header_event");
	if (r == 0)
		r = add_formats(out, s, plan);
	cap_archive_end(out);
	return r;
}

int cap_head_collect(char **ret, size_t *ret_len, const struct cap_session *s,
		     const struct cap_plan *plan, int level, struct fcap_err *err)
{
	FILE *out = open_memstream(ret, ret_len);
	int r;

	if (!out)
		return fcap_fail(err, ENOMEM, "out of memory");
	r = add_all(out, s, plan, level);
	if (fclose(out) != 0 && r == 0)
		r = -ENOMEM;
	if (r == 0)
		return 0;
	free(*ret);
	*ret = NULL;
	return fcap_fail(err, -r, "cannot read the event formats from tracefs: %s", strerror(-r));
}

/* Room for one more in an array that grows by doubling from n, a count. */
static void *grow(void *array, size_t n, size_t size)
{
	if (n & (n - 1))
		return array;
	return reallocarray(array, n ? n * 2 : 1, size);
}

static struct cap_blob blob_of(const struct cap_archive_entry *e)
{
	return (struct cap_blob){ e->data, e->len };
}

/* name: "SYSTEM/EVENT", cut in two. Formats of one system stand together. */
static int take_format(struct cap_head *h, char *name, const struct cap_archive_entry *e)
{
	struct cap_blob *format = grow(h->format, h->nformat, sizeof(*format));
	char *slash = strchr(name, '/');

	if (!format)
		return -ENOMEM;
	h->format = format;
	if (!slash)
		return -EINVAL;
	*slash = '\0';
	h->format[h->nformat++] = blob_of(e);
	if (strcmp(name, "ftrace") == 0) {
		h->nftrace++;
		return h->nsystem ? -EINVAL : 0;
	}
	if (h->nsystem == 0 || strcmp(name, h->system[h->nsystem - 1].name) != 0) {
		struct cap_dat_system *system = grow(h->system, h->nsystem, sizeof(*system));

		if (!system)
			return -ENOMEM;
		h->system = system;
		h->system[h->nsystem++] = (struct cap_dat_system){ name, NULL, 0 };
	}
	h->system[h->nsystem - 1].nformat++;
	return 0;
}

static int take_number(struct cap_head *h, const struct cap_archive_entry *e)
{
	int64_t v;

	if (strcmp(e->name, "ncpu") == 0) {
		if (fcap_parse_i64(e->data, 1, CPUS_MAX, &v) < 0)
			return -EINVAL;
		h->ncpu = (uint32_t)v;
	} else if (strcmp(e->name, "pid") == 0) {
		if (fcap_parse_i64(e->data, 1, INT_MAX, &v) < 0)
			return -EINVAL;
		h->pid = (int)v;
	} else if (strcmp(e->name, "compress") == 0) {
		if (fcap_parse_i64(e->data, 1, CAP_PACKING_LEVEL_MAX, &v) < 0)
			return -EINVAL;
		h->level = (int)v;
	}
	return 0;
}

static int take_entry(struct cap_head *h, struct cap_archive_entry *e)
{
	struct {
		const char *name;
		struct cap_blob *blob;
		size_t nul; /* 1: the file wants the NUL too */
	} blobs[] = {
		{ "header_page", &h->header_page, 0 },
		{ "header_event", &h->header_event, 0 },
		{ "clock", &h->clock, 1 },
		{ "uname", &h->uname, 1 },
		{ "version", &h->version, 1 },
	};

	if (strncmp(e->name, CAP_HEAD_FORMAT, strlen(CAP_HEAD_FORMAT)) == 0)
		return take_format(h, e->name + strlen(CAP_HEAD_FORMAT), e);
	for (size_t i = 0; i < sizeof(blobs) / sizeof(blobs[0]); i++)
		if (strcmp(e->name, blobs[i].name) == 0)
			*blobs[i].blob = (struct cap_blob){ e->data, e->len + blobs[i].nul };
	return take_number(h, e);
}

/* The arrays do not move any more. */
static void link_formats(struct cap_head *h)
{
	const struct cap_blob *format = h->format + h->nftrace;

	for (size_t i = 0; i < h->nsystem; i++) {
		h->system[i].format = format;
		format += h->system[i].nformat;
	}
}

int cap_head_parse(struct cap_head *ret, char *text, size_t len)
{
	struct cap_head h = { .text = text };
	struct cap_archive_entry e;
	char *at = text;
	int r;

	while ((r = cap_archive_next(&at, text + len, &e)) > 0) {
		r = take_entry(&h, &e);
		if (r < 0)
			break;
	}
	if (r == 0 && (!h.header_page.data || !h.header_event.data || !h.clock.data ||
		       !h.uname.data || !h.version.data || !h.ncpu || !h.pid || !h.nformat))
		r = -EINVAL;
	if (r < 0) {
		cap_head_clear(&h);
		return r;
	}
	link_formats(&h);
	*ret = h;
	return 0;
}

int cap_head_layout(const struct cap_head *h, struct cap_marks_layout *ret, struct fcap_err *err)
{
	static const char name[] = "name: print\n";
	const char *print = "";

	for (size_t i = 0; i < h->nftrace; i++)
		if (strncmp(h->format[i].data, name, strlen(name)) == 0)
			print = h->format[i].data;
	return cap_marks_layout_parse(h->header_page.data, print, ret, err);
}

void cap_head_clear(struct cap_head *h)
{
	free(h->format);
	free(h->system);
	free(h->text);
	*h = (struct cap_head){ 0 };
}
