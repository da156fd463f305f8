// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/cpus, usage: CPUs that come and go while it records, and those on which fcap ran. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/cpus.h"
#include "capture/usage.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define SECOND 1000000000ULL

struct machine {
	char *dir;
	int fd;
	struct cap_cpus cpus;
	struct kept k;
};

static char said[512];

static void listen(const char *text)
{
	snprintf(said, sizeof(said), "%s", text);
}

static int start(void **state)
{
	struct machine *m = calloc(1, sizeof(*m));

	m->dir = tempdir_new();
	m->fd = open_folder(m->dir);
	put_file(m->fd, "online", "0-1\n");
	put_file(m->fd, "cpu0/topology/core_id", "0\n");
	put_file(m->fd, "cpu1/topology/core_id", "1\n");
	said[0] = '\0';
	*state = m;
	return cap_cpus_open(&m->cpus, open_folder(m->dir), keep_in(&m->k));
}

static int end(void **state)
{
	struct machine *m = *state;

	cap_cpus_close(&m->cpus);
	kept_clear(&m->k);
	close(m->fd);
	tempdir_remove(m->dir);
	free(m);
	return 0;
}

static void look(struct machine *m, uint64_t now_ns)
{
	assert_int_equal(cap_cpus_look(&m->cpus, now_ns, keep_in(&m->k)), 0);
}

static void they_are_told_when_it_begins_and_when_they_change(void **state)
{
	struct machine *m = *state;

	assert_int_equal(kept_count(&m->k, "fcap: cpu "), 2);
	assert_string_equal(kept_last(&m->k, "fcap: cpus "), "fcap: cpus online=0-1");
	look(m, 5 * SECOND);
	assert_int_equal(kept_count(&m->k, "fcap: cpus "), 1);
	cap_cpus_sum_up(&m->cpus, listen);
	assert_string_equal(said, "");
	put_file(m->fd, "online", "0\n");
	/* once a second */
	look(m, 6 * SECOND - 1);
	assert_int_equal(kept_count(&m->k, "fcap: cpus "), 1);
	look(m, 6 * SECOND);
	assert_int_equal(kept_count(&m->k, "fcap: cpus online=0"), 2);
	put_file(m->fd, "online", "0-2\n");
	put_file(m->fd, "cpu2/topology/core_id", "2\n");
	look(m, 7 * SECOND);
	assert_string_equal(kept_last(&m->k, "fcap: cpus "), "fcap: cpus online=0-2");
	assert_string_equal(kept_last(&m->k, "fcap: cpu "), "fcap: cpu id=2 core=2");
	cap_cpus_sum_up(&m->cpus, listen);
	assert_string_equal(said, "note: CPUs went off or came on while it recorded: 0-1 at first, "
				  "0-2 at last, 2 changes");
}

static void what_cannot_be_read_is_no_change(void **state)
{
	struct machine *m = *state;
	struct cap_cpus none;

	assert_int_equal(unlinkat(m->fd, "online", 0), 0);
	look(m, 5 * SECOND);
	assert_int_equal(m->cpus.changes, 0);
	/* no sysfs */
	assert_int_equal(cap_cpus_open(&none, -1, keep_in(&m->k)), 0);
	assert_int_equal(cap_cpus_look(&none, 5 * SECOND, keep_in(&m->k)), 0);
	assert_int_equal(kept_count(&m->k, "fcap: cpus "), 1);
	cap_cpus_close(&none);
}

static void where_fcap_ran_is_a_list(void **state)
{
	static const unsigned int cpus[] = { 0, 1, 8, 62, 63, 64, FCAP_CPUS_MAX - 1 };
	struct cap_usage u = { 0 };
	char text[64];

	(void)state;
	cap_usage_list(&u, text, sizeof(text));
	assert_string_equal(text, "");
	for (size_t i = 0; i < sizeof(cpus) / sizeof(cpus[0]); i++)
		u.bits[cpus[i] / 64] |= 1ULL << (cpus[i] % 64);
	cap_usage_list(&u, text, sizeof(text));
	assert_string_equal(text, "0-1,8,62-64,8191");
	/* cut where it does not fit */
	cap_usage_list(&u, text, 6);
	assert_string_equal(text, "0-1,8");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(they_are_told_when_it_begins_and_when_they_change,
						start, end),
		cmocka_unit_test_setup_teardown(what_cannot_be_read_is_no_change, start, end),
		cmocka_unit_test(where_fcap_ran_is_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
