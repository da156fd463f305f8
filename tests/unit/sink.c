// SPDX-License-Identifier: GPL-3.0-or-later
/* Text in small pieces: what arrives is what was put in, wherever the pieces end. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analyze/report/sink.h"

/* A number of 20 digits behind each count of bytes around the size of what is kept at a time. */
static void pieces_may_end_anywhere(void **state)
{
	(void)state;
	for (size_t n = 4070; n < 4100; n++) {
		char *text = NULL, *want = malloc(n + 64), *name = calloc(1, n + 1);
		size_t size;
		FILE *f = open_memstream(&text, &size);
		struct fan_sink s = { .f = f };

		assert_true(f && want && name);
		memset(name, 'x', n);
		fan_sink_text(&s, name);
		fan_sink_u64(&s, UINT64_MAX, 0);
		fan_sink_char(&s, ',');
		fan_sink_u64(&s, 7, 3);
		assert_int_equal(fan_sink_flush(&s), 0);
		snprintf(want, n + 64, "%s18446744073709551615,007", name);
		assert_string_equal(text, want);
		fclose(f);
		free(text);
		free(want);
		free(name);
	}
}

static void a_text_may_be_longer_than_what_is_kept(void **state)
{
	char *text = NULL, name[20001] = { 0 };
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct fan_sink s = { .f = f };

	(void)state;
	for (size_t i = 0; i < sizeof(name) - 1; i++)
		name[i] = (char)('a' + i % 26);
	fan_sink_char(&s, '<');
	fan_sink_text(&s, name);
	assert_int_equal(fan_sink_flush(&s), 0);
	assert_int_equal(size, 20001);
	assert_string_equal(text + 1, name);
	fclose(f);
	free(text);
}

/* U+00E9 is é; U+1F600 is 0x10000 + 0xF600: D800 + 3D, DC00 + 200. */
static void json_is_ascii(void **state)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	struct fan_sink s = { .f = f };

	(void)state;
	fan_sink_json(&s, "a\"\\/\n\x7F\xC3\xA9\xF0\x9F\x98\x80\xFF");
	fan_sink_hex(&s, 0x0A);
	assert_int_equal(fan_sink_flush(&s), 0);
	assert_string_equal(text, "\"a\\\"\\\\/\\u000A\\u007F\\u00E9\\uD83D\\uDE00\\uFFFD\"\\x0A");
	fclose(f);
	free(text);
}

static void an_error_is_told_from_the_first_write_on(void **state)
{
	FILE *f = fopen("/dev/full", "w");
	struct fan_sink s = { .f = f };

	(void)state;
	assert_non_null(f);
	setvbuf(f, NULL, _IONBF, 0);
	fan_sink_text(&s, "x");
	assert_int_equal(fan_sink_state(&s), 0);
	fan_sink_pass(&s);
	assert_int_equal(fan_sink_state(&s), -ENOSPC);
	assert_int_equal(fan_sink_flush(&s), -ENOSPC);
	fclose(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pieces_may_end_anywhere),
		cmocka_unit_test(a_text_may_be_longer_than_what_is_kept),
		cmocka_unit_test(json_is_ascii),
		cmocka_unit_test(an_error_is_told_from_the_first_write_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
