// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/trigger_page: pages made by hand (little-endian, as every machine that runs them here).
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include <errno.h>
#include <string.h>

#include "capture/trigger_page.h"

#define PAGE   256
#define DATA   16
#define MISSED (1U << 31 | 1U << 30)

static const struct cap_marks_layout layout = {
	.page_size = PAGE, .commit_at = 8, .commit_size = 8, .data_at = DATA
};

struct page {
	unsigned char at[PAGE];
	size_t used;
};

static void put4(struct page *p, uint32_t v)
{
	memcpy(p->at + DATA + p->used, &v, 4);
	p->used += 4;
}

static uint32_t word(const struct page *p, size_t i)
{
	uint32_t v;

	memcpy(&v, p->at + DATA + 4 * i, 4);
	return v;
}

/* An event of one word, delta after the entry before. */
static void put_event(struct page *p, uint32_t delta, uint32_t payload)
{
	put4(p, delta << 5 | 1);
	put4(p, payload);
}

static void close_page(struct page *p, uint64_t ts, uint32_t marks)
{
	const uint64_t commit = p->used | marks;

	memcpy(p->at, &ts, 8);
	memcpy(p->at + 8, &commit, 8);
}

static uint64_t number(const struct page *p, size_t at)
{
	uint64_t v;

	memcpy(&v, p->at + at, 8);
	return v;
}

static void older_events_go_and_the_others_keep_their_times(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100); /* at 1000 */
	put_event(&p, 10, 101);
	put_event(&p, 20, 102); /* at 1030 */
	put_event(&p, 5, 103);
	close_page(&p, 1000, MISSED);
	assert_int_equal(cap_page_cut(p.at, &layout, 1011), 2);
	/* counted from the last one that went, at 1010 */
	assert_int_equal(number(&p, 0), 1010);
	assert_int_equal(number(&p, 8), 16); /* two entries of 8 bytes, and no mark */
	assert_int_equal(word(&p, 0), 20 << 5 | 1);
	assert_int_equal(word(&p, 1), 102);
	assert_int_equal(word(&p, 2), 5 << 5 | 1);
	assert_int_equal(word(&p, 3), 103);
	assert_int_equal(word(&p, 4), 0);
}

static void an_event_at_the_very_time_stays(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100);
	put_event(&p, 10, 101);
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 1010), 1);
	assert_int_equal(number(&p, 0), 1000);
	assert_int_equal(word(&p, 1), 101);
}

static void a_later_page_stays_as_it_is_with_its_mark(void **state)
{
	struct page p = { { 0 }, 0 }, before;

	(void)state;
	put_event(&p, 0, 100);
	put_event(&p, 10, 101);
	close_page(&p, 1000, MISSED);
	before = p;
	assert_int_equal(cap_page_cut(p.at, &layout, 999), 2);
	assert_memory_equal(p.at, before.at, PAGE);
}

static void what_was_lost_before_the_first_page_is_no_loss(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100);
	close_page(&p, 1000, MISSED);
	assert_int_equal(cap_page_cut(p.at, &layout, 1000), 1);
	assert_int_equal(number(&p, 0), 1000);
	assert_int_equal(number(&p, 8), 8);
}

static void an_older_page_has_no_events_left(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100);
	put_event(&p, 10, 101);
	put4(&p, 29); /* padding to the end */
	put4(&p, 77);
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 1011), 0);
	assert_int_equal(number(&p, 8), 0);
}

static void long_pauses_and_times_of_their_own_count(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100);
	put4(&p, 7U << 5 | 30); /* 7 + 3 * 2^27 later */
	put4(&p, 3);
	put_event(&p, 0, 101); /* at 1007 + 3 * 2^27 */
	put4(&p, 9U << 5 | 31);
	put4(&p, 4);
	put_event(&p, 1, 102); /* at 10 + 4 * 2^27, whatever was before */
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, (3ULL << 27) + 1008), 1);
	assert_int_equal(number(&p, 0), (3ULL << 27) + 1007);
	assert_int_equal(word(&p, 0), 9U << 5 | 31);
	assert_int_equal(word(&p, 3), 102);
}

static void a_pause_stays_with_the_event_behind_it(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put_event(&p, 0, 100);
	put4(&p, 0U << 5 | 30); /* 2^27 later */
	put4(&p, 1);
	put_event(&p, 50, 101);
	close_page(&p, 1000, 0);
	/* between the pause's end and the event: the pause is older, and goes into the page's time
	 */
	assert_int_equal(cap_page_cut(p.at, &layout, (1ULL << 27) + 1020), 1);
	assert_int_equal(number(&p, 0), (1ULL << 27) + 1000);
	assert_int_equal(word(&p, 0), 50U << 5 | 1);
}

static void long_and_discarded_events_are_walked_over(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put4(&p, 1U << 5); /* an event of 6 bytes that says its length itself: 10, so two words */
	put4(&p, 10);
	put4(&p, 100);
	put4(&p, 100);
	put4(&p, 2U << 5 | 29); /* discarded: 8 bytes behind the head */
	put4(&p, 8);
	put4(&p, 0);
	put_event(&p, 4, 101);
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 900), 2);
	assert_int_equal(cap_page_cut(p.at, &layout, 1002), 1);
	assert_int_equal(number(&p, 0), 1001);
	assert_int_equal(word(&p, 0), 2U << 5 | 29);
}

static void a_damaged_page_is_refused(void **state)
{
	struct page p = { { 0 }, 0 };

	(void)state;
	put4(&p, 20); /* 80 bytes, of which there are 4 */
	put4(&p, 0);
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 1001), -EBADMSG);
	assert_int_equal(cap_page_cut(p.at, &layout, 900), -EBADMSG);
	p.used = PAGE - DATA + 4;
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 900), -EBADMSG);
	p.used = 0;
	put4(&p, 0); /* says its length, and there is none */
	put4(&p, 2);
	close_page(&p, 1000, 0);
	assert_int_equal(cap_page_cut(p.at, &layout, 900), -EBADMSG);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(older_events_go_and_the_others_keep_their_times),
		cmocka_unit_test(an_event_at_the_very_time_stays),
		cmocka_unit_test(a_later_page_stays_as_it_is_with_its_mark),
		cmocka_unit_test(what_was_lost_before_the_first_page_is_no_loss),
		cmocka_unit_test(an_older_page_has_no_events_left),
		cmocka_unit_test(long_pauses_and_times_of_their_own_count),
		cmocka_unit_test(a_pause_stays_with_the_event_behind_it),
		cmocka_unit_test(long_and_discarded_events_are_walked_over),
		cmocka_unit_test(a_damaged_page_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
