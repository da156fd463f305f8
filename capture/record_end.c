// SPDX-License-Identifier: GPL-3.0-or-later
/* The end of a recording: what is recorded becomes a file, whatever else went wrong. */
#include "capture/record_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capture/assemble.h"
#include "capture/mono.h"
#include "capture/recover.h"
#include "capture/run_lines.h"
#include "capture/summary.h"
#include "capture/tail.h"

static void clear_command(struct cap_recording *r)
{
	unsigned int termed = 0, killed = 0;
	const bool done = cap_child_clear(&r->child, &termed, &killed);

	if (!done)
		cap_record_say(r, "the command left processes that even SIGKILL does not end");
	else if (killed)
		cap_record_say(
			r, "the command left processes running: sent SIGTERM to %u, SIGKILL to %u",
			termed, killed);
	else if (termed)
		cap_record_say(r, "the command left processes running: sent SIGTERM to %u", termed);
}

/* The first trouble is told; what comes after it is mostly its consequence. */
static void note_trouble(struct fcap_err *trouble, int code, const struct fcap_err *err)
{
	if (code < 0 && trouble->code == 0)
		*trouble = *err;
}

/* What the kernel counted, and the last markers. */
static void stop_buffers(struct cap_recording *r, struct fcap_err *trouble)
{
	struct fcap_err err = { 0 };
	const int drained = cap_buffers_stop(r->buffers, r->session, cap_record_sink(r), &err);
	int code;

	/* that the disk is full, say, is worth more than that the sampler could not write either */
	if (drained < 0)
		*trouble = err;
	if (trouble->code)
		code = cap_run_lines_cut(trouble->text, cap_record_sink(r));
	else
		code = cap_run_lines_end(r->buffers->events,
					 r->buffers->bytes + cap_marks_bytes(r->marks),
					 cap_record_sink(r));
	if (code == 0)
		code = cap_marks_flush(r->marks);
	if (code < 0 && drained == 0)
		fcap_fail(trouble, -code, "cannot write the markers: %s", strerror(-code));
}

/*
 * Ends sampling and tracing, then what the command left; all counts are final after that. Goes on
 * through all trouble: what is recorded is recorded.
 */
static void stop(struct cap_recording *r, struct fcap_err *trouble)
{
	struct fcap_err err = { 0 };

	note_trouble(trouble, cap_sampler_stop(r->sampler, &err), &err);
	if (r->trigger)
		note_trouble(trouble, cap_trigger_stop(r->trigger, &err), &err);
	if (r->session)
		note_trouble(trouble, cap_session_off(r->session, &err), &err);
	r->ended_ns = cap_mono_ns();
	if (r->opts->argv)
		clear_command(r);
	r->cpus.looked_ns = 0;
	(void)cap_cpus_look(&r->cpus, cap_mono_ns(), cap_record_sink(r));
	if (r->work_fd >= 0 && cap_workpipe_read(&r->work, r->work_fd) < 0)
		note_trouble(trouble, fcap_fail(&err, EIO, "cannot take the workload's reports"),
			     &err);
	if (cap_guests_read(r->guests) < 0)
		note_trouble(trouble, fcap_fail(&err, EIO, "cannot take the guests' reports"),
			     &err);
	if (!r->trigger)
		stop_buffers(r, trouble);
}

static int take_tail(const struct cap_recording *r, struct cap_tail *ret)
{
	char *saved = r->session ? cap_session_saved_names(r->session) : NULL;
	size_t len;
	char *text;
	int code = cap_tail_print(&text, &len, saved, r->buffers->stats, r->buffers->ncpu);

	free(saved);
	if (code < 0)
		return code;
	/* for who recovers it, should the file not succeed: without it they know less, no worse */
	(void)cap_parts_store(r->parts, CAP_TAIL_PART, text, len, NULL);
	return cap_tail_parse(ret, text, len, r->buffers->ncpu);
}

static int write_dat(struct cap_recording *r, uint64_t *ret_bytes, struct fcap_err *err)
{
	const struct cap_dat_cpu marks = { r->marks_fd, cap_marks_bytes(r->marks) };
	struct cap_tail tail;
	const struct cap_assembly a = {
		.head = &r->head,
		.tail = &tail,
		.tasks = cap_sampler_tasks(r->sampler),
		.page_size = (uint32_t)r->layout.page_size,
		.cpu = r->buffers->pages,
		.marks = &marks,
		.packing = r->opts->packing,
	};
	int code = take_tail(r, &tail);

	if (code < 0)
		return fcap_fail(err, -code, "out of memory");
	code = cap_assemble(r->parts, &a, ret_bytes, err);
	cap_tail_clear(&tail);
	return code;
}

static void sum_up(struct cap_recording *r, uint64_t bytes)
{
	char text[1024], cpus[256];
	const bool is_packed = r->opts->packing.level > 0;
	struct cap_summary sum = {
		.file = r->opts->output,
		.events = r->buffers->events,
		.lost = r->buffers->lost,
		.bytes = is_packed ? r->buffers->bytes + cap_marks_bytes(r->marks) : bytes,
		.traced_ns = r->ended_ns - r->begun_ns,
		.cpu_ns = cap_usage_cpu_ns(),
		.cpus = cpus,
		.buffer_bytes = r->buffer_bytes,
		.enough = r->buffers->enough,
		.packed_bytes = is_packed ? bytes : 0,
		.counters_alone = r->opts->events == CAP_EVENTS_NONE,
	};

	cap_usage_note(&r->usage);
	cap_usage_list(&r->usage, cpus, sizeof(cpus));
	cap_summary_text(&sum, text, sizeof(text));
	r->opts->say(text);
	if (cap_summary_advice(&sum, text, sizeof(text)) > 0)
		r->opts->say(text);
}

/* What came in from outside. */
static void sum_up_reports(const struct cap_recording *r)
{
	if (r->work.malformed)
		cap_record_say(r,
			       "%" PRIu64 " lines on the descriptor in FCAP_FD were not understood",
			       r->work.malformed);
	cap_guests_sum_up(r->guests, cap_sampler_vms(r->sampler), r->opts->say);
	cap_cpus_sum_up(&r->cpus, r->opts->say);
}

/* Each file was complete when it was made, or is not there. */
static int finish_trigger(struct cap_recording *r, const struct fcap_err *trouble,
			  struct fcap_err *err)
{
	char *sum = cap_trigger_sum_up(r->trigger), *text = NULL, cpus[256];

	cap_trigger_news(r->trigger, r->opts->say);
	sum_up_reports(r);
	cap_usage_note(&r->usage);
	cap_usage_list(&r->usage, cpus, sizeof(cpus));
	/* as long as it is: there may be many files */
	if (sum &&
	    asprintf(&text, "%s; fcap itself used %.2f s of CPU time on CPU%s %s", sum,
		     (double)cap_usage_cpu_ns() / 1e9, strpbrk(cpus, "-,") ? "s" : "", cpus) < 0)
		text = NULL;
	r->opts->say(text ? text : "out of memory for the last sentence");
	free(text);
	free(sum);
	if (trouble->code == 0)
		return 0;
	*err = *trouble;
	return -err->code;
}

int cap_record_finish(struct cap_recording *r, struct fcap_err *err)
{
	struct fcap_err trouble = { 0 };
	uint64_t bytes = 0;
	int code;

	stop(r, &trouble);
	if (r->trigger)
		return finish_trigger(r, &trouble, err);
	code = write_dat(r, &bytes, err);
	if (code < 0) {
		cap_parts_keep(r->parts, true);
		return cap_recover_advise(trouble.code ? &trouble : err, r->parts, err);
	}
	sum_up_reports(r);
	if (trouble.code)
		return fcap_fail(err, trouble.code, "%.300s; %.150s holds what was recorded before",
				 trouble.text, r->opts->output);
	sum_up(r, bytes);
	return 0;
}
