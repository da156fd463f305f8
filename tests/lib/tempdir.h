/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A folder for the files of one test, below $TMPDIR or /tmp. */
#ifndef TESTS_LIB_TEMPDIR_H
#define TESTS_LIB_TEMPDIR_H

/* The path of a new empty folder; free with tempdir_remove. Never NULL: aborts on failure. */
char *tempdir_new(void);

/* "dir/name", to be freed by the caller; nothing is created. Never NULL. */
char *tempdir_file(const char *dir, const char *name);

/* Removes the folder with all that is in it, and frees its name. */
void tempdir_remove(char *dir);

#endif
