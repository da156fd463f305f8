// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * A tiny VMM for trials and tests: one process is one KVM guest whose vCPUs do countable work,
 * which it reports to the descriptor in FCAP_FD and sums up on stdout. The guest itself is in
 * guest.c.
 */
#include <argp.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/kvm.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "fcap/core_sched.h"
#include "fcap/err.h"
#include "fcap/num.h"
#include "fcap/options.h"
#include "samples/guest.h"

#define NAME_LEN_MAX 64
#define NS_PER_MS    1000000U
#define NAME_CHARS   "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
#define STATUS_USAGE 2

#define NATIVE_ROUNDS_LOG2 20 /* some hundred to some thousand exits a second */

static const char *const mode_names[] = { "user", "long", "prot", "auto" };

/* What has a core scheduling cookie of its own. */
enum core_sched { CORE_OFF, CORE_VM, CORE_VCPU, CORE_SCHEDS };

static const char *const core_names[CORE_SCHEDS] = { "off", "vm", "vcpu" };

struct options {
	const char *name;
	unsigned int vcpus;
	enum guest_mode mode;
	enum core_sched core_sched;
	int rounds_log2; /* -1: calibrated */
	uint64_t run_ns, report_ns;
	int report_fd; /* -1: nobody listens */
};

/* Where work lines go, and what the last one said. */
struct reporter {
	int fd;
	const char *name;
	uint64_t last_us, rounds;
};

static uint64_t vm_rounds(const struct vm *vm)
{
	uint64_t exits = 0;

	for (unsigned int i = 0; i < vm->n_vcpus; i++)
		exits += atomic_load_explicit(&vm->vcpus[i].exits, memory_order_relaxed);
	return exits << vm->rounds_log2;
}

/* Writes what was done since the last line; a full pipe leaves it to the next line. */
static int report_work(struct reporter *rep, const struct vm *vm, struct fcap_err *err)
{
	const uint64_t now_us = clock_ns(CLOCK_MONOTONIC) / 1000, dt_us = now_us - rep->last_us;
	const uint64_t rounds = vm_rounds(vm);
	char line[256];
	ssize_t written;
	int len;

	if (rep->fd < 0)
		return 0;
	len = snprintf(line, sizeof(line),
		       "fcap-work vm=%s n=%" PRIu64 " t=%" PRIu64 ".%06" PRIu64 " dt=%" PRIu64
		       ".%06" PRIu64 " unit=rounds\n",
		       rep->name, rounds - rep->rounds, now_us / 1000000, now_us % 1000000,
		       dt_us / 1000000, dt_us % 1000000);
	do {
		written = write(rep->fd, line, (size_t)len);
	} while (written < 0 && errno == EINTR);
	if (written < 0 && errno == EAGAIN)
		return 0;
	if (written < 0)
		return fail_errno(err, "work line to the descriptor in FCAP_FD");
	if (written != len)
		return fcap_fail(err, EIO, "work line to the descriptor in FCAP_FD was cut short");
	rep->last_us = now_us;
	rep->rounds = rounds;
	return 0;
}

static int report_rest(struct reporter *rep, const struct vm *vm, struct fcap_err *err)
{
	const int r = report_work(rep, vm, err);

	if (r == 0 && rep->fd >= 0 && rep->rounds != vm_rounds(vm))
		return fcap_fail(err, EAGAIN,
				 "descriptor in FCAP_FD is full; the last work is lost");
	return r;
}

/* Sleeps until then, in CLOCK_MONOTONIC; true if a signal of the set came first. */
static bool is_signalled_before(const sigset_t *signals, uint64_t then_ns)
{
	uint64_t now_ns;

	while ((now_ns = clock_ns(CLOCK_MONOTONIC)) < then_ns) {
		const uint64_t left_ns = then_ns - now_ns;
		const struct timespec left = { (time_t)(left_ns / NS_PER_S),
					       (long)(left_ns % NS_PER_S) };

		if (sigtimedwait(signals, NULL, &left) > 0)
			return true;
	}
	return false;
}

/* Reports regularly until the time is up, a signal comes or a vCPU fails. */
static int watch(const struct options *opt, const struct vm *vm, struct reporter *rep,
		 struct fcap_err *err)
{
	const uint64_t end_ns = rep->last_us * 1000 + opt->run_ns;
	uint64_t next_ns = rep->last_us * 1000;
	sigset_t signals;
	int r = 0;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGUSR1);
	while (r == 0) {
		const uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);

		while (next_ns <= now_ns)
			next_ns += opt->report_ns;
		if (is_signalled_before(&signals, next_ns < end_ns ? next_ns : end_ns) ||
		    next_ns >= end_ns)
			break;
		r = report_work(rep, vm, err);
	}
	return r;
}

/* One line per vCPU and one in all; the first counter that is wrong is the error. */
static int summarise(const struct vm *vm, const char *name, uint64_t wall_ns, struct fcap_err *err)
{
	uint64_t exits = 0, cpu_ns = 0;
	int r = 0;

	for (unsigned int i = 0; i < vm->n_vcpus; i++) {
		struct vcpu *v = &vm->vcpus[i];
		const uint64_t n = atomic_load(&v->exits);
		struct fcap_err why;
		const int wrong = vcpu_verify(v, &why);

		printf("%s vcpu %u: %" PRIu64 " exits, %" PRIu64 " rounds, %.3f s of CPU, %s\n",
		       name, i, n, n << vm->rounds_log2, (double)v->cpu_ns / 1e9,
		       wrong ? "counter FAIL" : "counter ok");
		if (wrong && r == 0)
			r = fcap_fail(err, why.code, "%s", why.text);
		exits += n;
		cpu_ns += v->cpu_ns;
	}
	printf("%s total: %" PRIu64 " exits, %" PRIu64
	       " rounds, %.3f s of CPU in %.3f s, mode %s, 2^%u rounds an exit\n",
	       name, exits, exits << vm->rounds_log2, (double)cpu_ns / 1e9, (double)wall_ns / 1e9,
	       mode_names[vm->mode], vm->rounds_log2);
	if (fflush(stdout) != 0)
		return fail_errno(err, "stdout");
	return r;
}

static int run_vm(const struct options *opt, struct vm *vm, struct fcap_err *err)
{
	const uint64_t start_ns = clock_ns(CLOCK_MONOTONIC);
	struct reporter rep = { .fd = opt->report_fd, .name = opt->name };
	int r, stopped;

	rep.last_us = start_ns / 1000;
	r = vm_start(vm, vcpu_thread, err);
	if (r == 0)
		r = watch(opt, vm, &rep, err);
	stopped = vm_stop(vm, r == 0 ? err : NULL);
	if (r == 0)
		r = stopped;
	if (r == 0)
		r = report_rest(&rep, vm, err);
	stopped = summarise(vm, opt->name, clock_ns(CLOCK_MONOTONIC) - start_ns,
			    r == 0 ? err : NULL);
	return r == 0 ? stopped : r;
}

/* Sets mode and rounds of *vm, from the options or by trial. */
static int choose_mode(int kvm_fd, const struct options *opt, struct vm *vm, struct fcap_err *err)
{
	const bool is_auto = opt->mode == MODE_AUTO;
	int r = -EINVAL;

	for (int m = is_auto ? 0 : (int)opt->mode; r < 0 && m < MODES; m++) {
		vm->mode = (enum guest_mode)m;
		r = probe_mode(kvm_fd, vm->mode, &vm->rounds_log2, err);
		if (!is_auto)
			break;
	}
	/* VMs that leave their guests at different intervals could not be compared: where guests
	 * run natively all use one number */
	if (opt->rounds_log2 >= 0)
		vm->rounds_log2 = (unsigned int)opt->rounds_log2;
	else if (vm->mode == MODE_USER)
		vm->rounds_log2 = NATIVE_ROUNDS_LOG2;
	return r;
}

/* A descriptor, or negative errno. */
static int open_kvm(struct fcap_err *err)
{
	const int fd = open("/dev/kvm", O_RDWR | O_CLOEXEC);
	int r;

	if (fd < 0)
		return fail_errno(err, "cannot open /dev/kvm");
	if (ioctl(fd, KVM_GET_API_VERSION, 0) == KVM_API_VERSION &&
	    ioctl(fd, KVM_CHECK_EXTENSION, KVM_CAP_IMMEDIATE_EXIT) > 0)
		return fd;
	r = fcap_fail(err, ENOTSUP,
		      "/dev/kvm lacks KVM_CAP_IMMEDIATE_EXIT; use Linux 4.12 or later");
	close(fd);
	return r;
}

/* INT and TERM wait for sigtimedwait(); SIGUSR1 is let through in vCPU threads alone. */
static int set_up_signals(struct fcap_err *err)
{
	struct sigaction action = { .sa_handler = ignore_signal };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGUSR1);
	if (sigprocmask(SIG_BLOCK, &signals, NULL) < 0 || sigaction(SIGUSR1, &action, NULL) < 0)
		return fail_errno(err, "signals");
	action.sa_handler = SIG_IGN;
	if (sigaction(SIGPIPE, &action, NULL) < 0)
		return fail_errno(err, "signals");
	return 0;
}

/*
 * While there is only this thread, so that all others inherit the VM's cookie. vCPUs take theirs
 * as they begin; whether they can is known before.
 */
static int set_core_sched(enum core_sched core_sched, struct fcap_err *err)
{
	uint64_t unused;
	int r = 0;

	if (core_sched == CORE_VM)
		r = fcap_core_create(0, FCAP_CORE_PROCESS);
	else if (core_sched == CORE_VCPU)
		r = fcap_core_get(0, &unused);
	return r < 0 ? fcap_core_refuse(err, r, "--core-sched") : 0;
}

static int run(const struct options *opt, struct fcap_err *err)
{
	struct vm vm = {
		.fd = -1,
		.n_vcpus = opt->vcpus,
		.tags_vcpus = opt->core_sched == CORE_VCPU,
	};
	int kvm_fd, r;

	r = set_core_sched(opt->core_sched, err);
	if (r == 0)
		r = set_up_signals(err);
	if (r < 0)
		return r;
	kvm_fd = open_kvm(err);
	if (kvm_fd < 0)
		return kvm_fd;
	r = choose_mode(kvm_fd, opt, &vm, err);
	if (r == 0)
		r = vm_create(kvm_fd, &vm, err);
	if (r == 0)
		r = run_vm(opt, &vm, err);
	vm_destroy(&vm);
	close(kvm_fd);
	return r;
}

enum { OPT_CORE_SCHED = 256, OPT_MODE, OPT_NAME, OPT_REPORT, OPT_ROUNDS, OPT_SECONDS, OPT_VCPUS };

static const struct argp_option option_table[] = {
	{ "name", OPT_NAME, "NAME", 0, "name of the VM in all output (vm)", 0 },
	{ "vcpus", OPT_VCPUS, "N", 0, "number of vCPUs (1)", 0 },
	{ "seconds", OPT_SECONDS, "TIME", 0, "how long to run, with a unit: 5s, 500ms (5s)", 0 },
	{ "mode", OPT_MODE, "MODE", 0,
	  "user: 64-bit ring 3; long: 64-bit ring 0; prot: 32-bit ring 0; auto: the first of these "
	  "that works here (auto)",
	  0 },
	{ "rounds-log2", OPT_ROUNDS, "K", 0,
	  "leave the guest every 2^K rounds, 0 to 31 (default: 20 in user mode, which runs "
	  "natively; "
	  "in the others calibrated, so that a vCPU makes at most 2000 exits a second)",
	  0 },
	{ "core-sched", OPT_CORE_SCHED, "WHAT", 0,
	  "what gets a core scheduling cookie of its own: vm: all threads together one; vcpu: each "
	  "vCPU thread one; off: nothing (off)",
	  0 },
	{ "report-every", OPT_REPORT, "TIME", 0, "time between work lines, at least 1ms (1s)", 0 },
	{ NULL, 0, NULL, 0, NULL, 0 },
};

static void parse_name(char *arg, struct argp_state *state)
{
	struct options *opt = state->input;
	const size_t len = strlen(arg);

	if (len == 0 || len > NAME_LEN_MAX || arg[strspn(arg, NAME_CHARS)])
		argp_failure(state, STATUS_USAGE, 0,
			     "--name %s: use 1 to %d letters, digits, '.', '_' or '-'", arg,
			     NAME_LEN_MAX);
	opt->name = arg;
}

static void parse_mode(const char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	for (int m = 0; m <= MODE_AUTO; m++) {
		if (strcmp(arg, mode_names[m]) == 0) {
			opt->mode = (enum guest_mode)m;
			return;
		}
	}
	argp_failure(state, STATUS_USAGE, 0, "--mode %s: use auto, user, long or prot", arg);
}

static void parse_core_sched(const char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	for (int c = 0; c < CORE_SCHEDS; c++) {
		if (strcmp(arg, core_names[c]) == 0) {
			opt->core_sched = (enum core_sched)c;
			return;
		}
	}
	argp_failure(state, STATUS_USAGE, 0, "--core-sched %s: use off, vm or vcpu", arg);
}

static uint64_t parse_number(const char *option, const char *arg, uint64_t min, uint64_t max,
			     struct argp_state *state)
{
	uint64_t value = 0;

	if (fcap_parse_u64(arg, min, max, &value) < 0)
		argp_failure(state, STATUS_USAGE, 0,
			     "%s %s: use a whole number from %" PRIu64 " to %" PRIu64, option, arg,
			     min, max);
	return value;
}

static uint64_t parse_time(const char *option, const char *arg, struct argp_state *state)
{
	uint64_t ns = 0;

	if (fcap_parse_ns(arg, &ns) < 0 || ns < NS_PER_MS || ns > 24 * 3600 * NS_PER_S)
		argp_failure(state, STATUS_USAGE, 0,
			     "%s %s: use a time from 1ms to 24h with its unit, such as 5s", option,
			     arg);
	return ns;
}

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct options *opt = state->input;

	switch (key) {
	case OPT_NAME:
		parse_name(arg, state);
		return 0;
	case OPT_MODE:
		parse_mode(arg, state);
		return 0;
	case OPT_CORE_SCHED:
		parse_core_sched(arg, state);
		return 0;
	case OPT_VCPUS:
		opt->vcpus = (unsigned int)parse_number("--vcpus", arg, 1, VCPUS_MAX, state);
		return 0;
	case OPT_ROUNDS:
		opt->rounds_log2 = (int)parse_number("--rounds-log2", arg, 0, 31, state);
		return 0;
	case OPT_SECONDS:
		opt->run_ns = parse_time("--seconds", arg, state);
		return 0;
	case OPT_REPORT:
		opt->report_ns = parse_time("--report-every", arg, state);
		return 0;
	case ARGP_KEY_ARG:
		argp_failure(state, STATUS_USAGE, 0, "%s: only options are understood", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static int find_report_fd(int *ret, struct fcap_err *err)
{
	const char *text = getenv("FCAP_FD");
	uint64_t fd;

	*ret = -1;
	if (!text)
		return 0;
	if (fcap_parse_u64(text, 0, INT_MAX, &fd) < 0 || fcntl((int)fd, F_GETFD) < 0)
		return fcap_fail(err, EBADF, "FCAP_FD=%s is not an open descriptor; unset it",
				 text);
	*ret = (int)fd;
	return 0;
}

int main(int argc, char **argv)
{
	static const struct argp argp = {
		option_table,
		parse_option,
		NULL,
		"Runs a KVM guest that does nothing but count, and reports how far it came.\v"
		"If FCAP_FD names a descriptor, lines \"fcap-work vm=NAME n=ROUNDS t=SECONDS "
		"dt=SECONDS unit=rounds\" go there: ROUNDS done in the dt seconds before t "
		"(CLOCK_MONOTONIC). SIGINT and SIGTERM end the run early.",
		NULL,
		NULL,
		NULL
	};
	struct options opt = { "vm", 1, MODE_AUTO, CORE_OFF, -1, 5 * NS_PER_S, NS_PER_S, -1 };
	struct fcap_err err = { 0 };
	int status = EXIT_SUCCESS;

	argp_err_exit_status = STATUS_USAGE;
	fcap_options_parse(&argp, argc, argv, FCAP_WORDS_ANYWHERE, &opt);
	if (find_report_fd(&opt.report_fd, &err) < 0)
		status = STATUS_USAGE;
	else if (run(&opt, &err) < 0)
		status = EXIT_FAILURE;
	if (status)
		fprintf(stderr, "microvm: %s: %s\n", opt.name, err.text);
	return status;
}
