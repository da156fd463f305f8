// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps of a recording in their order, and the way back when one fails. */
#include "capture/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "capture/assemble.h"
#include "capture/buffers.h"
#include "capture/child.h"
#include "capture/cpus.h"
#include "capture/guestpipe.h"
#include "capture/head.h"
#include "capture/io.h"
#include "capture/marks.h"
#include "capture/mono.h"
#include "capture/parts.h"
#include "capture/plan.h"
#include "capture/recover.h"
#include "capture/run_lines.h"
#include "capture/sampler.h"
#include "capture/session.h"
#include "capture/signals.h"
#include "capture/tail.h"
#include "capture/workpipe.h"

#define CPUS "/sys/devices/system/cpu"
/* how often to see whether CPUs have come or gone, and to write lines that wait for their page */
#define LOOK_MS 1000

struct record {
	const struct cap_record_opts *opts;
	struct cap_parts *parts;
	struct cap_plan plan;
	struct cap_session *session;
	struct cap_buffers *buffers;
	struct cap_head head;
	struct cap_marks_layout layout;
	struct cap_marks *marks;
	struct cap_sampler *sampler;
	struct cap_cpus cpus;
	struct cap_child child;
	struct cap_workpipe work;
	struct cap_guests *guests; /* NULL: none to read */
	uint64_t buffer_bytes;
	struct cap_signals signals;
	struct rlimit old_nofile;
	int procfd, marks_fd, work_fd;
	int status;
};

__attribute__((format(printf, 2, 3))) static void say(const struct record *r, const char *fmt, ...)
{
	char text[1024];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	r->opts->say(text);
}

static int mark(void *ctx, const char *text)
{
	return cap_marks_append(ctx, text);
}

static struct cap_sink sink_of(const struct record *r)
{
	return (struct cap_sink){ mark, r->marks };
}

static int take_process(struct record *r, struct fcap_err *err)
{
	struct rlimit limit;
	const int code = cap_signals_take(&r->signals, err);

	if (code < 0)
		return code;
	if (prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return fcap_fail(err, errno, "cannot adopt orphans: %s", strerror(errno));
	getrlimit(RLIMIT_NOFILE, &r->old_nofile);
	limit = (struct rlimit){ r->old_nofile.rlim_max, r->old_nofile.rlim_max };
	setrlimit(RLIMIT_NOFILE, &limit);
	return 0;
}

/* Before anything else is opened: what the child inherits is what it shall have. */
static int spawn(struct record *r, struct fcap_err *err)
{
	struct cap_child_env env = { &r->signals.old_mask, &r->old_nofile, -1, r->opts->label,
				     r->opts->nlabel };
	int report[2], code;

	if (pipe2(report, O_CLOEXEC) < 0)
		return fcap_fail(err, errno, "cannot make a pipe: %s", strerror(errno));
	r->work_fd = report[0];
	fcntl(r->work_fd, F_SETFL, O_NONBLOCK);
	env.report_fd = report[1];
	code = cap_child_spawn(&r->child, r->opts->argv, &env, err);
	close(report[1]);
	return code;
}

static bool has_virt(void)
{
	return access("/sys/module/kvm_intel", F_OK) == 0 ||
	       access("/sys/module/kvm_amd", F_OK) == 0;
}

/* 0 when unknown, which gives the smallest buffers. */
static uint64_t mem_available(int procfd)
{
	char text[4096];
	const char *p;
	uint64_t kb;

	if (cap_io_read_at(procfd, "meminfo", text, sizeof(text)) <= 0)
		return 0;
	p = strstr(text, "MemAvailable:");
	return p && sscanf(p, "MemAvailable: %" SCNu64, &kb) == 1 ? kb << 10 : 0;
}

static int open_session(struct record *r, struct fcap_err *err)
{
	bool mounted;
	char *available;
	int code = cap_session_open(&r->session, &mounted, err);

	if (code < 0)
		return code;
	if (mounted)
		say(r, "mounted tracefs at %s", tracefs_tracing_dir());
	available = cap_session_available();
	if (!available)
		return fcap_fail(err, EIO, "cannot read available_events from tracefs");
	code = cap_plan_resolve(&r->plan, available, has_virt(), err);
	free(available);
	if (code < 0)
		return code;
	for (size_t i = 0; i < r->plan.nabsent; i++)
		say(r, "note: this kernel has no event %s:%s", r->plan.absent[i].system,
		    r->plan.absent[i].name);
	r->buffer_bytes = cap_plan_buffer_bytes(mem_available(r->procfd),
						cap_session_ncpu(r->session));
	return cap_session_setup(r->session, &r->plan, r->buffer_bytes, err);
}

/* From here on the parts say all that a file needs but its pages. */
static int store_head(struct record *r, struct fcap_err *err)
{
	size_t len;
	char *text;
	int code = cap_head_collect(&text, &len, r->session, &r->plan, err);

	if (code < 0)
		return code;
	code = cap_parts_store(r->parts, CAP_HEAD_PART, text, len, err);
	if (code < 0) {
		free(text);
		return code;
	}
	code = cap_head_parse(&r->head, text, len);
	if (code < 0)
		return fcap_fail(err, -code, "cannot understand the event formats of tracefs: %s",
				 strerror(-code));
	return cap_head_layout(&r->head, &r->layout, err);
}

static int open_marks(struct record *r, struct fcap_err *err)
{
	r->marks_fd = cap_parts_create(r->parts, "marks", err);
	if (r->marks_fd < 0)
		return r->marks_fd;
	if (cap_marks_open(&r->marks, &r->layout, r->marks_fd, getpid()) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	cap_workpipe_init(&r->work, sink_of(r));
	return 0;
}

static int open_sampler(struct record *r, struct fcap_err *err)
{
	const struct cap_sampler_conf conf = {
		.procfd = r->procfd,
		.root = getpid(),
		.cookies = &cap_cookies_kernel,
		.period_ns = r->opts->sample_ns,
		.to = sink_of(r),
	};
	const int code = cap_sampler_open(&r->sampler, &conf);

	if (code < 0)
		return fcap_fail(err, -code, "cannot read the cgroups: %s", strerror(-code));
	return 0;
}

static int open_guests(struct record *r, struct fcap_err *err)
{
	if (r->opts->nguest == 0)
		return 0;
	return cap_guests_open(&r->guests, r->opts->guest, r->opts->nguest, sink_of(r), err);
}

static int prepare(struct record *r, struct fcap_err *err)
{
	int code = cap_parts_open(&r->parts, r->opts->output, r->opts->no_clobber, err);

	if (code == 0)
		code = take_process(r, err);
	if (code == 0)
		code = spawn(r, err);
	if (code < 0)
		return code;
	r->procfd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->procfd < 0)
		return fcap_fail(err, errno, "/proc: %s; mount it", strerror(errno));
	code = open_session(r, err);
	if (code == 0)
		code = store_head(r, err);
	if (code == 0)
		code = open_marks(r, err);
	if (code == 0)
		code = open_sampler(r, err);
	if (code == 0)
		code = open_guests(r, err);
	return code;
}

static int sample_all(const struct record *r, struct fcap_err *err)
{
	const int code = cap_sampler_sample(r->sampler, cap_mono_ns(), true);

	return code < 0 ? fcap_fail(err, -code, "sampling the threads failed: %s", strerror(-code))
			: 0;
}

/*
 * Switches everything on: from here on the trace is complete. Threads are told of before the first
 * event, so that their places, weights and cookies are known from there on; and the counters again
 * after it, since the trace has all that they count only from there on.
 */
static int begin(struct record *r, struct fcap_err *err)
{
	const struct cap_host host = cap_sampler_host(r->sampler);
	int code = cap_run_lines_begin(r->opts, &host, sink_of(r));

	if (code == 0)
		code = cap_cpus_open(&r->cpus, open(CPUS, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				     sink_of(r));
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	code = sample_all(r, err);
	if (code == 0)
		code = cap_buffers_start(&r->buffers, r->session, r->parts, r->buffer_bytes, err);
	if (code == 0)
		code = cap_session_on(r->session, err);
	if (code == 0)
		code = sample_all(r, err);
	if (code < 0)
		return code;
	code = cap_marks_sync(r->marks);
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	return cap_sampler_start(r->sampler, err);
}

/*
 * Until the command ends. Trouble of our own does not cut it short: it comes out when the
 * recording is finished.
 */
static void supervise(struct record *r)
{
	struct pollfd fds[] = {
		{ .fd = r->signals.fd, .events = POLLIN },
		{ .fd = r->work_fd, .events = POLLIN },
	};

	while (!cap_child_has_ended(&r->child, &r->status)) {
		(void)cap_guests_read(r->guests);
		(void)cap_cpus_look(&r->cpus, cap_mono_ns(), sink_of(r));
		(void)cap_marks_sync(r->marks);
		if (poll(fds, 2, r->guests ? CAP_GUESTS_PERIOD_MS : LOOK_MS) < 0)
			continue;
		cap_signals_pass(&r->signals, r->child.pid);
		if (fds[1].revents && cap_workpipe_read(&r->work, r->work_fd) != 0)
			fds[1].fd = -1; /* nobody writes any more, or it cannot be read */
	}
	(void)cap_guests_read(r->guests);
}

static void clear_command(struct record *r)
{
	unsigned int termed = 0, killed = 0;
	const bool done = cap_child_clear(&r->child, &termed, &killed);

	if (!done)
		say(r, "the command left processes that even SIGKILL does not end");
	else if (killed)
		say(r, "the command left processes running: sent SIGTERM to %u, SIGKILL to %u",
		    termed, killed);
	else if (termed)
		say(r, "the command left processes running: sent SIGTERM to %u", termed);
}

/* The first trouble is told; what comes after it is mostly its consequence. */
static void note_trouble(struct fcap_err *trouble, int code, const struct fcap_err *err)
{
	if (code < 0 && trouble->code == 0)
		*trouble = *err;
}

/* What the kernel counted, and the last markers. */
static void stop_buffers(struct record *r, struct fcap_err *trouble)
{
	struct fcap_err err = { 0 };
	const int drained = cap_buffers_stop(r->buffers, r->session, sink_of(r), &err);
	int code;

	/* that the disk is full, say, is worth more than that the sampler could not write either */
	if (drained < 0)
		*trouble = err;
	if (trouble->code)
		code = cap_run_lines_cut(trouble->text, sink_of(r));
	else
		code = cap_run_lines_end(r->buffers->events,
					 r->buffers->bytes + cap_marks_bytes(r->marks), sink_of(r));
	if (code == 0)
		code = cap_marks_flush(r->marks);
	if (code < 0 && drained == 0)
		fcap_fail(trouble, -code, "cannot write the markers: %s", strerror(-code));
}

/*
 * Ends sampling and tracing, then what the command left; all counts are final after that. Goes on
 * through all trouble: what is recorded is recorded.
 */
static void stop(struct record *r, struct fcap_err *trouble)
{
	struct fcap_err err = { 0 };

	note_trouble(trouble, cap_sampler_stop(r->sampler, &err), &err);
	note_trouble(trouble, cap_session_off(r->session, &err), &err);
	clear_command(r);
	r->cpus.looked_ns = 0;
	(void)cap_cpus_look(&r->cpus, cap_mono_ns(), sink_of(r));
	if (cap_workpipe_read(&r->work, r->work_fd) < 0)
		note_trouble(trouble, fcap_fail(&err, EIO, "cannot take the workload's reports"),
			     &err);
	if (cap_guests_read(r->guests) < 0)
		note_trouble(trouble, fcap_fail(&err, EIO, "cannot take the guests' reports"),
			     &err);
	stop_buffers(r, trouble);
}

static int take_tail(const struct record *r, struct cap_tail *ret)
{
	char *saved = cap_session_saved_names(r->session);
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

static int write_dat(struct record *r, uint64_t *ret_bytes, struct fcap_err *err)
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

static void tell_success(const struct record *r, uint64_t bytes)
{
	const struct cap_buffers *b = r->buffers;
	char size[64];

	cap_packing_print_size(&r->opts->packing, bytes, b->bytes + cap_marks_bytes(r->marks), size,
			       sizeof(size));
	if (b->lost == 0)
		say(r, "wrote %s: %" PRIu64 " events, %s, lost none", r->opts->output, b->events,
		    size);
	else
		say(r,
		    "wrote %s: %" PRIu64 " events, %s, lost %" PRIu64
		    " events (slow disk or busy CPUs: the buffers hold %" PRIu64 " KiB a CPU)",
		    r->opts->output, b->events, size, b->lost, r->buffer_bytes >> 10);
}

/* 0 if the file has all of the recording. */
static int finish(struct record *r, struct fcap_err *err)
{
	struct fcap_err trouble = { 0 };
	uint64_t bytes = 0;
	int code;

	stop(r, &trouble);
	code = write_dat(r, &bytes, err);
	if (code < 0) {
		cap_parts_keep(r->parts, true);
		return cap_recover_advise(trouble.code ? &trouble : err, r->parts, err);
	}
	if (r->work.malformed)
		say(r, "%" PRIu64 " lines on the descriptor in FCAP_FD were not understood",
		    r->work.malformed);
	cap_guests_sum_up(r->guests, r->opts->say);
	cap_cpus_sum_up(&r->cpus, r->opts->say);
	if (trouble.code)
		return fcap_fail(err, trouble.code, "%.300s; %.150s holds what was recorded before",
				 trouble.text, r->opts->output);
	tell_success(r, bytes);
	return 0;
}

/* Opens the gate. 0, or the exit status of a command that cannot be run. */
static int release(struct record *r, struct fcap_err *err)
{
	const int code = cap_child_release(&r->child);

	if (code == 0)
		return 0;
	fcap_fail(err, -code, "%s: cannot run: %s", r->opts->argv[0], strerror(-code));
	return code == -ENOENT ? CAP_STATUS_NOT_FOUND : CAP_STATUS_CANNOT_RUN;
}

static void close_all(struct record *r)
{
	cap_guests_close(r->guests);
	cap_cpus_close(&r->cpus);
	cap_sampler_close(r->sampler);
	cap_buffers_close(r->buffers);
	cap_session_close(r->session);
	cap_marks_close(r->marks);
	cap_child_close(&r->child);
	cap_parts_close(r->parts);
	if (r->procfd >= 0)
		close(r->procfd);
	if (r->marks_fd >= 0)
		close(r->marks_fd);
	if (r->work_fd >= 0)
		close(r->work_fd);
	cap_signals_close(&r->signals);
	cap_head_clear(&r->head);
}

int cap_record(const struct cap_record_opts *opts, struct fcap_err *err)
{
	struct record r = {
		.opts = opts,
		.child = { -1, -1, -1, { 0 } },
		.cpus = { .dirfd = -1 },
		.procfd = -1,
		.marks_fd = -1,
		.work_fd = -1,
		.signals = { .fd = -1 },
	};
	int status = CAP_STATUS_FAILED;

	if (prepare(&r, err) == 0 && begin(&r, err) == 0) {
		status = release(&r, err);
		if (status == 0) {
			supervise(&r);
			status = finish(&r, err) < 0 ? CAP_STATUS_FAILED : r.status;
		}
	}
	close_all(&r);
	return status;
}
