/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For the tests of the model: from a builder's trace to its model. */
#ifndef TESTS_UNIT_MODELLED_H
#define TESTS_UNIT_MODELLED_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/model/model.h"
#include "analyze/trace/file.h"
#include "tests/lib/builder.h"
#include "tests/lib/tempdir.h"

#define MODELLED_BASE 5000000000ULL /* where the traces begin, ns */
#define MODELLED_MS   1000000ULL

static inline struct tb_at at_ms(int cpu, uint64_t ms)
{
	return tb_at(cpu, MODELLED_BASE + ms * MODELLED_MS);
}

/* Writes the trace and opens it; frees the builder. */
static inline struct fan_file *file_of(struct tb *tb)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	struct fan_file *file = NULL;
	struct fcap_err err = { 0 };

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	if (fan_file_open(&file, path, &err) < 0)
		fail_msg("%s", err.text);
	free(path);
	tempdir_remove(dir);
	return file;
}

/* Writes, reads and models the trace; frees the builder. The file stays open in *ret_file. */
static inline struct fan_model *model_and_file(struct tb *tb, struct fan_file **ret_file)
{
	struct fan_model *m = NULL;
	struct fcap_err err = { 0 };

	*ret_file = file_of(tb);
	if (fan_model_read(&m, *ret_file, NULL, &err) < 0)
		fail_msg("%s", err.text);
	return m;
}

static inline struct fan_model *model_of(struct tb *tb)
{
	struct fan_file *file = NULL;
	struct fan_model *m = model_and_file(tb, &file);

	fan_file_close(file);
	return m;
}

static inline void assert_near(double got, double want, double tolerance)
{
	if (!(fabs(got - want) <= tolerance))
		fail_msg("%.15g is not %.15g", got, want);
}

#endif
