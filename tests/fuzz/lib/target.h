/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets share: each is one function that takes bytes and must survive them. */
#ifndef TESTS_FUZZ_LIB_TARGET_H
#define TESTS_FUZZ_LIB_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/report/tree.h"

/* libFuzzer calls it, or replay.c with the bytes of a file. 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory that holds these bytes, with a path to open it by. close() the descriptor. */
int fuzz_file(const uint8_t *data, size_t size, char path[32]);

/* What was read or made can be written, as text and as JSON. */
void fuzz_write_report(const struct fan_report *r);

/* Ends the process with the message: what must be true was not. */
void fuzz_fail(const char *what) __attribute__((noreturn));

#endif
