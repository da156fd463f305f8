// SPDX-License-Identifier: GPL-3.0-or-later
/* What the recorder tells of core scheduling, on a made-up /proc and with a made-up kernel. */
#include "tests/unit/capture_host.h"

#include <errno.h>

#include "capture/run_lines.h"

#define TIDS 32

/* Stands in for the kernel. */
struct kernel {
	int code; /* of every request, if not 0 */
	bool is_ready;
	uint64_t cookie[TIDS];
	unsigned int asked, asked_ready;
};

static int get(void *ctx, pid_t tid, uint64_t *ret)
{
	struct kernel *k = ctx;

	k->asked++;
	if (k->code || tid >= TIDS)
		return k->code ? k->code : -ESRCH;
	*ret = k->is_ready ? k->cookie[tid] : 0;
	return 0;
}

static bool is_ready(void *ctx)
{
	struct kernel *k = ctx;

	k->asked_ready++;
	return k->is_ready;
}

static struct cap_cookie_source source_of(struct kernel *k)
{
	return (struct cap_cookie_source){ get, is_ready, k };
}

/* Opens the sampler and tells the begin line. */
static const char *begin_with(struct host *h, struct kernel *k)
{
	const struct cap_cookie_source source = source_of(k);
	char command[] = "./run", *argv[] = { command, NULL };
	const struct cap_record_opts opts = { .sample_ns = 5, .argv = argv };
	struct cap_host host;

	assert_int_equal(host_open(h, &source), 0);
	host = cap_sampler_host(h->s);
	assert_int_equal(cap_run_lines_begin(&opts, &host, 42, keep_in(&h->k)), 0);
	return kept_last(&h->k, "fcap: begin ");
}

static void the_begin_line_tells_that_cookies_can_be_read(void **state)
{
	struct host *h = *state;
	struct kernel k = { .is_ready = true };

	put_file(h->fd, "sys/kernel/sched_schedstats", "1\n");
	assert_non_null(strstr(begin_with(h, &k), " sample_ns=5 cpu_hierarchy=4 "
						  "core_sched=readable schedstats=1"));
}

static void the_begin_line_tells_why_cookies_cannot_be_read(void **state)
{
	static const struct {
		struct kernel kernel;
		const char *told;
	} cases[] = {
		{ { .code = -EINVAL, .is_ready = true }, " core_sched=absent" },
		{ { .code = -ENODEV, .is_ready = true }, " core_sched=no_smt" },
		{ { .is_ready = false }, " core_sched=not_ready" },
	};
	struct host *h = *state;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel k = cases[i].kernel;
		const char *line = begin_with(h, &k);

		assert_non_null(strstr(line, cases[i].told));
		assert_null(strstr(line, "schedstats"));
		cap_sampler_close(h->s);
		h->s = NULL;
	}
}

static void what_is_not_known_is_left_out_of_the_begin_line(void **state)
{
	struct host *h = *state;
	struct kernel k = { .code = -EPERM };

	put_file(h->fd, "sys/kernel/sched_schedstats", "0\n");
	assert_non_null(strstr(begin_with(h, &k), " cpu_hierarchy=4 schedstats=0"));
	assert_null(strstr(kept_last(&h->k, "fcap: begin "), "core_sched"));
}

static void a_cookie_is_told_with_its_thread_and_again_when_it_changes(void **state)
{
	struct host *h = *state;
	struct kernel k = { .is_ready = true, .cookie = { [21] = 0xabcdef0123456789 } };
	const struct cap_cookie_source source = source_of(&k);

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "worker", 101);
	assert_int_equal(host_open(h, &source), 0);
	sample(h, SECOND, true);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), " cookie=0x0"));
	assert_non_null(
		strstr(kept_last(&h->k, "fcap: task tid=21 "), " cookie=0xabcdef0123456789"));
	sample(h, 3 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=2"), 2);
	k.cookie[20] = 0x17;
	sample(h, 4 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=2"), 3);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), " cookie=0x17"));
}

/* It is asked at the start and, while it is not, before each of the two threads at each sample. */
static void zero_is_not_told_before_the_random_generator_is_ready(void **state)
{
	struct host *h = *state;
	struct kernel k = { .is_ready = false, .cookie = { [21] = 0x55 } };
	const struct cap_cookie_source source = source_of(&k);

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "worker", 101);
	assert_int_equal(host_open(h, &source), 0);
	sample(h, SECOND, true);
	sample(h, 3 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=2"), 2);
	assert_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "cookie"));
	assert_null(strstr(kept_last(&h->k, "fcap: task tid=21 "), "cookie"));
	assert_int_equal(k.asked_ready, 1 + 2 + 2);
	k.is_ready = true;
	sample(h, 4 * SECOND, false);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=2"), 4);
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), " cookie=0x0"));
	assert_non_null(strstr(kept_last(&h->k, "fcap: task tid=21 "), " cookie=0x55"));
	assert_int_equal(k.asked_ready, 6);
	sample(h, 5 * SECOND, false);
	assert_int_equal(k.asked_ready, 6);
}

static void a_kernel_without_cookies_is_asked_once(void **state)
{
	struct host *h = *state;
	struct kernel k = { .code = -EINVAL };
	const struct cap_cookie_source source = source_of(&k);

	put_thread(h, 20, 20, "cmd", 100);
	assert_int_equal(host_open(h, &source), 0);
	sample(h, SECOND, true);
	sample(h, 3 * SECOND, false);
	assert_int_equal(k.asked, 1);
	assert_null(strstr(kept_last(&h->k, "fcap: task tid=20 "), "cookie"));
}

static void put_forced_idle(const struct host *h, const char *ms)
{
	char text[256];

	snprintf(text, sizeof(text), "cmd (20, #threads: 1)\ncore_forceidle_sum : %s\n", ms);
	put_file(h->fd, "20/task/20/sched", text);
}

/* 1.5 ms are 1500000 ns. */
static void forced_idle_stands_on_the_steal_lines(void **state)
{
	struct host *h = *state;
	struct kernel k = { .is_ready = true };
	const struct cap_cookie_source source = source_of(&k);

	put_file(h->fd, "sys/kernel/sched_schedstats", "1\n");
	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "worker", 101);
	put_forced_idle(h, "0.000000");
	assert_int_equal(host_open(h, &source), 0);
	sample(h, SECOND, true);
	assert_string_equal(kept_last(&h->k, "fcap: steal tid=20 "),
			    "fcap: steal tid=20 run=20000 delay=2000 n=20 forceidle=0");
	/* without the file: nothing is told of it */
	assert_string_equal(kept_last(&h->k, "fcap: steal tid=21 "),
			    "fcap: steal tid=21 run=21000 delay=2100 n=21");
	put_forced_idle(h, "1.500000");
	sample(h, 2 * SECOND, false);
	assert_non_null(strstr(kept_last(&h->k, "fcap: steal tid=20 "), " forceidle=1500000"));
	put_file(h->fd, "20/task/20/sched", "cmd (20, #threads: 1)\n"); /* switched off meanwhile */
	sample(h, 3 * SECOND, false);
	assert_null(strstr(kept_last(&h->k, "fcap: steal tid=20 "), "forceidle"));
}

static void forced_idle_is_not_read_where_it_is_not_counted(void **state)
{
	static const struct {
		struct kernel kernel;
		const char *schedstats;
	} cases[] = {
		{ { .is_ready = true }, "0\n" },
		{ { .code = -EINVAL, .is_ready = true }, "1\n" },
		{ { .code = -ENODEV, .is_ready = true }, "1\n" },
	};
	struct host *h = *state;

	put_thread(h, 20, 20, "cmd", 100);
	put_forced_idle(h, "0.000000");
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct kernel k = cases[i].kernel;
		const struct cap_cookie_source source = source_of(&k);

		put_file(h->fd, "sys/kernel/sched_schedstats", cases[i].schedstats);
		assert_int_equal(host_open(h, &source), 0);
		sample(h, SECOND, true);
		assert_int_equal(kept_count(&h->k, "fcap: steal tid=20 "), i + 1);
		assert_null(strstr(kept_last(&h->k, "fcap: steal tid=20 "), "forceidle"));
		cap_sampler_close(h->s);
		h->s = NULL;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(the_begin_line_tells_that_cookies_can_be_read,
						host_make, host_end),
		cmocka_unit_test_setup_teardown(the_begin_line_tells_why_cookies_cannot_be_read,
						host_make, host_end),
		cmocka_unit_test_setup_teardown(what_is_not_known_is_left_out_of_the_begin_line,
						host_make, host_end),
		cmocka_unit_test_setup_teardown(
			a_cookie_is_told_with_its_thread_and_again_when_it_changes, host_make,
			host_end),
		cmocka_unit_test_setup_teardown(
			zero_is_not_told_before_the_random_generator_is_ready, host_make, host_end),
		cmocka_unit_test_setup_teardown(a_kernel_without_cookies_is_asked_once, host_make,
						host_end),
		cmocka_unit_test_setup_teardown(forced_idle_stands_on_the_steal_lines, host_make,
						host_end),
		cmocka_unit_test_setup_teardown(forced_idle_is_not_read_where_it_is_not_counted,
						host_make, host_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
