// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/follow and capture/guestpipe: files that grow, fifos and terminals. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

#include "capture/guestpipe.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define LINE	"fcap-guest cpu=0 steal=1 resolution_ns=9\n"
#define OTHER	"fcap-guest cpu=1 steal=2 resolution_ns=9\n"
#define MARKER	"fcap: guest vm=vm1 cpu=0 steal=1 resolution_ns=9"
#define MARKER2 "fcap: guest vm=vm1 cpu=1 steal=2 resolution_ns=9"

struct bench {
	char *dir, *path;
	struct cap_guests *guests;
	struct kept k;
};

static char said[1024];

static void keep_said(const char *text)
{
	snprintf(said, sizeof(said), "%s", text);
}

static int start(void **state)
{
	struct bench *b = calloc(1, sizeof(*b));

	b->dir = tempdir_new();
	b->path = tempdir_file(b->dir, "console");
	said[0] = '\0';
	*state = b;
	return 0;
}

static int end(void **state)
{
	struct bench *b = *state;

	cap_guests_close(b->guests);
	kept_clear(&b->k);
	free(b->path);
	tempdir_remove(b->dir);
	free(b);
	return 0;
}

static int open_path(struct bench *b, const char *path, struct fcap_err *err)
{
	const struct cap_guest_source source = { "vm1", path };

	return cap_guests_open(&b->guests, &source, 1, keep_in(&b->k), err);
}

static void open_guest(struct bench *b)
{
	struct fcap_err err = { 0 };

	assert_int_equal(open_path(b, b->path, &err), 0);
}

static void write_to(const char *path, int flags, const char *text)
{
	const int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void add(const struct bench *b, const char *text)
{
	write_to(b->path, O_APPEND, text);
}

/* Reads, and expects that so many markers are there, the last of them this. */
/* what guests in these tests are called */
static struct cap_vm vms[] = { { .name = "vm1" }, { .name = "vm2" } };
static const struct cap_vmlist seen = { vms, 2 };

static void assert_has(struct bench *b, size_t n, const char *last)
{
	assert_int_equal(cap_guests_read(b->guests), 0);
	assert_int_equal(b->k.n, n);
	if (n)
		assert_string_equal(b->k.line[n - 1], last);
}

static void what_was_in_a_file_before_is_passed_over(void **state)
{
	struct bench *b = *state;

	add(b, LINE LINE "fcap-guest cpu=0 st");
	open_guest(b);
	assert_has(b, 0, NULL);
	add(b, "eal=5 resolution_ns=9\n" OTHER);
	assert_has(b, 1, MARKER2);
	assert_has(b, 1, MARKER2);
	cap_guests_sum_up(b->guests, &seen, keep_said);
	assert_string_equal(said, "");
}

static void a_line_may_arrive_in_pieces(void **state)
{
	struct bench *b = *state;

	add(b, "");
	open_guest(b);
	add(b, "boot\r\nfcap-guest cpu=0 ste");
	assert_has(b, 0, NULL);
	add(b, "al=1 resolution_ns=9\r");
	assert_has(b, 0, NULL);
	add(b, "\n");
	assert_has(b, 1, MARKER);
}

static void a_file_that_appears_is_read_from_its_beginning(void **state)
{
	struct bench *b = *state;

	open_guest(b);
	assert_has(b, 0, NULL);
	add(b, LINE);
	assert_has(b, 1, MARKER);
	add(b, OTHER);
	assert_has(b, 2, MARKER2);
}

static void a_file_that_never_appears_is_told(void **state)
{
	struct bench *b = *state;
	char want[600];

	open_guest(b);
	assert_has(b, 0, NULL);
	cap_guests_sum_up(b->guests, &seen, keep_said);
	snprintf(want, sizeof(want), "guest vm1: %s: never appeared", b->path);
	assert_string_equal(said, want);
}

static void a_guest_that_is_no_vm_is_told_with_those_that_there_were(void **state)
{
	struct cap_vm other[] = { { .name = "vm2" }, { .name = "vm3" } };
	struct cap_vmlist others = { other, 2 };
	struct bench *b = *state;

	open_guest(b);
	add(b, LINE);
	assert_has(b, 1, MARKER);
	cap_guests_sum_up(b->guests, &others, keep_said);
	assert_string_equal(said, "guest vm1: no VM of this name was seen; there were vm2, vm3");
	others.n = 1;
	cap_guests_sum_up(b->guests, &others, keep_said);
	assert_string_equal(said, "guest vm1: no VM of this name was seen; there was vm2");
	others.n = 0;
	cap_guests_sum_up(b->guests, &others, keep_said);
	assert_string_equal(said, "guest vm1: no VM was seen");
}

static void a_file_that_says_nothing_is_told(void **state)
{
	struct bench *b = *state;

	open_guest(b);
	add(b, "login:\n");
	assert_has(b, 0, NULL);
	cap_guests_sum_up(b->guests, &seen, keep_said);
	assert_non_null(strstr(said, ": no line of fcap-guest came"));
}

static void lines_that_are_not_understood_are_told(void **state)
{
	struct bench *b = *state;

	open_guest(b);
	add(b, LINE "fcap-guest cpu=0\nfcap-work n=x\n");
	assert_has(b, 1, MARKER);
	cap_guests_sum_up(b->guests, &seen, keep_said);
	assert_non_null(strstr(said, ": 2 lines of fcap's were not understood"));
}

/* As QEMU opens its file when it starts. What was left of a line is not joined with the new. */
static void a_file_that_is_truncated_is_read_again(void **state)
{
	struct bench *b = *state;

	add(b, "old\nold\nold\nold\nold\nold\nold\nold\nold\nold\nold\nold\n");
	open_guest(b);
	add(b, "fcap-guest cpu=7 st");
	assert_has(b, 0, NULL);
	write_to(b->path, O_TRUNC, LINE);
	assert_has(b, 1, MARKER);
	add(b, OTHER);
	assert_has(b, 2, MARKER2);
	cap_guests_sum_up(b->guests, &seen, keep_said);
	assert_string_equal(said, "");
}

static void a_file_that_is_replaced_is_followed_by_its_name(void **state)
{
	struct bench *b = *state;
	char *aside = tempdir_file(b->dir, "aside");

	add(b, "");
	open_guest(b);
	assert_int_equal(rename(b->path, aside), 0);
	write_to(aside, O_APPEND, LINE "fcap-gu");
	assert_has(b, 1, MARKER); /* it is still written to */
	add(b, OTHER);
	assert_has(b, 2, MARKER2);
	write_to(aside, O_APPEND, LINE);
	assert_has(b, 2, MARKER2);
	free(aside);
}

static void a_fifo_may_have_one_writer_after_the_other(void **state)
{
	struct bench *b = *state;

	assert_int_equal(mkfifo(b->path, 0600), 0);
	open_guest(b);
	assert_has(b, 0, NULL);
	add(b, LINE);
	assert_has(b, 1, MARKER);
	assert_has(b, 1, MARKER);
	add(b, OTHER);
	assert_has(b, 2, MARKER2);
}

static int open_terminal(struct bench *b)
{
	const int fd = posix_openpt(O_RDWR | O_NOCTTY);

	assert_true(fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0);
	free(b->path);
	b->path = strdup(ptsname(fd));
	assert_non_null(b->path);
	return fd;
}

static bool echoes(int fd)
{
	struct termios t;

	assert_int_equal(tcgetattr(fd, &t), 0);
	return t.c_lflag & ECHO;
}

static void a_terminal_does_not_echo_while_it_is_read(void **state)
{
	struct bench *b = *state;
	const int fd = open_terminal(b);
	char back[64];

	assert_true(echoes(fd));
	open_guest(b);
	assert_false(echoes(fd));
	assert_int_equal(write(fd, LINE, strlen(LINE)), strlen(LINE));
	assert_has(b, 1, MARKER);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	assert_int_equal(read(fd, back, sizeof(back)), -1);
	assert_int_equal(errno, EAGAIN);
	cap_guests_close(b->guests);
	b->guests = NULL;
	assert_true(echoes(fd));
	close(fd);
}

static void a_terminal_that_hangs_up_may_come_back(void **state)
{
	struct bench *b = *state;
	char *link = tempdir_file(b->dir, "link");
	int fd = open_terminal(b);

	assert_int_equal(symlink(b->path, link), 0);
	free(b->path);
	b->path = link;
	open_guest(b);
	close(fd);
	assert_has(b, 0, NULL);
	assert_has(b, 0, NULL);
	fd = posix_openpt(O_RDWR | O_NOCTTY);
	assert_true(fd >= 0 && grantpt(fd) == 0 && unlockpt(fd) == 0);
	unlink(link);
	assert_int_equal(symlink(ptsname(fd), link), 0);
	assert_has(b, 0, NULL);
	assert_int_equal(write(fd, LINE, strlen(LINE)), strlen(LINE));
	assert_has(b, 1, MARKER);
	close(fd);
}

static void what_cannot_be_followed_is_refused(void **state)
{
	struct bench *b = *state;
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
	struct fcap_err err = { 0 };

	assert_true(open_path(b, b->dir, &err) < 0);
	assert_non_null(strstr(err.text, ": is neither a file, nor a fifo, nor a device"));
	snprintf(at.sun_path, sizeof(at.sun_path), "%s", b->path);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof(at)), 0);
	err = (struct fcap_err){ 0 };
	assert_true(open_path(b, b->path, &err) < 0);
	assert_non_null(strstr(err.text, ": is neither a file, nor a fifo, nor a device"));
	close(fd);
}

static int refuse(void *ctx, const char *text)
{
	(void)ctx;
	(void)text;
	return -ENOSPC;
}

static void an_error_of_the_sink_stays(void **state)
{
	struct bench *b = *state;
	const struct cap_guest_source source = { "vm1", b->path };
	struct fcap_err err = { 0 };

	assert_int_equal(
		cap_guests_open(&b->guests, &source, 1, (struct cap_sink){ refuse, NULL }, &err),
		0);
	assert_int_equal(cap_guests_read(b->guests), 0);
	add(b, LINE);
	assert_int_equal(cap_guests_read(b->guests), -ENOSPC);
	assert_int_equal(cap_guests_read(b->guests), -ENOSPC);
	assert_int_equal(cap_guests_read(NULL), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(what_was_in_a_file_before_is_passed_over),
		TEST(a_line_may_arrive_in_pieces),
		TEST(a_file_that_appears_is_read_from_its_beginning),
		TEST(a_file_that_never_appears_is_told),
		TEST(a_guest_that_is_no_vm_is_told_with_those_that_there_were),
		TEST(a_file_that_says_nothing_is_told),
		TEST(lines_that_are_not_understood_are_told),
		TEST(a_file_that_is_truncated_is_read_again),
		TEST(a_file_that_is_replaced_is_followed_by_its_name),
		TEST(a_fifo_may_have_one_writer_after_the_other),
		TEST(a_terminal_does_not_echo_while_it_is_read),
		TEST(a_terminal_that_hangs_up_may_come_back),
		TEST(what_cannot_be_followed_is_refused),
		TEST(an_error_of_the_sink_stays),
	};

	return cmocka_run_group_tests_name("capture guest pipe", tests, NULL, NULL);
}
