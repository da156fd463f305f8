// SPDX-License-Identifier: GPL-3.0-or-later
/* The steps of a recording in their order, and the way back when one fails. */
#include "capture/record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "capture/assemble.h"
#include "capture/buffers.h"
#include "capture/child.h"
#include "capture/events_none.h"
#include "capture/guestpipe.h"
#include "capture/io.h"
#include "capture/marks.h"
#include "capture/mono.h"
#include "capture/parts.h"
#include "capture/plan.h"
#include "capture/run_lines.h"
#include "capture/sampler.h"
#include "capture/session.h"
#include "capture/topology.h"
#include "capture/workpipe.h"

struct record {
	const struct cap_record_opts *opts;
	struct cap_parts *parts;
	struct cap_plan plan;
	struct cap_session *session;
	struct cap_buffers *buffers;
	struct cap_marks_layout layout;
	struct cap_marks *marks;
	struct cap_sampler *sampler;
	struct cap_child child;
	struct cap_workpipe work;
	struct cap_guests *guests; /* NULL: none to read */
	uint64_t buffer_bytes;
	sigset_t old_mask;
	struct rlimit old_nofile;
	int procfd, marks_fd, work_fd, signal_fd;
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

static int take_signals(struct record *r, struct fcap_err *err)
{
	struct rlimit limit;
	sigset_t ours;

	sigemptyset(&ours);
	sigaddset(&ours, SIGINT);
	sigaddset(&ours, SIGTERM);
	sigaddset(&ours, SIGHUP);
	sigaddset(&ours, SIGQUIT);
	sigaddset(&ours, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ours, &r->old_mask);
	signal(SIGCHLD, SIG_DFL); /* were it ignored, no status would reach us */
	signal(SIGPIPE, SIG_IGN); /* a reader of our messages that leaves must not end us */
	r->signal_fd = signalfd(-1, &ours, SFD_CLOEXEC | SFD_NONBLOCK);
	if (r->signal_fd < 0)
		return fcap_fail(err, errno, "cannot watch signals: %s", strerror(errno));
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
	struct cap_child_env env = { &r->old_mask, &r->old_nofile, -1, r->opts->label,
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

static bool has_events(const struct record *r)
{
	return r->opts->events != CAP_EVENTS_NONE;
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

static int read_layout(struct record *r, struct fcap_err *err)
{
	char *page = cap_session_read(r->session, "events/header_page", NULL);
	char *print = cap_session_format(r->session, "ftrace", "print", NULL);
	int code;

	if (!page || !print)
		code = fcap_fail(err, EIO, "cannot read the event formats from tracefs");
	else
		code = cap_marks_layout_parse(page, print, &r->layout, err);
	free(page);
	free(print);
	return code;
}

static int open_marks(struct record *r, struct fcap_err *err)
{
	const int code = has_events(r) ? read_layout(r, err) : cap_none_layout(&r->layout, err);

	if (code < 0)
		return code;
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
	int code = cap_parts_open(&r->parts, r->opts->output, err);

	if (code == 0)
		code = take_signals(r, err);
	if (code == 0)
		code = spawn(r, err);
	if (code < 0)
		return code;
	r->procfd = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->procfd < 0)
		return fcap_fail(err, errno, "/proc: %s; mount it", strerror(errno));
	code = has_events(r) ? open_session(r, err) : cap_none_check(r->procfd, r->opts->say, err);
	if (code == 0)
		code = open_marks(r, err);
	if (code == 0)
		code = open_sampler(r, err);
	if (code == 0)
		code = open_guests(r, err);
	return code;
}

static int mark_topology(const struct record *r)
{
	const int fd = open("/sys/devices/system/cpu", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int code;

	if (fd < 0)
		return 0; /* no sysfs: the reader is told nothing of siblings */
	code = cap_topology_emit(fd, sink_of(r));
	close(fd);
	return code;
}

static int start_events(struct record *r, struct fcap_err *err)
{
	const int code = cap_buffers_start(&r->buffers, r->session, r->parts, r->buffer_bytes, err);

	return code < 0 ? code : cap_session_on(r->session, err);
}

/* Switches everything on: from here on the trace is complete. */
static int begin(struct record *r, struct fcap_err *err)
{
	const struct cap_host host = cap_sampler_host(r->sampler);
	int code = cap_run_lines_begin(r->opts, &host, sink_of(r));

	if (code == 0)
		code = mark_topology(r);
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	code = has_events(r) ? start_events(r, err) : 0;
	if (code < 0)
		return code;
	code = cap_sampler_sample(r->sampler, cap_mono_ns(), true);
	if (code < 0)
		return fcap_fail(err, -code, "sampling the threads failed: %s", strerror(-code));
	return cap_sampler_start(r->sampler, err);
}

/* Signals sent to us are meant for the command; those from the terminal have reached it. */
static void pass_signals(const struct record *r)
{
	struct signalfd_siginfo info;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info))
		if (info.ssi_signo != SIGCHLD && info.ssi_code != SI_KERNEL)
			kill(r->child.pid, (int)info.ssi_signo);
}

/*
 * Until the command ends. Trouble of our own does not cut it short: it comes out when the
 * recording is finished.
 */
static void supervise(struct record *r)
{
	struct pollfd fds[] = {
		{ .fd = r->signal_fd, .events = POLLIN },
		{ .fd = r->work_fd, .events = POLLIN },
	};

	while (!cap_child_has_ended(&r->child, &r->status)) {
		(void)cap_guests_read(r->guests);
		if (poll(fds, 2, r->guests ? CAP_GUESTS_PERIOD_MS : -1) < 0)
			continue;
		pass_signals(r);
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

/* Ends sampling and tracing, then what the command left; all counts are final after that. */
static int stop(struct record *r, struct fcap_err *err)
{
	int code = cap_sampler_stop(r->sampler, err);

	if (code == 0 && has_events(r))
		code = cap_session_off(r->session, err);
	clear_command(r);
	if (code == 0)
		code = cap_workpipe_read(&r->work, r->work_fd) < 0
			       ? fcap_fail(err, EIO, "cannot read the workload's reports")
			       : 0;
	if (code == 0)
		code = cap_guests_read(r->guests) < 0
			       ? fcap_fail(err, EIO, "cannot take the guests' reports")
			       : 0;
	if (code == 0 && has_events(r))
		code = cap_buffers_stop(r->buffers, r->session, sink_of(r), err);
	if (code < 0)
		return code;
	code = cap_run_lines_end(
		has_events(r) ? r->buffers->events : 0,
		(has_events(r) ? r->buffers->bytes : 0) + cap_marks_bytes(r->marks), sink_of(r));
	if (code == 0)
		code = cap_marks_flush(r->marks);
	if (code < 0)
		return fcap_fail(err, -code, "cannot write the markers: %s", strerror(-code));
	return 0;
}

static int assemble(const struct record *r, int fd, struct fcap_err *err)
{
	const struct cap_dat_cpu marks = { r->marks_fd, cap_marks_bytes(r->marks) };
	const struct cap_assembly a = {
		.session = r->session,
		.plan = &r->plan,
		.tasks = cap_sampler_tasks(r->sampler),
		.page_size = (uint32_t)r->layout.page_size,
		.ncpu = r->buffers->ncpu,
		.cpu = r->buffers->pages,
		.stats = r->buffers->stats,
		.marks = &marks,
	};

	return cap_assemble(fd, &a, err);
}

static int assemble_counters(const struct record *r, int fd, struct fcap_err *err)
{
	const struct cap_dat_cpu marks = { r->marks_fd, cap_marks_bytes(r->marks) };

	return cap_none_assemble(fd, cap_sampler_tasks(r->sampler), &marks, err);
}

static int write_dat(struct record *r, uint64_t *ret_bytes, struct fcap_err *err)
{
	const int fd = cap_parts_create(r->parts, "trace.dat", err);
	off_t size;
	int code;

	if (fd < 0)
		return fd;
	code = has_events(r) ? assemble(r, fd, err) : assemble_counters(r, fd, err);
	size = lseek(fd, 0, SEEK_END);
	if (close(fd) < 0 && code == 0)
		code = fcap_fail(err, errno, "cannot write the trace file: %s", strerror(errno));
	*ret_bytes = size > 0 ? (uint64_t)size : 0;
	return code < 0 ? code : cap_parts_publish(r->parts, "trace.dat", err);
}

static int finish(struct record *r, struct fcap_err *err)
{
	const struct cap_buffers *b = r->buffers;
	uint64_t bytes = 0;
	int code = stop(r, err);

	if (code == 0)
		code = write_dat(r, &bytes, err);
	if (code < 0)
		return code;
	if (r->work.malformed)
		say(r, "%" PRIu64 " lines on the descriptor in FCAP_FD were not understood",
		    r->work.malformed);
	cap_guests_sum_up(r->guests, r->opts->say);
	if (!b)
		say(r, "wrote %s: counters alone, %.1f MB", r->opts->output, (double)bytes / 1e6);
	else if (b->lost == 0)
		say(r, "wrote %s: %" PRIu64 " events, %.1f MB, lost none", r->opts->output,
		    b->events, (double)bytes / 1e6);
	else
		say(r,
		    "wrote %s: %" PRIu64 " events, %.1f MB, lost %" PRIu64
		    " events (slow disk or busy CPUs: the buffers hold %" PRIu64 " KiB a CPU)",
		    r->opts->output, b->events, (double)bytes / 1e6, b->lost,
		    r->buffer_bytes >> 10);
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
	if (r->signal_fd >= 0)
		close(r->signal_fd);
}

int cap_record(const struct cap_record_opts *opts, struct fcap_err *err)
{
	struct record r = {
		.opts = opts,
		.child = { -1, -1, -1, { 0 } },
		.procfd = -1,
		.marks_fd = -1,
		.work_fd = -1,
		.signal_fd = -1,
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
