// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * measure ROUNDS COMMAND...: runs the shell commands in turns, their output thrown away, and
 * prints a line for each: median wall time in s, median CPU time in s, largest memory in KiB.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fcap/num.h"

#define ROUNDS_MAX 1000

struct result {
	double *wall, *cpu; /* s, a round each */
	long rss_kib;
};

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_child(const char *command)
{
	const int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* One run, as round i of *to; -1 if the command fails. */
static int run(const char *command, struct result *to, size_t i)
{
	const double begin = now();
	const pid_t pid = fork();
	struct rusage used;
	int status;

	if (pid == 0)
		run_child(command);
	if (pid < 0 || wait4(pid, &status, 0, &used) != pid || status != 0) {
		fprintf(stderr, "measure: it failed: %s\n", command);
		return -1;
	}
	to->wall[i] = now() - begin;
	to->cpu[i] = seconds(used.ru_utime) + seconds(used.ru_stime);
	if (used.ru_maxrss > to->rss_kib)
		to->rss_kib = used.ru_maxrss;
	return 0;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *x, size_t n)
{
	qsort(x, n, sizeof(*x), by_size);
	return (x[(n - 1) / 2] + x[n / 2]) / 2;
}

static int run_all(char **commands, size_t n, size_t rounds, struct result *results)
{
	for (size_t i = 0; i < rounds; i++)
		for (size_t k = 0; k < n; k++)
			if (run(commands[k], &results[k], i) < 0)
				return -1;
	for (size_t k = 0; k < n; k++)
		printf("%.6f %.6f %ld\n", median(results[k].wall, rounds),
		       median(results[k].cpu, rounds), results[k].rss_kib);
	return 0;
}

int main(int argc, char **argv)
{
	const size_t n = argc > 2 ? (size_t)argc - 2 : 0;
	struct result *results = calloc(n + 1, sizeof(*results));
	uint64_t rounds;
	int r = 0;

	if (n == 0 || fcap_parse_u64(argv[1], 1, ROUNDS_MAX, &rounds) < 0) {
		fprintf(stderr, "Usage: measure ROUNDS COMMAND...\n");
		free(results);
		return 2;
	}
	for (size_t k = 0; results && k < n; k++) {
		results[k].wall = calloc(rounds, sizeof(double));
		results[k].cpu = calloc(rounds, sizeof(double));
		r |= results[k].wall && results[k].cpu ? 0 : -1;
	}
	if (results && r == 0)
		r = run_all(argv + 2, n, rounds, results);
	for (size_t k = 0; results && k < n; k++) {
		free(results[k].wall);
		free(results[k].cpu);
	}
	free(results);
	return r < 0;
}
