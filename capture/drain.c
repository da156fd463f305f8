// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The draining threads. Each sleeps until its fastest CPU should have filled an eighth of its
 * buffer, or until the kernel says that one is at its watermark (buffer_percent): so an idle host
 * is left alone, and a sudden flood is met in time.
 *
 * They run at the nice value of who called us. A higher weight would not make them faster, for they
 * mostly sleep, but it would change what is measured: the load balancer takes a thread of nice -20
 * for 86 threads and clears its CPU of others. What they have to wait for a CPU the buffers bear;
 * who cannot give that memory asks for SCHED_FIFO.
 */
#include "capture/drain.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/mono.h"
#include "capture/mover.h"
#include "capture/pace.h"

/* One thread stores about 1 GB/s; a CPU with nothing but switches fills some 50 MB/s. */
#define CPUS_A_THREAD 32
#define THREADS_MAX   16

#define PERIOD_MAX_NS	 500000000ULL /* bounds what a crash can take from us */
#define PERIOD_MAX_BLIND 50000000ULL  /* where the kernel wakes nobody */
#define USELESS_MAX	 16	      /* wake-ups for next to nothing in a row */

struct worker {
	struct cap_drain *drain;
	size_t first, end; /* its CPUs */
	struct cap_mover mover;
	int epoll;
	atomic_bool watches; /* the kernel wakes it */
	unsigned int useless;
	uint64_t round_ns, period_ns; /* when the last round was, and how long to sleep after it */
	pthread_t thread;
	bool runs;
	int error;
};

struct cap_drain {
	struct cap_drain_conf conf;
	struct cap_drain_stat *stat;
	uint64_t *drained_ns; /* by CPU: when it was looked at last */
	struct worker *worker;
	size_t nworker;
	int stop; /* eventfd */
};

size_t cap_drain_threads(size_t ncpu)
{
	const size_t n = (ncpu + CPUS_A_THREAD - 1) / CPUS_A_THREAD;

	return n < THREADS_MAX ? n : THREADS_MAX;
}

/* One CPU was looked at, at this time, and had so many bytes. */
static void account(struct cap_drain *d, size_t i, uint64_t now_ns, uint64_t moved)
{
	const uint64_t gap_ns = now_ns - d->drained_ns[i];
	struct cap_drain_stat *st = &d->stat[i];

	d->drained_ns[i] = now_ns;
	st->bytes += moved;
	/* all but the page that is being written, or more, if it was being written to */
	if (moved + d->conf.page_size < d->conf.buffer_bytes)
		return;
	st->full_ns += gap_ns;
	st->longest_ns = gap_ns > st->longest_ns ? gap_ns : st->longest_ns;
}

/* Moves what one CPU has. Bytes moved, or negative errno. */
static int64_t drain_cpu(struct worker *w, size_t i)
{
	struct cap_drain *d = w->drain;
	const uint64_t now_ns = cap_mono_ns();
	/* not more than it can hold, or one that fills as fast would keep us from the others */
	const int64_t moved = cap_mover_move(&w->mover, d->conf.cpu[i].src, d->conf.cpu[i].dst,
					     d->conf.buffer_bytes);

	if (moved >= 0)
		account(d, i, now_ns, (uint64_t)moved);
	return moved;
}

/* One round over its CPUs: the most that one of them had, or negative errno. */
static int64_t drain_round(struct worker *w)
{
	int64_t most = 0;

	for (size_t i = w->first; i < w->end; i++) {
		const int64_t moved = w->drain->conf.cpu[i].src < 0 ? 0 : drain_cpu(w, i);

		if (moved < 0)
			return moved;
		if (moved > most)
			most = moved;
	}
	return most;
}

static void watch(struct worker *w, int op)
{
	bool done = false;

	for (size_t i = w->first; i < w->end; i++) {
		struct epoll_event ev = { .events = EPOLLIN };

		if (w->drain->conf.cpu[i].src >= 0 &&
		    epoll_ctl(w->epoll, op, w->drain->conf.cpu[i].src, &ev) == 0)
			done = true;
	}
	w->watches = done && op == EPOLL_CTL_ADD;
}

/*
 * Before Linux 6.1 a buffer with a single event counts as readable, whatever the watermark: who
 * is woken for nothing again and again looks at the clock only.
 */
static void judge_wakeup(struct worker *w, bool woken, uint64_t most)
{
	w->useless = woken && most < w->drain->conf.buffer_bytes / 16 ? w->useless + 1 : 0;
	if (w->useless == USELESS_MAX)
		watch(w, EPOLL_CTL_DEL);
}

/* 1: sources are ready; 0: it is time; -1: stop. */
static int sleep_until_needed(const struct worker *w)
{
	struct epoll_event ready[8];
	const int n = epoll_wait(w->epoll, ready, 8, (int)(w->period_ns / 1000000));

	for (int i = 0; i < n; i++)
		if (ready[i].data.ptr)
			return -1;
	return n > 0;
}

static void *drain(void *arg)
{
	struct worker *w = arg;
	const uint64_t buffer_bytes = w->drain->conf.buffer_bytes;
	int woken;

	pthread_setname_np(pthread_self(), "fcap-drain");
	while ((woken = sleep_until_needed(w)) >= 0) {
		const uint64_t now_ns = cap_mono_ns();
		const int64_t most = drain_round(w);

		cap_usage_note(w->drain->conf.usage);
		if (most < 0) {
			w->error = (int)most;
			break;
		}
		if (w->watches)
			judge_wakeup(w, woken, (uint64_t)most);
		w->period_ns = cap_pace_next((uint64_t)most, now_ns - w->round_ns, w->period_ns,
					     buffer_bytes,
					     w->watches ? PERIOD_MAX_NS : PERIOD_MAX_BLIND);
		w->round_ns = now_ns;
	}
	return NULL;
}

static int open_worker(struct worker *w, struct cap_drain *d, size_t first, size_t end)
{
	struct epoll_event stop = { .events = EPOLLIN, .data.ptr = w };
	int r;

	w->drain = d;
	w->first = first;
	w->end = end;
	w->round_ns = cap_mono_ns();
	w->period_ns = PERIOD_MAX_BLIND;
	r = cap_mover_open(&w->mover, d->conf.page_size);
	if (r < 0)
		return r;
	w->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (w->epoll < 0 || epoll_ctl(w->epoll, EPOLL_CTL_ADD, d->stop, &stop) < 0)
		return -errno;
	watch(w, EPOLL_CTL_ADD);
	return 0;
}

static int start_thread(struct worker *w, unsigned int realtime)
{
	const struct sched_param param = { .sched_priority = (int)realtime };
	pthread_attr_t attr;
	int r = pthread_attr_init(&attr);

	if (r)
		return -r;
	if (realtime) {
		pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED);
		pthread_attr_setschedpolicy(&attr, SCHED_FIFO);
		pthread_attr_setschedparam(&attr, &param);
	}
	r = pthread_create(&w->thread, &attr, drain, w);
	pthread_attr_destroy(&attr);
	w->runs = r == 0;
	return -r;
}

static int alloc_drain(struct cap_drain **ret, const struct cap_drain_conf *conf)
{
	struct cap_drain *d = calloc(1, sizeof(*d));
	const size_t n = cap_drain_threads(conf->ncpu);

	if (!d)
		return -ENOMEM;
	d->conf = *conf;
	d->stop = eventfd(0, EFD_CLOEXEC);
	d->stat = calloc(conf->ncpu, sizeof(*d->stat));
	d->drained_ns = calloc(conf->ncpu, sizeof(*d->drained_ns));
	d->worker = calloc(n, sizeof(*d->worker));
	*ret = d;
	if (d->stop < 0 || !d->stat || !d->drained_ns || !d->worker)
		return d->stop < 0 ? -errno : -ENOMEM;
	d->nworker = n;
	for (size_t i = 0; i < conf->ncpu; i++)
		d->drained_ns[i] = cap_mono_ns();
	for (size_t i = 0; i < n; i++)
		d->worker[i].epoll = d->worker[i].mover.in = d->worker[i].mover.out = -1;
	return 0;
}

static int fail_start(int code, unsigned int realtime, struct fcap_err *err)
{
	if (realtime && code == EPERM)
		return fcap_fail(err, code,
				 "--realtime=%u: not permitted: it needs CAP_SYS_NICE or a limit "
				 "of that height (ulimit -r), and, in a cgroup with "
				 "cpu.rt_runtime_us, time of its own there",
				 realtime);
	if (code == EMFILE)
		return fcap_fail(err, code,
				 "cannot start the draining threads: too many open files; raise "
				 "the hard limit (ulimit -Hn)");
	return fcap_fail(err, code, "cannot start the draining threads: %s", strerror(code));
}

int cap_drain_start(struct cap_drain **ret, const struct cap_drain_conf *conf, struct fcap_err *err)
{
	struct cap_drain *d = NULL;
	int r = alloc_drain(&d, conf);

	for (size_t i = 0; r == 0 && i < d->nworker; i++) {
		r = open_worker(&d->worker[i], d, conf->ncpu * i / d->nworker,
				conf->ncpu * (i + 1) / d->nworker);
		if (r == 0)
			r = start_thread(&d->worker[i], conf->realtime);
	}
	if (r < 0) {
		cap_drain_free(d);
		return fail_start(-r, conf->realtime, err);
	}
	*ret = d;
	return 0;
}

static void join(struct cap_drain *d)
{
	const uint64_t one = 1;

	if (d->stop >= 0)
		(void)cap_io_write(d->stop, &one, sizeof(one)); /* cannot fail: it counts far */
	for (size_t i = 0; i < d->nworker; i++) {
		if (d->worker[i].runs)
			pthread_join(d->worker[i].thread, NULL);
		d->worker[i].runs = false;
	}
}

/* The rest of one CPU; a reader wants whole pages. */
static int flush_cpu(struct worker *w, size_t i)
{
	const struct cap_drain_cpu *cpu = &w->drain->conf.cpu[i];
	const uint64_t page = w->drain->conf.page_size;
	struct cap_drain_stat *st = &w->drain->stat[i];
	const uint64_t now_ns = cap_mono_ns();
	const int64_t n = cap_mover_flush(&w->mover, cpu->src, cpu->dst);

	if (n < 0)
		return (int)n;
	account(w->drain, i, now_ns, (uint64_t)n);
	if (st->bytes % page) {
		st->bytes += page - st->bytes % page;
		if (ftruncate(cpu->dst, (off_t)st->bytes) < 0)
			return -errno;
	}
	return 0;
}

int cap_drain_stop(struct cap_drain *d, struct fcap_err *err)
{
	int r = 0;

	join(d);
	for (size_t k = 0; k < d->nworker && r == 0; k++) {
		struct worker *w = &d->worker[k];

		r = w->error;
		for (size_t i = w->first; i < w->end && r == 0; i++)
			if (d->conf.cpu[i].src >= 0)
				r = flush_cpu(w, i);
	}
	if (r < 0)
		return fcap_fail(err, -r, "cannot store the trace: %s", strerror(-r));
	return 0;
}

const struct cap_drain_stat *cap_drain_stat(const struct cap_drain *d, size_t i)
{
	return &d->stat[i];
}

bool cap_drain_is_woken(const struct cap_drain *d)
{
	bool woken = true;

	for (size_t i = 0; i < d->nworker; i++)
		woken = woken && d->worker[i].watches;
	return woken;
}

void cap_drain_free(struct cap_drain *d)
{
	if (!d)
		return;
	join(d);
	for (size_t i = 0; i < d->nworker; i++) {
		cap_mover_close(&d->worker[i].mover);
		if (d->worker[i].epoll >= 0)
			close(d->worker[i].epoll);
	}
	if (d->stop >= 0)
		close(d->stop);
	free(d->worker);
	free(d->drained_ns);
	free(d->stat);
	free(d);
}
