// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/child: processes, without tracing. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "capture/child.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

static const struct cap_child_env plain = { NULL, NULL, -1, NULL, 0 };

static int spawn_with(struct cap_child *c, const struct cap_child_env *env, const char *script)
{
	char *argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" }, strdup(script), NULL };
	const int r = cap_child_spawn(c, argv, env, NULL);

	free(argv[2]);
	return r;
}

static int spawn_shell(struct cap_child *c, const char *script)
{
	return spawn_with(c, &plain, script);
}

/* Waits for the end of the command, as the recording does. */
static int status_of(const struct cap_child *c)
{
	int status = -1;
	siginfo_t info;

	assert_int_equal(waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOWAIT), 0);
	assert_true(cap_child_has_ended(c, &status));
	return status;
}

static int run_with(const struct cap_child_env *env, const char *script)
{
	unsigned int termed, killed;
	struct cap_child c;
	int status;

	assert_int_equal(spawn_with(&c, env, script), 0);
	assert_int_equal(cap_child_release(&c), 0);
	status = status_of(&c);
	assert_true(cap_child_clear(&c, &termed, &killed));
	assert_int_equal(termed + killed, 0);
	cap_child_close(&c);
	return status;
}

static int run_shell(const char *script)
{
	return run_with(&plain, script);
}

static void statuses_are_those_of_a_shell(void **state)
{
	(void)state;
	assert_int_equal(run_shell("exit 0"), 0);
	assert_int_equal(run_shell("exit 7"), 7);
	assert_int_equal(run_shell("kill -TERM $$"), 128 + 15);
	assert_int_equal(run_shell("kill -KILL $$"), 128 + 9);
}

static void nothing_runs_before_the_gate_opens(void **state)
{
	char *dir = tempdir_new(), *file = tempdir_file(dir, "ran"), script[512];
	struct cap_child c;
	int status;

	(void)state;
	snprintf(script, sizeof(script), ": >%s", file);
	assert_int_equal(spawn_shell(&c, script), 0);
	assert_false(cap_child_has_ended(&c, &status));
	cap_child_close(&c);
	assert_int_equal(c.pid, -1);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	free(file);
	tempdir_remove(dir);
}

static void a_program_that_is_not_there_is_told_by_its_errno(void **state)
{
	char *argv[] = { (char[]){ "/no/such/program" }, NULL };
	char *folder[] = { (char[]){ "/" }, NULL };
	struct cap_child c;

	(void)state;
	assert_int_equal(cap_child_spawn(&c, argv, &plain, NULL), 0);
	assert_int_equal(cap_child_release(&c), -ENOENT);
	assert_int_equal(c.pid, -1);
	cap_child_close(&c);
	assert_int_equal(cap_child_spawn(&c, folder, &plain, NULL), 0);
	assert_int_equal(cap_child_release(&c), -EACCES);
	cap_child_close(&c);
}

static void the_workload_finds_its_labels(void **state)
{
	static const char *const label[] = { "core_sched=on", "a.b-c=x=y z", "empty=" };
	struct cap_child_env env = plain;

	(void)state;
	env.label = label;
	env.nlabel = 3;
	/* a value reaches to the end; no shell name holds '.' and '-' */
	assert_int_equal(run_with(&env, "[ \"$FCAP_LABEL_core_sched\" = on ] || exit 1;"
					"[ \"$FCAP_LABEL_a_b_c\" = 'x=y z' ] || exit 2;"
					"[ \"${FCAP_LABEL_empty-unset}\" = '' ] || exit 3;"
					"exit 9"),
			 9);
}

static void the_workload_finds_its_descriptor(void **state)
{
	char *argv[] = { (char[]){ "/bin/sh" }, (char[]){ "-c" },
			 (char[]){ "echo hello >&$FCAP_FD" }, NULL };
	struct cap_child_env env = plain;
	unsigned int termed, killed;
	struct cap_child c;
	char text[16] = "";
	int fd[2];

	(void)state;
	assert_int_equal(pipe2(fd, O_CLOEXEC), 0);
	env.report_fd = fd[1];
	assert_int_equal(cap_child_spawn(&c, argv, &env, NULL), 0);
	close(fd[1]);
	assert_int_equal(cap_child_release(&c), 0);
	assert_int_equal(read(fd[0], text, sizeof(text)), 6);
	assert_string_equal(text, "hello\n");
	assert_int_equal(status_of(&c), 0);
	assert_true(cap_child_clear(&c, &termed, &killed));
	cap_child_close(&c);
	close(fd[0]);
}

static void leftovers_are_ended_and_what_was_there_before_is_not(void **state)
{
	const pid_t before = fork();
	unsigned int termed, killed;
	struct cap_child c;

	(void)state;
	if (before == 0) {
		pause();
		_exit(0);
	}
	assert_true(before > 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	assert_int_equal(spawn_shell(&c, "sleep 60 & sleep 60 & exit 3"), 0);
	assert_int_equal(cap_child_release(&c), 0);
	assert_int_equal(status_of(&c), 3);
	assert_true(cap_child_clear(&c, &termed, &killed));
	assert_int_equal(termed, 2);
	assert_int_equal(killed, 0);
	cap_child_close(&c);
	assert_int_equal(waitpid(before, NULL, WNOHANG), 0);
	assert_int_equal(kill(before, SIGKILL), 0);
	assert_int_equal(waitpid(before, NULL, 0), before);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statuses_are_those_of_a_shell),
		cmocka_unit_test(nothing_runs_before_the_gate_opens),
		cmocka_unit_test(a_program_that_is_not_there_is_told_by_its_errno),
		cmocka_unit_test(the_workload_finds_its_labels),
		cmocka_unit_test(the_workload_finds_its_descriptor),
		cmocka_unit_test(leftovers_are_ended_and_what_was_there_before_is_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
