// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * flood PAIRS ROUNDS HOGS: PAIRS pairs of processes send a byte to and fro through pipes, ROUNDS
 * times each, which is nothing but wake-ups and switches, while HOGS busy loops want the CPUs too.
 * Prints how long that took and the CPU time of all of them, in s. The hogs are ended with it.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "fcap/num.h"

#define PAIRS_MAX  1000
#define ROUNDS_MAX 100000000
#define HOGS_MAX   10000

static double cpu_time(void)
{
	struct rusage use;
	double sum = 0;

	for (int i = 0; i < 2; i++)
		if (getrusage(i ? RUSAGE_SELF : RUSAGE_CHILDREN, &use) == 0)
			sum += (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
			       1e-6 * (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
	return sum;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A child that dies with its parent; 0 in the child. */
static pid_t start(void)
{
	const pid_t parent = getpid(), pid = fork();

	if (pid < 0) {
		perror("flood: fork");
		exit(1);
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(1);
	}
	return pid;
}

__attribute__((noreturn)) static void burn(void)
{
	volatile unsigned int n = 0;

	for (;;)
		n++;
}

/* What comes in goes out again; the first byte is this one's if it serves. */
__attribute__((noreturn)) static void play(int in, int out, uint64_t rounds, int serves)
{
	char byte = 0;

	if (serves && write(out, &byte, 1) != 1)
		_exit(1);
	for (uint64_t i = 0; i < rounds; i++) {
		if (read(in, &byte, 1) != 1)
			_exit(1);
		if ((i + 1 < rounds || !serves) && write(out, &byte, 1) != 1)
			_exit(1);
	}
	_exit(0);
}

static void start_pair(uint64_t rounds, pid_t ret[2])
{
	int a[2], b[2];

	if (pipe(a) < 0 || pipe(b) < 0) {
		perror("flood: pipe");
		exit(1);
	}
	ret[0] = start();
	if (ret[0] == 0)
		play(b[0], a[1], rounds, 1);
	ret[1] = start();
	if (ret[1] == 0)
		play(a[0], b[1], rounds, 0);
	close(a[0]);
	close(a[1]);
	close(b[0]);
	close(b[1]);
}

static int run(size_t pairs, uint64_t rounds, size_t hogs)
{
	pid_t *player = calloc(pairs, 2 * sizeof(*player)), *hog = calloc(hogs + 1, sizeof(*hog));
	const double begin = now();
	int status, failed = 0;
	double wall;

	for (size_t i = 0; hog && i < hogs; i++) {
		hog[i] = start();
		if (hog[i] == 0)
			burn();
	}
	for (size_t i = 0; player && i < pairs; i++)
		start_pair(rounds, player + 2 * i);
	for (size_t i = 0; player && i < 2 * pairs; i++)
		failed |= waitpid(player[i], &status, 0) < 0 || status != 0;
	wall = now() - begin;
	for (size_t i = 0; hog && i < hogs; i++) {
		kill(hog[i], SIGKILL);
		waitpid(hog[i], NULL, 0);
	}
	failed |= !player || !hog;
	printf("%.6f %.6f\n", wall, cpu_time());
	free(player);
	free(hog);
	return failed;
}

int main(int argc, char **argv)
{
	uint64_t pairs, rounds, hogs;

	if (argc != 4 || fcap_parse_u64(argv[1], 1, PAIRS_MAX, &pairs) < 0 ||
	    fcap_parse_u64(argv[2], 1, ROUNDS_MAX, &rounds) < 0 ||
	    fcap_parse_u64(argv[3], 0, HOGS_MAX, &hogs) < 0) {
		fprintf(stderr, "Usage: flood PAIRS ROUNDS HOGS\n");
		return 2;
	}
	return run(pairs, rounds, hogs);
}
