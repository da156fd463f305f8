// SPDX-License-Identifier: GPL-3.0-or-later
/* analyze/report/tree.c and tables.c: the laws of the field tables, building, releasing. */
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "analyze/report/tree.h"
#include "tests/unit/report_sample.h"

static size_t field_size(const struct fan_field *field)
{
	switch (field->type) {
	case FAN_F_STR:
		return sizeof(char *);
	case FAN_F_I64:
		return sizeof(int64_t);
	case FAN_F_REAL:
		return sizeof(double);
	case FAN_F_BOOL:
		return sizeof(bool);
	case FAN_F_STRS:
		return sizeof(struct fan_strs);
	case FAN_F_STRUCT:
		return field->sub->size;
	case FAN_F_ARRAY:
	case FAN_F_NAMED:
	case FAN_F_MAP:
	case FAN_F_CPUS:
		return sizeof(struct fan_array);
	case FAN_F_INTS:
		return sizeof(struct fan_ints);
	case FAN_F_REALS:
		return sizeof(struct fan_reals);
	case FAN_F_EST:
		return sizeof(struct fan_est);
	case FAN_F_VERDICT:
		return sizeof(struct fan_verdict_text);
	}
	return 0;
}

typedef void (*check_fn)(const struct fan_table *table);

/* Calls check for the table and all below it; returns how many there are. */
static size_t for_each_table(const struct fan_table *table, check_fn check)
{
	size_t ret = 1;

	check(table);
	for (size_t i = 0; i < table->n; i++)
		if (table->fields[i].sub)
			ret += for_each_table(table->fields[i].sub, check);
	return ret;
}

static void check_docs(const struct fan_table *table)
{
	assert_true(table->n > 0 && *table->name);
	for (size_t i = 0; i < table->n; i++) {
		const char *doc = table->fields[i].doc;

		assert_non_null(doc);
		assert_true(strlen(doc) > 10);
		assert_int_equal(doc[strlen(doc) - 1], '.');
	}
}

static void every_field_has_a_sentence(void **state)
{
	(void)state;
	/* report; tool source host period overlap quality policies; groups bounds lag steal
	 * waited_for groups host starved by_window threads wait starved steal exits; fairness
	 * worst_pair by_window; isolation pairs first histogram levels cores vms forced_idle
	 * groups; occupancy cpus groups cores; work scores; series curve */
	assert_int_equal(for_each_table(&fan_report_table, check_docs), 42);
}

static void check_names(const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++)
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(table->fields[i].name, table->fields[k].name);
}

static void names_are_unique_within_a_table(void **state)
{
	(void)state;
	for_each_table(&fan_report_table, check_names);
}

/* Fields must also tile the struct: a member that has no field would leak or stay unwritten. */
static void check_places(const struct fan_table *table)
{
	size_t end = 0;

	for (size_t i = 0; i < table->n; i++) {
		const struct fan_field *field = &table->fields[i];

		assert_true(field->offset + field_size(field) <= table->size);
		/* all types but bool are as wide as they are aligned */
		assert_int_equal(field->offset, (end + 7) / 8 * 8);
		end = field->offset + field_size(field);
	}
	assert_int_equal((end + 7) / 8 * 8, table->size);
}

static void fields_tile_their_struct_without_hole_or_overlap(void **state)
{
	(void)state;
	for_each_table(&fan_report_table, check_places);
}

static void check_units_and_subs(const struct fan_table *table)
{
	for (size_t i = 0; i < table->n; i++) {
		const struct fan_field *field = &table->fields[i];
		const size_t len = strlen(field->name);
		const bool nested = field->type == FAN_F_STRUCT || field->type == FAN_F_ARRAY ||
				    field->type == FAN_F_NAMED;

		assert_int_equal(field->sub != NULL, nested);
		if (!nested && len > 3 && strcmp(field->name + len - 3, "_ns") == 0)
			assert_string_equal(field->unit, "ns");
		if (len > 4 && strcmp(field->name + len - 4, "_pct") == 0)
			assert_string_equal(field->unit, "percent");
	}
}

static void units_agree_with_names_and_only_nested_fields_have_tables(void **state)
{
	(void)state;
	for_each_table(&fan_report_table, check_units_and_subs);
}

static void a_new_item_does_not_exist_in_any_field(void **state)
{
	struct fan_array groups = { 0 };
	struct fan_r_group *g = fan_array_add(&groups, &fan_group_table);

	(void)state;
	assert_non_null(g);
	assert_null(g->name);
	assert_true(g->tgid == FAN_NONE && g->run_ns == FAN_NONE);
	assert_true(isnan(g->weight) && isnan(g->share_bounds.hi));
	assert_true(isnan(g->share.value) && isnan(g->share.lo_adj) && isnan(g->share.level));
	assert_int_equal(g->share.m, 1);
	assert_null(g->share.method);
	assert_null(g->verdict.word);
	assert_true(isnan(g->verdict.margin) && !g->verdict.indicative);
	assert_true(g->steal.trace_ns == FAN_NONE && !g->steal.closure);
	assert_int_equal(g->threads.n, 0);
	fan_tree_free(g, &fan_group_table);
	free(groups.items);
}

static void arrays_keep_their_items_while_they_grow(void **state)
{
	struct fan_r_group g;
	struct fan_strs strs = { 0 };
	const struct fan_r_thread *t;

	(void)state;
	fan_tree_init(&g, &fan_group_table);
	for (int64_t i = 0; i < 100; i++) {
		sample_thread(&g, i, "x", i);
		assert_int_equal(fan_strs_add(&strs, "%d", (int)i), 0);
	}
	t = g.threads.items;
	assert_int_equal(g.threads.n, 100);
	assert_int_equal(strs.n, 100);
	for (int64_t i = 0; i < 100; i++)
		assert_true(t[i].tid == i && t[i].migrations == FAN_NONE &&
			    atol(strs.items[i]) == i);
	fan_strs_free(&strs);
	assert_int_equal(strs.n, 0);
	fan_tree_free(&g, &fan_group_table);
}

/* That nothing is left behind is for the address sanitizer to see. */
static void a_freed_report_is_empty_and_can_be_freed_again(void **state)
{
	struct fan_report r, zero;

	(void)state;
	sample_make(&r);
	assert_int_equal(r.groups.n, 2);
	fan_report_free(&r);
	assert_null(r.schema);
	assert_null(r.groups.items);
	assert_int_equal(r.groups.n + r.source.labels.n + r.host.cores.n + r.quality.notes.n, 0);
	assert_true(r.quality.events == FAN_NONE);
	fan_report_free(&r);
	memset(&zero, 0, sizeof(zero));
	fan_report_free(&zero);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_has_a_sentence),
		cmocka_unit_test(names_are_unique_within_a_table),
		cmocka_unit_test(fields_tile_their_struct_without_hole_or_overlap),
		cmocka_unit_test(units_agree_with_names_and_only_nested_fields_have_tables),
		cmocka_unit_test(a_new_item_does_not_exist_in_any_field),
		cmocka_unit_test(arrays_keep_their_items_while_they_grow),
		cmocka_unit_test(a_freed_report_is_empty_and_can_be_freed_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
