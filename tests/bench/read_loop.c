// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * read_loop FILE [ROUNDS]: reads a trace through merge and decoder, without the model, and prints
 * the number of records and the median time a record in ns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "analyze/trace/decode.h"
#include "analyze/trace/merge.h"
#include "fcap/num.h"

#define ROUNDS_MAX 1000

static double now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* Decodes every record; sum keeps the compiler from leaving anything out. */
static int read_all(const struct fan_file *file, uint64_t *ret_n, uint64_t *sum,
		    struct fcap_err *err)
{
	struct fan_decoder *dec = NULL;
	struct fan_merge *merge = NULL;
	const struct fan_record *rec;
	struct fan_event ev;
	int r;

	*ret_n = 0;
	r = fan_decoder_new(&dec, file, err);
	if (r == 0)
		r = fan_merge_open(&merge, file, err);
	while (r == 0 && (r = fan_merge_next(merge, &rec, err)) > 0) {
		++*ret_n;
		r = fan_decode(dec, rec, &ev, err);
		if (r > 0) {
			*sum += ev.ts_ns + (uint64_t)ev.cur_tid;
			r = 0;
		}
	}
	fan_merge_close(merge);
	fan_decoder_free(dec);
	return r;
}

int main(int argc, char **argv)
{
	uint64_t rounds = 5, n = 0, sum = 0;
	struct fcap_err err = { 0 };
	struct fan_file *file = NULL;
	double ns[ROUNDS_MAX];
	int r;

	if (argc < 2 || argc > 3 ||
	    (argc == 3 && fcap_parse_u64(argv[2], 1, ROUNDS_MAX, &rounds) < 0)) {
		fprintf(stderr, "Usage: read_loop FILE [ROUNDS]\n");
		return 2;
	}
	r = fan_file_open(&file, argv[1], &err);
	for (uint64_t i = 0; r == 0 && i < rounds; i++) {
		const double begin = now_ns();

		r = read_all(file, &n, &sum, &err);
		ns[i] = now_ns() - begin;
	}
	fan_file_close(file);
	if (r < 0) {
		fprintf(stderr, "read_loop: %s: %s\n", argv[1], err.text);
		return 1;
	}
	qsort(ns, rounds, sizeof(*ns), by_size);
	printf("%" PRIu64 " records, %.2f ns each (%" PRIx64 ")\n", n,
	       ns[rounds / 2] / (double)(n ? n : 1), sum);
	return 0;
}
