// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/workpipe: what the workload says becomes markers. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/workpipe.h"
#include "tests/unit/capture_lines.h"

struct pipe_and_lines {
	struct cap_workpipe w;
	struct kept k;
};

static int start(void **state)
{
	struct pipe_and_lines *p = calloc(1, sizeof(*p));

	cap_workpipe_init(&p->w, keep_in(&p->k));
	*state = p;
	return 0;
}

static int end(void **state)
{
	struct pipe_and_lines *p = *state;

	kept_clear(&p->k);
	free(p);
	return 0;
}

static void feed(struct pipe_and_lines *p, const char *text)
{
	assert_int_equal(cap_workpipe_feed(&p->w, text, strlen(text)), 0);
}

static void known_keys_are_copied_and_others_left_out(void **state)
{
	struct pipe_and_lines *p = *state;

	feed(p, "fcap-work vm=vm1 n=29729 t=123.456 dt=1.0 unit=loops colour=red\n"
		"fcap-score value=2981 vm=\"my vm\" t=5\n");
	assert_int_equal(p->k.n, 2);
	assert_string_equal(p->k.line[0], "fcap: work vm=vm1 n=29729 t=123.456 dt=1.0 unit=loops");
	assert_string_equal(p->k.line[1], "fcap: score vm=\"my vm\" value=2981 t=5");
	assert_int_equal(p->w.malformed, 0);
}

static void a_line_without_its_time_is_stamped_on_arrival(void **state)
{
	struct pipe_and_lines *p = *state;

	feed(p, "fcap-work vm=vm1 n=1\n");
	assert_string_equal(p->k.line[0], "fcap: work vm=vm1 n=1 stamped_on_arrival=1");
}

static void a_line_may_arrive_in_pieces(void **state)
{
	struct pipe_and_lines *p = *state;

	feed(p, "fcap-wo");
	feed(p, "rk vm=a n=1 t=");
	assert_int_equal(p->k.n, 0);
	feed(p, "2\nfcap-work vm=b");
	assert_int_equal(p->k.n, 1);
	feed(p, " n=2 t=3\n");
	assert_string_equal(p->k.line[0], "fcap: work vm=a n=1 t=2");
	assert_string_equal(p->k.line[1], "fcap: work vm=b n=2 t=3");
}

static void malformed_lines_are_counted_and_nothing_else(void **state)
{
	struct pipe_and_lines *p = *state;

	feed(p, "hello\n"
		"fcap-work n=1\n"
		"fcap-work vm= n=1\n"
		"fcap-work vm=a\n"
		"fcap-work vm=a n=-1\n"
		"fcap-work vm=a n=1 dt=x\n"
		"fcap-work vm=a n=1 t=now\n"
		"fcap-score vm=a\n"
		"fcap-begin vm=a n=1 value=1\n"
		"fcap: work vm=a n=1\n"
		"\n"
		"fcap-work vm=a n=1 t=1\n");
	assert_int_equal(p->w.malformed, 10);
	assert_int_equal(p->k.n, 1);
}

static void a_line_without_end_is_dropped_up_to_its_newline(void **state)
{
	struct pipe_and_lines *p = *state;
	char chunk[1001];

	memset(chunk, 'x', 1000);
	chunk[1000] = '\0';
	for (int i = 0; i < 10; i++)
		feed(p, chunk);
	feed(p, "fcap-work vm=a n=1\nfcap-work vm=b n=2 t=3\n");
	assert_int_equal(p->w.malformed, 1);
	assert_int_equal(p->k.n, 1);
	assert_string_equal(p->k.line[0], "fcap: work vm=b n=2 t=3");
}

static void a_nul_makes_a_line_malformed(void **state)
{
	static const char text[] = "fcap-work vm=a n=1 t=1\0x\n";
	struct pipe_and_lines *p = *state;

	assert_int_equal(cap_workpipe_feed(&p->w, text, sizeof(text) - 1), 0);
	assert_int_equal(p->w.malformed, 1);
	assert_int_equal(p->k.n, 0);
}

static void a_pipe_is_read_until_it_is_empty_or_closed(void **state)
{
	struct pipe_and_lines *p = *state;
	int fd[2];

	assert_int_equal(pipe2(fd, O_NONBLOCK), 0);
	assert_int_equal(cap_workpipe_read(&p->w, fd[0]), 0);
	assert_true(write(fd[1], "fcap-work vm=a n=1 t=1\n", 23) == 23);
	assert_int_equal(cap_workpipe_read(&p->w, fd[0]), 0);
	assert_int_equal(p->k.n, 1);
	close(fd[1]);
	assert_int_equal(cap_workpipe_read(&p->w, fd[0]), 1);
	close(fd[0]);
}

/* 300,000 lines of six bytes are more than the 1 MiB that is read at once. */
static void who_never_falls_silent_does_not_hold_us(void **state)
{
	enum { LINES = 300000 };
	struct pipe_and_lines *p = *state;
	FILE *file = tmpfile();

	assert_non_null(file);
	for (int i = 0; i < LINES; i++)
		fputs("hello\n", file);
	rewind(file);
	assert_int_equal(cap_workpipe_read(&p->w, fileno(file)), 0);
	assert_in_range(p->w.malformed, (1 << 20) / 6, LINES - 1);
	assert_int_equal(cap_workpipe_read(&p->w, fileno(file)), 1);
	assert_int_equal(p->w.malformed, LINES);
	fclose(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(known_keys_are_copied_and_others_left_out, start,
						end),
		cmocka_unit_test_setup_teardown(a_line_without_its_time_is_stamped_on_arrival,
						start, end),
		cmocka_unit_test_setup_teardown(a_line_may_arrive_in_pieces, start, end),
		cmocka_unit_test_setup_teardown(malformed_lines_are_counted_and_nothing_else, start,
						end),
		cmocka_unit_test_setup_teardown(a_line_without_end_is_dropped_up_to_its_newline,
						start, end),
		cmocka_unit_test_setup_teardown(a_nul_makes_a_line_malformed, start, end),
		cmocka_unit_test_setup_teardown(a_pipe_is_read_until_it_is_empty_or_closed, start,
						end),
		cmocka_unit_test_setup_teardown(who_never_falls_silent_does_not_hold_us, start,
						end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
