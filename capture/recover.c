// SPDX-License-Identifier: GPL-3.0-or-later
/* FILE.parts -> FILE, without the recording that made it. */
#include "capture/recover.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/amount.h"
#include "capture/assemble.h"
#include "capture/cpu_stats.h"
#include "capture/io.h"
#include "capture/marks_read.h"
#include "capture/run_lines.h"
#include "fcap/num.h"

#define WHY "recovered from a recording that was killed"

struct recovery {
	struct cap_parts *parts;
	struct cap_head head;
	struct cap_tail tail;
	struct cap_marks_layout layout;
	struct cap_marks_found found;
	struct cap_tasks tasks;	 /* from the task lines */
	struct cap_dat_cpu *cpu; /* by CPU; fd -1: none */
	struct cap_dat_cpu marks;
	bool *lost_told; /* by CPU: there is a line */
	bool has_end;	 /* it had said all: there is an end or a cut line */
	uint64_t bytes;	 /* of events */
	struct cap_packing packing;
};

int cap_recover_advise(const struct fcap_err *cause, const struct cap_parts *parts,
		       struct fcap_err *ret)
{
	const struct fcap_err why = *cause;
	const char *room = why.code == ENOSPC || why.code == EDQUOT ? "make room and " : "";

	return fcap_fail(ret, why.code,
			 "%.200s; what was recorded is in %.100s: %srun \"fcap recover %.100s\"",
			 why.text, cap_parts_dir(parts), room, cap_parts_dir(parts));
}

static int load_head(struct recovery *r, struct fcap_err *err)
{
	char *text;
	size_t len;
	int code = cap_parts_load(r->parts, CAP_HEAD_PART, &text, &len);

	if (code == -ENOENT)
		return fcap_fail(err, ENODATA, "%s: nothing was recorded yet",
				 cap_parts_dir(r->parts));
	if (code == 0)
		code = cap_head_parse(&r->head, text, len);
	if (code < 0)
		return fcap_fail(err, -code, "%s/" CAP_HEAD_PART ": %s", cap_parts_dir(r->parts),
				 code == -EINVAL ? "damaged" : strerror(-code));
	r->cpu = calloc(r->head.ncpu, sizeof(*r->cpu));
	r->lost_told = calloc(r->head.ncpu, sizeof(*r->lost_told));
	if (!r->cpu || !r->lost_told)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (uint32_t i = 0; i < r->head.ncpu; i++)
		r->cpu[i].fd = -1;
	return cap_head_layout(&r->head, &r->layout, err);
}

static int load_tail(struct recovery *r, struct fcap_err *err)
{
	char *text = NULL;
	size_t len = 0;
	int code = cap_parts_load(r->parts, CAP_TAIL_PART, &text, &len);

	if (code == 0 || code == -ENOENT)
		code = cap_tail_parse(&r->tail, text, len, r->head.ncpu);
	if (code < 0)
		return fcap_fail(err, -code, "%s/" CAP_TAIL_PART ": %s", cap_parts_dir(r->parts),
				 code == -EINVAL ? "damaged" : strerror(-code));
	return 0;
}

/* A part that is missing is empty: the recording had not come so far. Descriptor, or error. */
static int open_pages(struct recovery *r, const char *name, struct cap_dat_cpu *ret,
		      struct fcap_err *err)
{
	const int fd = cap_parts_get(r->parts, name);

	if (fd < 0 && fd != -ENOENT)
		return fcap_fail(err, -fd, "%s/%s: cannot open: %s", cap_parts_dir(r->parts), name,
				 strerror(-fd));
	*ret = (struct cap_dat_cpu){ fd < 0 ? -1 : fd,
				     fd < 0 ? 0 : cap_io_whole(fd, r->layout.page_size) };
	return 0;
}

static int open_cpus(struct recovery *r, struct fcap_err *err)
{
	int code = 0;

	for (uint32_t i = 0; i < r->head.ncpu && code == 0; i++) {
		char name[32];

		snprintf(name, sizeof(name), "cpu%u", i);
		code = open_pages(r, name, &r->cpu[i], err);
		r->bytes += r->cpu[i].len;
	}
	return code;
}

/* What the names of threads, and the lines that are still to come, depend on. */
static int take_line(void *ctx, char *text)
{
	struct recovery *r = ctx;
	struct fcap_marker line;
	const char *cpu;
	int64_t v;

	if (fcap_marker_parse(text, &line) != 0)
		return 0;
	if (fcap_marker_is(&line, "task"))
		return cap_tasks_take_line(&r->tasks, &line);
	cpu = fcap_marker_is(&line, "lost") ? fcap_marker_get(&line, "cpu") : NULL;
	if (cpu && fcap_parse_i64(cpu, 0, (int64_t)r->head.ncpu - 1, &v) == 0)
		r->lost_told[v] = true;
	r->has_end |= fcap_marker_is(&line, "end") || fcap_marker_is(&line, "cut");
	return 0;
}

static int read_marks(struct recovery *r, struct fcap_err *err)
{
	int code = open_pages(r, "marks", &r->marks, err);

	if (code < 0 || r->marks.fd < 0)
		return code;
	code = cap_marks_read(r->marks.fd, &r->layout, take_line, r, &r->found);
	if (code < 0)
		return fcap_fail(err, -code, "%s/marks: cannot read: %s", cap_parts_dir(r->parts),
				 strerror(-code));
	r->marks.len = r->found.bytes;
	return 0;
}

struct addition {
	struct cap_marks *marks;
	uint64_t ts_ns;
};

static int append(void *ctx, const char *text)
{
	const struct addition *a = ctx;

	return cap_marks_append_at(a->marks, a->ts_ns, text);
}

static int append_lines(struct recovery *r, struct cap_sink to)
{
	int code = 0;

	for (uint32_t i = 0; i < r->head.ncpu && code == 0; i++) {
		const struct cap_cpu_stats st = cap_cpu_stats_parse(
			r->tail.stats[i] ? r->tail.stats[i] : "");

		if (!r->lost_told[i])
			code = cap_cpu_stats_tell(&st, i, to);
	}
	return code < 0 ? code : cap_run_lines_cut(WHY, to);
}

/*
 * Adds to the part what the recording could not say any more. Should this be killed too, the next
 * one finds the page with the line, or as if it had never been.
 */
static int end_marks(struct recovery *r, struct fcap_err *err)
{
	struct addition a = { NULL, r->found.last_ns };
	int code;

	if (r->has_end || r->marks.fd < 0 || r->marks.len == 0)
		return 0;
	code = cap_marks_open_at(&a.marks, &r->layout, r->marks.fd, r->head.pid, r->marks.len);
	if (code == 0)
		code = append_lines(r, (struct cap_sink){ append, &a });
	if (code == 0)
		code = cap_marks_flush(a.marks);
	if (code == 0)
		r->marks.len = cap_marks_bytes(a.marks);
	cap_marks_close(a.marks);
	if (code < 0)
		return fcap_fail(err, -code, "%s/marks: cannot write: %s", cap_parts_dir(r->parts),
				 strerror(-code));
	return 0;
}

static int load(struct recovery *r, struct fcap_err *err)
{
	int code = load_head(r, err);

	if (code == 0)
		code = load_tail(r, err);
	if (code == 0)
		code = open_cpus(r, err);
	if (code == 0)
		code = read_marks(r, err);
	if (code == 0 && r->bytes == 0 && r->marks.len == 0)
		code = fcap_fail(err, ENODATA, "%s: nothing was recorded yet",
				 cap_parts_dir(r->parts));
	return code;
}

static int assemble(struct recovery *r, uint64_t *ret_bytes, struct fcap_err *err)
{
	const struct cap_assembly a = {
		.head = &r->head,
		.tail = &r->tail,
		.tasks = &r->tasks,
		.page_size = (uint32_t)r->layout.page_size,
		.cpu = r->cpu,
		.marks = &r->marks,
		.packing = r->packing,
	};

	return cap_assemble(r->parts, &a, ret_bytes, err);
}

static void clear(struct recovery *r)
{
	for (uint32_t i = 0; r->cpu && i < r->head.ncpu; i++)
		if (r->cpu[i].fd >= 0)
			close(r->cpu[i].fd);
	if (r->marks.fd >= 0)
		close(r->marks.fd);
	free(r->cpu);
	free(r->lost_told);
	cap_tasks_clear(&r->tasks);
	cap_tail_clear(&r->tail);
	cap_head_clear(&r->head);
}

static void tell_success(const struct cap_recover_opts *opts, const struct recovery *r,
			 uint64_t bytes)
{
	const bool is_packed = r->packing.level > 0;
	char text[1024], packed[64], size[32];

	cap_packing_tell(is_packed ? bytes : 0, packed, sizeof(packed));
	cap_print_bytes(is_packed ? r->bytes + r->marks.len : bytes, size, sizeof(size));
	snprintf(text, sizeof(text), "wrote %s: %s%s, %" PRIu64 " marker lines%s",
		 cap_parts_file(r->parts), size, packed, r->found.lines,
		 r->has_end ? "" : ", up to where the recording was killed");
	opts->say(text);
}

int cap_recover(const struct cap_recover_opts *opts, struct fcap_err *err)
{
	struct recovery r = { .marks = { -1, 0 }, .packing = opts->packing };
	uint64_t bytes;
	int code = cap_parts_reopen(&r.parts, opts->dir, opts->output, err);

	if (code < 0)
		return code;
	code = load(&r, err);
	if (code == 0 && r.packing.level == 0)
		r.packing.level = r.head.level;
	if (code == 0)
		code = end_marks(&r, err);
	if (code == 0)
		code = assemble(&r, &bytes, err);
	if (code == 0) {
		tell_success(opts, &r, bytes);
		cap_parts_keep(r.parts, false);
	} else if (code == -ENODATA && cap_parts_discard(r.parts)) {
		fcap_fail(err, ENODATA, "%s: nothing was recorded yet; removed it", opts->dir);
	}
	clear(&r);
	cap_parts_close(r.parts);
	return code;
}
