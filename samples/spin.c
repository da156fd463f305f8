// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * The experiment of 2015, to run inside a guest: groups of processes that only count, each group
 * in a cgroup (v2) with a CPU weight of its own, and what each counted as lines fcap-work at even
 * intervals. Needs no library and no shell.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fcap/num.h"

#define GROUPS_MAX   8
#define WORKERS_MAX  64
#define ROUNDS	     100000 /* of one loop, as the benchmark of 2015 counted them */
#define NS_PER_S     1000000000U
#define STATUS_USAGE 2

/* One per process, each on a cache line of its own. */
struct counter {
	_Alignas(64) _Atomic uint64_t loops;
};

struct group {
	const char *name;
	uint64_t weight, told;
	struct counter *counters;
};

static const char *const cgroups = "/sys/fs/cgroup";

static int fail(const char *what)
{
	fprintf(stderr, "spin: %s: %s\n", what, strerror(errno));
	return -1;
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

/* Writes text and a newline into the file of a cgroup; the root's if name is "". */
static int write_cgroup(const char *name, const char *file, const char *text)
{
	char path[256];
	int fd, r;

	snprintf(path, sizeof(path), "%s/%s/%s", cgroups, name, file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return fail(path);
	r = write(fd, text, strlen(text)) < 0 ? fail(path) : 0;
	close(fd);
	return r;
}

static int make_cgroup(const struct group *g)
{
	char path[256], weight[24];

	snprintf(path, sizeof(path), "%s/%s", cgroups, g->name);
	if (mkdir(path, 0755) < 0 && errno != EEXIST)
		return fail(path);
	snprintf(weight, sizeof(weight), "%" PRIu64, g->weight);
	return write_cgroup(g->name, "cpu.weight", weight);
}

static _Noreturn void work(const struct group *g, struct counter *counter)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (write_cgroup(g->name, "cgroup.procs", "0") < 0)
		_exit(EXIT_FAILURE);
	for (;;) {
		for (unsigned int i = 0; i < ROUNDS; i++)
			__asm__ volatile("" : : "r"(i));
		atomic_fetch_add_explicit(&counter->loops, 1, memory_order_relaxed);
	}
}

static int start_group(struct group *g, unsigned int workers)
{
	if (make_cgroup(g) < 0)
		return -1;
	g->counters = mmap(NULL, workers * sizeof(*g->counters), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (g->counters == MAP_FAILED)
		return fail("memory");
	for (unsigned int i = 0; i < workers; i++) {
		const pid_t pid = fork();

		if (pid < 0)
			return fail("fork");
		if (pid == 0)
			work(g, &g->counters[i]);
	}
	return 0;
}

/* What each group counted in the time before t_ns; by one write, so that lines stay whole. */
static int report(struct group *groups, unsigned int n, unsigned int workers, uint64_t t_ns,
		  uint64_t dt_ns)
{
	char text[GROUPS_MAX * 160];
	size_t len = 0;

	for (struct group *g = groups; g < groups + n; g++) {
		uint64_t loops = 0;

		for (unsigned int i = 0; i < workers; i++)
			loops += atomic_load_explicit(&g->counters[i].loops, memory_order_relaxed);
		len += (size_t)snprintf(text + len, sizeof(text) - len,
					"fcap-work vm=%s n=%" PRIu64 " t=%.6f dt=%.6f unit=loops\n",
					g->name, loops - g->told, (double)t_ns / NS_PER_S,
					(double)dt_ns / NS_PER_S);
		g->told = loops;
	}
	return write(STDOUT_FILENO, text, len) == (ssize_t)len ? 0 : fail("stdout");
}

/* Until a line cannot be written. */
static void count(struct group *groups, unsigned int n, unsigned int workers, uint64_t interval_ns)
{
	const struct timespec pause = { (time_t)(interval_ns / NS_PER_S),
					(long)(interval_ns % NS_PER_S) };
	uint64_t last_ns = now_ns(), t_ns = last_ns;

	do {
		last_ns = t_ns;
		nanosleep(&pause, NULL);
		t_ns = now_ns();
	} while (report(groups, n, workers, t_ns, t_ns - last_ns) == 0);
}

/* NAME:WEIGHT */
static int parse_group(char *text, struct group *ret)
{
	char *colon = strrchr(text, ':');

	if (!colon || colon == text || colon - text > 64 || strchr(text, '/') || text[0] == '.')
		return -EINVAL;
	*colon = '\0';
	ret->name = text;
	return fcap_parse_u64(colon + 1, 1, 10000, &ret->weight);
}

int main(int argc, char **argv)
{
	struct group groups[GROUPS_MAX] = { 0 };
	const unsigned int n = argc > 3 ? (unsigned int)argc - 3 : 0;
	uint64_t workers, interval_ns;
	bool is_good = n > 0 && n <= GROUPS_MAX &&
		       fcap_parse_u64(argv[1], 1, WORKERS_MAX, &workers) == 0 &&
		       fcap_parse_ns(argv[2], &interval_ns) == 0 && interval_ns > 0;
	int r = 0;

	for (unsigned int i = 0; is_good && i < n; i++)
		is_good = parse_group(argv[i + 3], &groups[i]) == 0;
	if (!is_good) {
		fprintf(stderr, "usage: spin PROCESSES INTERVAL GROUP:WEIGHT...\n"
				"so many processes in each group count until they are killed; the "
				"weights are cpu.weight\n");
		return STATUS_USAGE;
	}
	if (write_cgroup("", "cgroup.subtree_control", "+cpu") < 0)
		return EXIT_FAILURE;
	for (unsigned int i = 0; r == 0 && i < n; i++)
		r = start_group(&groups[i], (unsigned int)workers);
	if (r == 0)
		count(groups, n, (unsigned int)workers, interval_ns);
	return EXIT_FAILURE;
}
