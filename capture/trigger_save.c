// SPDX-License-Identifier: GPL-3.0-or-later
/* The same parts as those of a whole recording, filled at once: should we be killed, fcap recover
 * makes the file of them. */
#include "capture/trigger_save.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/assemble.h"
#include "capture/mono.h"
#include "capture/recover.h"
#include "capture/run_lines.h"

struct work {
	const struct cap_save_conf *conf;
	struct cap_parts *parts;
	struct cap_marks *marks;
	int marks_fd;
	struct cap_tasks names;
	struct cap_ring_saved pages;
};

int cap_save_open(struct cap_parts **ret, const struct cap_save_conf *conf, const char *file,
		  struct fcap_err *err)
{
	struct cap_parts *parts;
	int r = cap_parts_open(&parts, file, conf->no_clobber, err);

	if (r < 0)
		return r;
	r = cap_parts_store(parts, CAP_HEAD_PART, conf->head_text, conf->head_len, err);
	if (r < 0) {
		cap_parts_close(parts);
		return r;
	}
	*ret = parts;
	return 0;
}

static int take_name(struct work *w, const char *text)
{
	struct fcap_marker line;
	char *copy = strdup(text);
	int r = 0;

	if (!copy)
		return -ENOMEM;
	if (fcap_marker_parse(copy, &line) == 0)
		r = cap_tasks_take_line(&w->names, &line);
	free(copy);
	return r;
}

static int take_line(void *ctx, uint64_t ts_ns, const char *text)
{
	static const char task[] = "fcap: task ";
	struct work *w = ctx;
	const int r = cap_marks_append_at(w->marks, ts_ns, text);

	return r == 0 && strncmp(text, task, sizeof(task) - 1) == 0 ? take_name(w, text) : r;
}

static int append(void *ctx, const char *text)
{
	return cap_marks_append(ctx, text);
}

static int fail_marks(int code, struct fcap_err *err)
{
	return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
}

/* All lines but the last; before the events, for who recovers what comes of a kill. */
static int begin_marks(struct work *w, uint64_t from_ns, struct fcap_err *err)
{
	int r;

	w->marks_fd = cap_parts_create(w->parts, "marks", err);
	if (w->marks_fd < 0)
		return w->marks_fd;
	r = cap_marks_open(&w->marks, w->conf->layout, w->marks_fd, getpid());
	if (r == 0)
		r = cap_history_tell(w->conf->history, from_ns, take_line, w);
	if (r == 0)
		r = cap_ring_tell_lost(w->conf->ring, (struct cap_sink){ append, w->marks });
	if (r == 0)
		r = cap_marks_sync(w->marks);
	return r < 0 ? fail_marks(r, err) : 0;
}

static int end_marks(struct work *w, struct fcap_err *err)
{
	int r = cap_run_lines_end(w->pages.events, w->pages.bytes + cap_marks_bytes(w->marks),
				  (struct cap_sink){ append, w->marks });

	if (r == 0)
		r = cap_marks_flush(w->marks);
	return r < 0 ? fail_marks(r, err) : 0;
}

/* The kernel's counts are of all that it ever overwrote, and so are left out. */
static int make_tail(const struct work *w, struct cap_tail *ret)
{
	const uint32_t ncpu = cap_ring_ncpu(w->conf->ring);
	char *saved = cap_session_saved_names(w->conf->session);
	char **stats = calloc(ncpu, sizeof(*stats));
	size_t len;
	char *text;
	int r = stats ? cap_tail_print(&text, &len, saved, stats, ncpu) : -ENOMEM;

	free(stats);
	free(saved);
	if (r < 0)
		return r;
	(void)cap_parts_store(w->parts, CAP_TAIL_PART, text, len, NULL);
	return cap_tail_parse(ret, text, len, ncpu);
}

static int assemble(struct work *w, uint64_t *ret_bytes, struct fcap_err *err)
{
	const struct cap_dat_cpu marks = { w->marks_fd, cap_marks_bytes(w->marks) };
	struct cap_tail tail;
	const struct cap_assembly a = {
		.head = w->conf->head,
		.tail = &tail,
		.tasks = &w->names,
		.page_size = (uint32_t)w->conf->layout->page_size,
		.cpu = w->pages.pages,
		.marks = &marks,
		.packing = w->conf->packing,
	};
	int r = make_tail(w, &tail);

	if (r < 0)
		return fcap_fail(err, -r, "out of memory");
	r = cap_assemble(w->parts, &a, ret_bytes, err);
	cap_tail_clear(&tail);
	return r;
}

/* From here on there is something to lose. */
static int fill(struct work *w, struct cap_saved *s, struct fcap_err *err)
{
	uint64_t bytes = 0;
	int r = begin_marks(w, s->from_ns, err);

	if (r == 0)
		r = cap_ring_save(w->conf->ring, s->from_ns, w->parts, &w->pages, err);
	if (r == 0)
		r = end_marks(w, err);
	if (r == 0)
		r = assemble(w, &bytes, err);
	s->events = w->pages.events;
	s->bytes = bytes;
	if (w->conf->packing.level > 0) {
		s->bytes = w->pages.bytes + cap_marks_bytes(w->marks);
		s->packed_bytes = bytes;
	}
	if (r == 0)
		return 0;
	cap_parts_keep(w->parts, true);
	return cap_recover_advise(err, w->parts, err);
}

static int find_reach(const struct cap_save_conf *conf, uint64_t before_ns, struct cap_saved *s,
		      struct fcap_err *err)
{
	const uint64_t at_ns = s->reason.at_ns;
	const uint64_t wanted_ns = at_ns > before_ns ? at_ns - before_ns : 0;
	struct cap_ring_reach reach;
	const int r = cap_ring_off(conf->ring, &reach, err);

	if (r < 0)
		return r;
	s->to_ns = cap_mono_ns();
	s->ring_from_ns = reach.from_ns;
	s->has_overrun = reach.has_overrun;
	s->from_ns = wanted_ns > reach.from_ns ? wanted_ns : reach.from_ns;
	return 0;
}

int cap_save_make(const struct cap_save_conf *conf, struct cap_parts *parts, uint64_t before_ns,
		  struct cap_saved *s, struct fcap_err *err)
{
	struct work w = { .conf = conf, .parts = parts, .marks_fd = -1 };
	int r = find_reach(conf, before_ns, s, err);

	if (r == 0)
		r = fill(&w, s, err);
	cap_ring_saved_clear(&w.pages, cap_ring_ncpu(conf->ring));
	cap_marks_close(w.marks);
	if (w.marks_fd >= 0)
		close(w.marks_fd);
	cap_tasks_clear(&w.names);
	return r;
}
