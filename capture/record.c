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

#include "capture/events_none.h"
#include "capture/io.h"
#include "capture/mono.h"
#include "capture/record_parts.h"
#include "capture/run_lines.h"

#define CPUS "/sys/devices/system/cpu"
/* how often to see whether CPUs have come or gone, and to write lines that wait for their page */
#define LOOK_MS 1000

void cap_record_say(const struct cap_recording *r, const char *fmt, ...)
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

struct cap_sink cap_record_sink(const struct cap_recording *r)
{
	return r->trigger ? cap_trigger_sink(r->trigger) : (struct cap_sink){ mark, r->marks };
}

static int take_process(struct cap_recording *r, struct fcap_err *err)
{
	struct rlimit limit;
	const int code = cap_signals_take(&r->signals, err);

	if (code < 0)
		return code;
	if (r->opts->argv && prctl(PR_SET_CHILD_SUBREAPER, 1) < 0)
		return fcap_fail(err, errno, "cannot adopt orphans: %s", strerror(errno));
	getrlimit(RLIMIT_NOFILE, &r->old_nofile);
	limit = (struct rlimit){ r->old_nofile.rlim_max, r->old_nofile.rlim_max };
	setrlimit(RLIMIT_NOFILE, &limit);
	return 0;
}

/* Before anything else is opened: what the child inherits is what it shall have. */
static int spawn(struct cap_recording *r, struct fcap_err *err)
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

static bool has_events(const struct cap_recording *r)
{
	return r->opts->events != CAP_EVENTS_NONE;
}

static bool waits_for_limits(const struct cap_recording *r)
{
	return r->opts->events == CAP_EVENTS_TRIGGER;
}

static int open_session(struct cap_recording *r, struct fcap_err *err)
{
	bool mounted;
	char *available;
	int code = cap_session_open(&r->session, &mounted, err);

	if (code < 0)
		return code;
	if (mounted)
		cap_record_say(r, "mounted tracefs at %s", tracefs_tracing_dir());
	available = cap_session_available();
	if (!available)
		return fcap_fail(err, EIO, "cannot read available_events from tracefs");
	code = cap_plan_resolve(&r->plan, available, has_virt(), r->opts->tuning.no_kvm_exits, err);
	free(available);
	if (code < 0)
		return code;
	for (size_t i = 0; i < r->plan.nabsent; i++)
		cap_record_say(r, "note: this kernel has no event %s:%s", r->plan.absent[i].system,
			       r->plan.absent[i].name);
	r->buffer_bytes = cap_tuning_buffer(&r->opts->tuning, r->procfd,
					    cap_session_ncpu(r->session));
	code = cap_session_setup(r->session, &r->plan, r->buffer_bytes, err);
	if (code == 0 && r->opts->tuning.scope_command)
		code = cap_session_follow(r->session, r->child.pid, err);
	return code;
}

/* With a trigger each file has parts of its own. */
static int keep_head(struct cap_recording *r, const char *text, size_t len, struct fcap_err *err)
{
	if (!waits_for_limits(r))
		return cap_parts_store(r->parts, CAP_HEAD_PART, text, len, err);
	r->head_text = malloc(len);
	if (!r->head_text)
		return fcap_fail(err, ENOMEM, "out of memory");
	memcpy(r->head_text, text, len);
	r->head_len = len;
	return 0;
}

static int store_head(struct cap_recording *r, struct fcap_err *err)
{
	const int level = r->opts->packing.level;
	size_t len;
	char *text;
	int code;

	if (has_events(r))
		code = cap_head_collect(&text, &len, r->session, &r->plan, level, err);
	else
		code = cap_none_head(&text, &len, level, err);
	if (code < 0)
		return code;
	code = keep_head(r, text, len, err);
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

static int open_trigger(struct cap_recording *r, struct fcap_err *err)
{
	const struct cap_trigger_conf conf = {
		.opts = r->opts->trigger,
		.output = r->opts->output,
		.buffer_bytes = r->buffer_bytes,
		.save = { .session = r->session,
			  .head = &r->head,
			  .head_text = r->head_text,
			  .head_len = r->head_len,
			  .layout = &r->layout,
			  .packing = r->opts->packing,
			  .no_clobber = r->opts->no_clobber },
	};

	return cap_trigger_open(&r->trigger, &conf, err);
}

static int open_marks(struct cap_recording *r, struct fcap_err *err)
{
	if (waits_for_limits(r))
		return open_trigger(r, err);
	r->marks_fd = cap_parts_create(r->parts, "marks", err);
	if (r->marks_fd < 0)
		return r->marks_fd;
	if (cap_marks_open(&r->marks, &r->layout, r->marks_fd, getpid()) < 0)
		return fcap_fail(err, ENOMEM, "out of memory");
	return 0;
}

static int open_sampler(struct cap_recording *r, struct fcap_err *err)
{
	const bool in_scope = r->opts->tuning.scope_command;
	const struct cap_sampler_conf conf = {
		.procfd = r->procfd,
		.sysfd = r->sysfd,
		.root = getpid(),
		.files = &cap_files_kernel,
		.attached = r->attach.process,
		.nattached = r->attach.npid,
		.cookies = &cap_cookies_kernel,
		.priorities = &cap_prio_kernel,
		.period_ns = r->opts->sample_ns,
		.to = cap_record_sink(r),
		.usage = &r->usage,
		.command_only = in_scope,
		.found = in_scope ? cap_scope_found : NULL,
		.found_ctx = &r->scope,
		.watch = r->trigger ? cap_trigger_watch(r->trigger) : NULL,
	};
	int code;

	r->scope = (struct cap_scope){ r->session, cap_record_sink(r) };
	cap_workpipe_init(&r->work, cap_record_sink(r));
	code = cap_sampler_open(&r->sampler, &conf);
	if (code < 0)
		return fcap_fail(err, -code, "cannot read the cgroups: %s", strerror(-code));
	return 0;
}

static int open_guests(struct cap_recording *r, struct fcap_err *err)
{
	if (r->opts->nguest == 0)
		return 0;
	return cap_guests_open(&r->guests, r->opts->guest, r->opts->nguest, cap_record_sink(r),
			       err);
}

static int prepare(struct cap_recording *r, struct fcap_err *err)
{
	/* first of all: a signal shall find nobody who leaves things behind */
	int code = take_process(r, err);

	if (code == 0 && !waits_for_limits(r))
		code = cap_parts_open(&r->parts, r->opts->output, r->opts->no_clobber, err);
	if (code == 0 && r->opts->argv)
		code = spawn(r, err);
	if (code < 0)
		return code;
	if (r->opts->tuning.cpus) /* the command is forked already and keeps its own */
		code = cap_tuning_place(r->opts->tuning.cpus, err);
	if (code < 0)
		return code;
	r->procfd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->procfd < 0)
		return fcap_fail(err, errno, "/proc: %s; mount it", strerror(errno));
	/* without it the reader is told less of the host */
	r->sysfd = open("/sys", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	code = cap_attach_open(&r->attach, r->procfd, &r->opts->attach, err);
	if (code == 0)
		code = has_events(r) ? open_session(r, err)
				     : cap_none_check(r->procfd, r->opts->say, err);
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

static int sample_all(const struct cap_recording *r, struct fcap_err *err)
{
	const int code = cap_sampler_sample(r->sampler, cap_mono_ns(), true);

	return code < 0 ? fcap_fail(err, -code, "sampling the threads failed: %s", strerror(-code))
			: 0;
}

static int start_buffers(struct cap_recording *r, struct fcap_err *err)
{
	const struct cap_drain_conf drain = {
		.page_size = r->layout.page_size,
		.buffer_bytes = r->buffer_bytes,
		.realtime = r->opts->tuning.realtime,
		.usage = &r->usage,
	};
	int code;

	r->begun_ns = cap_mono_ns();
	if (!has_events(r) || r->trigger) {
		code = cap_buffers_none(&r->buffers, r->head.ncpu);
		if (code < 0)
			return fcap_fail(err, -code, "out of memory");
		return r->trigger ? cap_trigger_start(r->trigger, err) : 0;
	}
	code = cap_buffers_start(&r->buffers, r->session, r->parts, drain, err);
	r->begun_ns = cap_mono_ns();
	return code < 0 ? code : cap_session_on(r->session, err);
}

/*
 * Switches everything on: from here on the trace is complete. Threads are told of before the first
 * event, so that their places, weights and cookies are known from there on; and the counters again
 * after it, since the trace has all that they count only from there on.
 */
static int begin(struct cap_recording *r, struct fcap_err *err)
{
	const struct cap_host host = cap_sampler_host(r->sampler);
	int code = cap_run_lines_begin(r->opts, &host, r->child.pid, cap_record_sink(r));

	if (code == 0)
		code = cap_cpus_open(&r->cpus, open(CPUS, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
				     cap_record_sink(r));
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	code = sample_all(r, err);
	if (code == 0)
		code = cap_attach_find_vms(&r->attach, cap_sampler_vms(r->sampler),
					   &r->opts->attach, err);
	if (code == 0)
		code = start_buffers(r, err);
	if (code == 0 && has_events(r))
		code = sample_all(r, err);
	if (code < 0)
		return code;
	code = r->marks ? cap_marks_sync(r->marks) : 0;
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	return cap_sampler_start(r->sampler, err);
}

static bool is_over(struct cap_recording *r)
{
	if (r->opts->argv)
		return cap_child_has_ended(&r->child, &r->status);
	return cap_signals_end(&r->signals) ||
	       cap_attach_is_over(&r->attach, r->procfd, &r->opts->attach, r->begun_ns,
				  cap_mono_ns());
}

static void show_progress(struct cap_recording *r)
{
	const uint64_t at_ns = cap_mono_ns() - r->begun_ns;
	struct cap_buffers_now now;

	if (!cap_progress_is_due(&r->progress, at_ns))
		return;
	now = cap_buffers_look(r->buffers, r->session);
	cap_progress_tell(&r->progress,
			  &(struct cap_progress_now){
				  .at_ns = at_ns,
				  .events = now.events,
				  .bytes = now.bytes,
				  .lost = now.lost,
				  .fill_bytes = now.fill_bytes,
				  .buffer_bytes = r->buffer_bytes,
				  .vms = cap_sampler_vms_seen(r->sampler),
				  .waits_for_limits = r->trigger != NULL,
				  .files = r->trigger ? cap_trigger_saves(r->trigger) : 0,
			  });
}

/* What limits were crossed, and which files that made. */
static void tell_saves(struct cap_recording *r)
{
	if (!r->trigger || !cap_trigger_has_news(r->trigger))
		return;
	cap_progress_hide(&r->progress);
	cap_trigger_news(r->trigger, r->opts->say);
}

static int wait_ms(const struct cap_recording *r)
{
	const uint64_t now_ns = cap_mono_ns();
	const int ms = cap_attach_wait_ms(&r->attach, &r->opts->attach, r->begun_ns, now_ns,
					  r->guests ? CAP_GUESTS_PERIOD_MS : LOOK_MS);

	return cap_progress_wait_ms(&r->progress, now_ns - r->begun_ns, ms);
}

/*
 * Until the command ends, or what stands for it. Trouble of our own does not cut it short: it comes
 * out when the recording is finished.
 */
static void supervise(struct cap_recording *r)
{
	struct pollfd fds[] = {
		{ .fd = r->signals.fd, .events = POLLIN },
		{ .fd = r->work_fd, .events = POLLIN },
	};

	while (!is_over(r)) {
		(void)cap_guests_read(r->guests);
		(void)cap_cpus_look(&r->cpus, cap_mono_ns(), cap_record_sink(r));
		if (r->marks)
			(void)cap_marks_sync(r->marks);
		tell_saves(r);
		show_progress(r);
		if (poll(fds, 2, wait_ms(r)) < 0)
			continue;
		if (r->opts->argv)
			cap_signals_pass(&r->signals, r->child.pid);
		if (fds[1].revents && cap_workpipe_read(&r->work, r->work_fd) != 0)
			fds[1].fd = -1; /* nobody writes any more, or it cannot be read */
	}
	cap_progress_end(&r->progress);
	(void)cap_guests_read(r->guests);
}

/* Opens the gate. 0, or the exit status of a command that cannot be run. */
static int release(struct cap_recording *r, struct fcap_err *err)
{
	const int code = r->opts->argv ? cap_child_release(&r->child) : 0;

	if (code == 0)
		return 0;
	fcap_fail(err, -code, "%s: cannot run: %s", r->opts->argv[0], strerror(-code));
	return code == -ENOENT ? CAP_STATUS_NOT_FOUND : CAP_STATUS_CANNOT_RUN;
}

static void close_all(struct cap_recording *r)
{
	struct fcap_err left = { 0 };

	cap_guests_close(r->guests);
	cap_cpus_close(&r->cpus);
	cap_sampler_close(r->sampler);
	cap_trigger_close(r->trigger);
	cap_attach_close(&r->attach);
	cap_buffers_close(r->buffers);
	if (cap_session_close(r->session, &left) < 0)
		cap_record_say(r, "%s", left.text);
	cap_marks_close(r->marks);
	cap_child_close(&r->child);
	cap_parts_close(r->parts);
	if (r->procfd >= 0)
		close(r->procfd);
	if (r->sysfd >= 0)
		close(r->sysfd);
	if (r->marks_fd >= 0)
		close(r->marks_fd);
	if (r->work_fd >= 0)
		close(r->work_fd);
	cap_signals_close(&r->signals);
	cap_head_clear(&r->head);
	free(r->head_text);
}

int cap_record(const struct cap_record_opts *opts, struct fcap_err *err)
{
	struct cap_recording r = {
		.opts = opts,
		.child = { -1, -1, -1, { 0 } },
		.progress = { .show = opts->progress, .due_ns = CAP_PROGRESS_NS },
		.cpus = { .dirfd = -1 },
		.procfd = -1,
		.sysfd = -1,
		.marks_fd = -1,
		.work_fd = -1,
		.signals = { .fd = -1 },
	};
	int status = CAP_STATUS_FAILED;

	if (prepare(&r, err) == 0 && begin(&r, err) == 0) {
		status = release(&r, err);
		if (status == 0) {
			supervise(&r);
			status = cap_record_finish(&r, err) < 0 ? CAP_STATUS_FAILED : r.status;
		}
	}
	close_all(&r);
	return status;
}
