// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/signals: what is passed on to the command, on a terminal of the test's own. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture/signals.h"

#define LIMIT_MS 5000

/* The command: says "i" of each SIGINT until SIGTERM comes, before which pending ones are taken. */
static void run_command(int told)
{
	sigset_t taken;
	int sig;

	sigemptyset(&taken);
	sigaddset(&taken, SIGINT);
	sigaddset(&taken, SIGTERM);
	sigprocmask(SIG_BLOCK, &taken, NULL);
	if (write(told, "r", 1) != 1)
		_exit(1);
	while (sigwait(&taken, &sig) == 0 && sig == SIGINT && write(told, "i", 1) == 1)
		;
	_exit(0);
}

static bool waits_for(int fd, char wanted)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char c = 0;

	return poll(&p, 1, LIMIT_MS) == 1 && read(fd, &c, 1) == 1 && c == wanted;
}

/* Ctrl-C, which is passed on when whom the terminal tells has said so. 0: one SIGINT came. */
static int press(const struct cap_signals *s, int master, int told, pid_t command, bool is_apart)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	if (!waits_for(told, 'r') || write(master, "\003", 1) != 1 || poll(&p, 1, LIMIT_MS) != 1)
		return 2;
	if (!is_apart && !waits_for(told, 'i'))
		return 3;
	cap_signals_pass(s, command);
	return is_apart && !waits_for(told, 'i') ? 4 : 0;
}

/* In a session of its own: fcap and its command, which is in fcap's process group or not. */
static int press_with(int master, bool is_apart)
{
	struct cap_signals s = { .fd = -1 };
	int told[2], result;
	pid_t command;

	if (setsid() < 0 || open(ptsname(master), O_RDWR) < 0 || pipe(told) < 0 ||
	    cap_signals_take(&s, NULL) < 0)
		return 1;
	command = fork();
	if (command == 0) {
		if (is_apart)
			setpgid(0, 0);
		run_command(told[1]);
	}
	close(told[1]);
	result = press(&s, master, told[0], command, is_apart);
	kill(command, SIGTERM);
	waitpid(command, NULL, 0);
	return result == 0 && waits_for(told[0], 'i') ? 5 : result;
}

static int press_in_child(bool is_apart)
{
	const int master = posix_openpt(O_RDWR | O_NOCTTY);
	int status = -1;
	pid_t pid;

	assert_true(master >= 0);
	assert_int_equal(grantpt(master) | unlockpt(master), 0);
	pid = fork();
	if (pid == 0)
		_exit(press_with(master, is_apart));
	assert_int_equal(waitpid(pid, &status, 0), pid);
	close(master);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void a_command_in_our_group_has_the_terminals_signal_already(void **state)
{
	(void)state;
	assert_int_equal(press_in_child(false), 0);
}

/* As with "fcap record -- timeout 1h ./run-vms.sh". */
static void a_command_in_a_group_of_its_own_gets_it_from_us(void **state)
{
	(void)state;
	assert_int_equal(press_in_child(true), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_in_our_group_has_the_terminals_signal_already),
		cmocka_unit_test(a_command_in_a_group_of_its_own_gets_it_from_us),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
