// SPDX-License-Identifier: GPL-3.0-or-later
/* --scope command: what is said and who is looked at. */
#include "tests/unit/capture_host.h"

#include "capture/run_lines.h"
#include "capture/scope.h"

struct seen {
	pid_t tid[16];
	size_t n;
};

static void found(void *ctx, const struct cap_task *t)
{
	struct seen *s = ctx;

	assert_true(s->n < 16);
	s->tid[s->n++] = t->tid;
}

static void open_command_only(struct host *h, struct seen *to)
{
	const struct cap_sampler_conf conf = {
		.procfd = h->fd,
		.root = 10,
		.command_only = true,
		.period_ns = SECOND,
		.to = keep_in(&h->k),
		.found = found,
		.found_ctx = to,
	};

	assert_int_equal(cap_sampler_open(&h->s, &conf), 0);
}

static void nobody_but_the_command_is_looked_at(void **state)
{
	struct host *h = *state;
	struct seen to = { 0 };

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "vhost-20", 101);
	put_thread(h, 5, 5, "daemon", 3);
	open_command_only(h, &to);
	sample(h, SECOND, true);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=20 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: steal tid=21 "), 1);
	assert_int_equal(kept_count(&h->k, "fcap: task tid=5 "), 0);
}

static void each_thread_is_found_once(void **state)
{
	struct host *h = *state;
	struct seen to = { 0 };

	put_thread(h, 20, 20, "cmd", 100);
	open_command_only(h, &to);
	sample(h, SECOND, true);
	put_thread(h, 20, 21, "vhost-20", 101);
	sample(h, SECOND + 1, false);
	sample(h, SECOND + 2, true);
	assert_int_equal(to.n, 2);
	assert_int_equal(to.tid[0], 20);
	assert_int_equal(to.tid[1], 21);
}

/* Without the host's list of processes whole samples still see who has gone. */
static void a_thread_that_ended_is_let_go(void **state)
{
	struct host *h = *state;
	char *path = tempdir_file(h->dir, "20/task/21");
	struct seen to = { 0 };

	put_thread(h, 20, 20, "cmd", 100);
	put_thread(h, 20, 21, "old", 101);
	open_command_only(h, &to);
	sample(h, SECOND, true);
	put_file(h->fd, "20/task/21/schedstat", "");
	tempdir_remove(path);
	sample(h, SECOND + 1, true);
	assert_true(cap_tasks_find(cap_sampler_tasks(h->s), 21)->gone);
}

static void threads_that_the_kernel_makes_are_known_by_their_names(void **state)
{
	(void)state;
	assert_true(cap_scope_is_kernel_made("vhost-4711"));
	assert_true(cap_scope_is_kernel_made("kvm-nx-lpage-re"));
	assert_true(cap_scope_is_kernel_made("kvm-pit/4711"));
	assert_true(cap_scope_is_kernel_made("iou-wrk-4711"));
	assert_false(cap_scope_is_kernel_made("kvm-vcpu-0"));
	assert_false(cap_scope_is_kernel_made("CPU 0/KVM"));
	assert_false(cap_scope_is_kernel_made("vhost"));
}

static void the_begin_line_tells_the_scope_and_its_root(void **state)
{
	char command[] = "./run", *argv[] = { command, NULL };
	struct cap_record_opts opts = { .sample_ns = 5, .argv = argv };
	const struct cap_host host = { 0 };
	struct host *h = *state;

	assert_int_equal(cap_run_lines_begin(&opts, &host, 42, keep_in(&h->k)), 0);
	assert_null(strstr(kept_last(&h->k, "fcap: begin "), "scope"));
	assert_null(strstr(kept_last(&h->k, "fcap: begin "), "root"));
	opts.tuning.scope_command = true;
	assert_int_equal(cap_run_lines_begin(&opts, &host, 42, keep_in(&h->k)), 0);
	assert_non_null(strstr(kept_last(&h->k, "fcap: begin "), " scope=command root=42"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(nobody_but_the_command_is_looked_at, host_make,
						host_end),
		cmocka_unit_test_setup_teardown(each_thread_is_found_once, host_make, host_end),
		cmocka_unit_test_setup_teardown(a_thread_that_ended_is_let_go, host_make, host_end),
		cmocka_unit_test(threads_that_the_kernel_makes_are_known_by_their_names),
		cmocka_unit_test_setup_teardown(the_begin_line_tells_the_scope_and_its_root,
						host_make, host_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
