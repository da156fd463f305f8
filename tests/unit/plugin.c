// SPDX-License-Identifier: GPL-3.0-or-later
/* plugin_fcap.so: marker lines in words, and the manners of a plugin of libtraceevent. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <traceevent/event-parse.h>
#include <traceevent/trace-seq.h>

#include "analyze/plugin/words.h"

int tep_plugin_loader(struct tep_handle *tep);
void tep_plugin_unloader(struct tep_handle *tep);

/* Thread 88 has a name; no other one is known. */
static const char *comm(void *ctx, int tid)
{
	(void)ctx;
	return tid == 88 ? "CPU 0/KVM" : NULL;
}

static void check_words(const char *line, const char *words)
{
	struct fcap_words w = { .comm = comm };
	struct fcap_marker m;
	char text[FCAP_MARKER_MAX];

	snprintf(text, sizeof(text), "%s", line);
	assert_int_equal(fcap_marker_parse(text, &m), 0);
	assert_int_equal(fcap_words_write(&w, &m), 0);
	assert_string_equal(w.text, words);
}

static void times_have_units_that_fit_them(void **state)
{
	(void)state;
	/* 123456789 ns are 123.456789 ms; 4567890 are 4.567890 ms: three decimals, rounded */
	check_words("fcap: steal tid=815 run=123456789 delay=4567890 n=312",
		    "fcap steal thread 815: run 123.457 ms, waited 4.568 ms, arrivals 312");
	check_words("fcap: steal tid=815 run=999 delay=1000 n=0",
		    "fcap steal thread 815: run 999 ns, waited 1.000 us, arrivals 0");
	/* 999999499 ns are 999.999 ms; half a microsecond more makes it a second */
	check_words("fcap: steal tid=815 run=999999499 delay=999999500 n=1",
		    "fcap steal thread 815: run 999.999 ms, waited 1.000 s, arrivals 1");
	/* 2^64 - 1 ns: 18446744073.709551615 s */
	check_words("fcap: steal tid=815 run=18446744073709551615 delay=0 n=1",
		    "fcap steal thread 815: run 18446744073.710 s, waited 0 ns, arrivals 1");
}

static void threads_have_their_names(void **state)
{
	(void)state;
	check_words("fcap: vcpu tid=88 tgid=83 id=0",
		    "fcap vcpu CPU 0/KVM-88: of thread 83, number 0");
}

static void ticks_are_times_by_the_unit_of_their_line(void **state)
{
	(void)state;
	/* 11 ticks of 10 ms, and 418 */
	check_words("fcap: host cpu=3 steal=11 unit=10000000 total=418",
		    "fcap host CPU 3: steal 110.000 ms, in ticks of 10.000 ms, total 4.180 s");
	/* without a unit, and where the product would not fit 64 bits, ticks they are */
	check_words("fcap: host cpu=3 steal=11", "fcap host CPU 3: steal 11");
	check_words("fcap: host cpu=3 steal=18446744073709551615 unit=10000000",
		    "fcap host CPU 3: steal 18446744073709551615, in ticks of 10.000 ms");
}

static void the_other_kinds_are_in_words(void **state)
{
	(void)state;
	/* quota and period are in us */
	check_words("fcap: cg path=/a parent=/ quota=50000 period=100000 throttled_ns=1500000",
		    "fcap cg /a: parent=/, quota 50.000 ms, period 100.000 ms, throttled 1.500 ms");
	check_words("fcap: cg path=/a quota=max", "fcap cg /a: quota max");
	check_words("fcap: freq cpu=1 khz=2800000", "fcap freq CPU 1: 2.800 GHz");
	check_words("fcap: work vm=vm1 n=29729 t=5.21 dt=0.25 unit=loops",
		    "fcap work vm1: done 29729, until 5.21 s, in 0.25 s, counted in loops");
	check_words("fcap: guest vm=vm2 cpu=0 steal=1970000000 resolution_ns=10000000",
		    "fcap guest vm2 CPU 0: steal 1.970 s, resolution 10.000 ms");
	check_words("fcap: end events=4745 bytes=299008 fcap_cpu_ns=453696000",
		    "fcap end: events=4745, 299008 bytes, CPU time of fcap 453.696 ms");
}

static void what_is_not_known_stands_as_it_is(void **state)
{
	(void)state;
	check_words("fcap: later who=7 what=x", "fcap later: who=7, what=x");
	check_words("fcap: steal tid=88 new=1", "fcap steal CPU 0/KVM-88: new=1");
	check_words("fcap: steal tid=x run=much", "fcap steal thread x: run much");
	check_words("fcap: cut", "fcap cut");
}

static void values_cannot_break_the_line(void **state)
{
	(void)state;
	check_words("fcap: begin cmd=\"a \\\"b\\\"\\n\\x07\"",
		    "fcap begin: command \"a \\\"b\\\"\\n\\x07\"");
}

static void words_that_do_not_fit_are_not_cut_in_silence(void **state)
{
	struct fcap_words w = { .comm = NULL };
	static char value[FCAP_WORDS_MAX];
	struct fcap_marker m = { .kind = "x", .n = 1 };

	(void)state;
	memset(value, 'a', sizeof(value) - 1);
	m.kv[0].key = "k";
	m.kv[0].value = value;
	assert_int_equal(fcap_words_write(&w, &m), -ENOSPC);
}

static void a_kind_is_in_its_list(void **state)
{
	(void)state;
	assert_true(fcap_words_has_kind("all", "steal"));
	assert_true(fcap_words_has_kind("work,steal", "steal"));
	assert_false(fcap_words_has_kind("work,steals", "steal"));
	assert_false(fcap_words_has_kind("", "steal"));
}

/* Long of 8 bytes, as in tests/lib/formats.c. */
static const char print_format[] =
	"name: print\n"
	"ID: 5\n"
	"format:\n"
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n"
	"\n"
	"\tfield:unsigned long ip;\toffset:8;\tsize:8;\tsigned:0;\n"
	"\tfield:char buf[];\toffset:16;\tsize:0;\tsigned:0;\n"
	"\n"
	"print fmt: \"%ps: %s\", (void *)REC->ip, REC->buf\n";

static struct tep_handle *new_tep(void)
{
	struct tep_handle *tep = tep_alloc();

	assert_non_null(tep);
	tep_set_long_size(tep, 8);
	return tep;
}

static struct tep_event *print_event(struct tep_handle *tep)
{
	assert_int_equal(tep_parse_event(tep, print_format, strlen(print_format), "ftrace"), 0);
	return tep_find_event_by_name(tep, "ftrace", "print");
}

/* What the library shows of a print record that holds the len bytes at text. */
static void check_shown(struct tep_handle *tep, const char *text, size_t len, const char *shown)
{
	struct tep_record record = { .size = (int)(16 + len) };
	char *data = calloc(1, 16 + len);
	struct trace_seq s;

	assert_non_null(data);
	data[0] = 5;
	memcpy(data + 16, text, len);
	record.data = data;
	trace_seq_init(&s);
	tep_print_event(tep, &s, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&s);
	assert_string_equal(s.buffer, shown);
	trace_seq_destroy(&s);
	free(data);
}

static void only_whole_lines_of_fcap_are_shown_in_words(void **state)
{
	static const char line[] = "fcap: vcpu tid=88 tgid=83 id=0", other[] = "hello",
			  bad[] = "fcap: vcpu tid", quote[] = "fcap: x k=\"v";
	struct tep_handle *tep = new_tep();
	char longest[FCAP_MARKER_MAX + 64] = "fcap: x k=", shown[sizeof(longest) + 8];

	(void)state;
	tep_plugin_loader(tep);
	print_event(tep);
	assert_int_equal(tep_register_comm(tep, "CPU 0/KVM", 88), 0);
	check_shown(tep, line, sizeof(line), "fcap vcpu CPU 0/KVM-88: of thread 83, number 0");
	/* the record may end without a NUL */
	check_shown(tep, line, strlen(line), "fcap vcpu CPU 0/KVM-88: of thread 83, number 0");
	check_shown(tep, other, sizeof(other), "0x0: hello");
	check_shown(tep, bad, sizeof(bad), "0x0: fcap: vcpu tid");
	check_shown(tep, quote, sizeof(quote), "0x0: fcap: x k=\"v");
	memset(longest + strlen(longest), 'v', sizeof(longest) - 1 - strlen(longest));
	snprintf(shown, sizeof(shown), "0x0: %s", longest);
	check_shown(tep, longest, sizeof(longest), shown);
	tep_plugin_unloader(tep);
	tep_free(tep);
}

static void an_unloaded_plugin_shows_nothing(void **state)
{
	static const char line[] = "fcap: cut";
	struct tep_handle *tep = new_tep();

	(void)state;
	tep_plugin_loader(tep);
	print_event(tep);
	check_shown(tep, line, sizeof(line), "fcap cut");
	tep_plugin_unloader(tep);
	check_shown(tep, line, sizeof(line), "0x0: fcap: cut");
	tep_free(tep);
}

static int somebody_elses(struct trace_seq *s, struct tep_record *record, struct tep_event *event,
			  void *context)
{
	(void)record;
	(void)event;
	(void)context;
	trace_seq_puts(s, "somebody else's");
	return 0;
}

static void a_handler_of_somebody_else_stays(void **state)
{
	static const char line[] = "fcap: cut";
	struct tep_handle *tep = new_tep();

	(void)state;
	print_event(tep);
	tep_register_event_handler(tep, -1, "ftrace", "print", somebody_elses, NULL);
	tep_plugin_loader(tep);
	check_shown(tep, line, sizeof(line), "somebody else's");
	tep_plugin_unloader(tep);
	check_shown(tep, line, sizeof(line), "somebody else's");
	tep_free(tep);
}

/* Loads one, unless it is ours, which may be installed; it stays, as its functions are referred to.
 */
static void load(struct tep_handle *tep, const char *path, const char *name, void *data)
{
	char file[4096];
	tep_plugin_load_func loader = NULL;
	void *library;

	if (strcmp(name, "plugin_fcap.so") == 0)
		return;
	snprintf(file, sizeof(file), "%s/%s", path, name);
	library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
	if (library)
		*(void **)&loader = dlsym(library, TEP_PLUGIN_LOADER_NAME);
	if (loader && loader(tep) == 0)
		++*(int *)data;
}

/* Handlers that wait for their event cannot be seen, so this must stay true of all plugins. */
static void no_plugin_of_the_library_owns_print(void **state)
{
	struct tep_handle *tep = new_tep();
	int loaded = 0;

	(void)state;
	tep_load_plugins_hook(tep, ".so", load, &loaded);
	print_message("%d plugins\n", loaded);
	assert_null(print_event(tep)->handler);
	tep_free(tep);
}

/* Of ours. Not by tep_plugin_list_options(), which in 1.7.1 writes past the list it allocates. */
static int count_of_options(void)
{
	struct trace_seq s;
	int n = 0;

	trace_seq_init(&s);
	tep_plugin_print_options(&s);
	trace_seq_terminate(&s);
	for (const char *p = s.buffer; (p = strstr(p, "plugin_fcap")); p++)
		n++;
	trace_seq_destroy(&s);
	return n;
}

static void options_hold_for_every_file(void **state)
{
	static const char line[] = "fcap: cut", work[] = "fcap: work vm=a n=1";
	struct tep_handle *a = new_tep(), *b = new_tep();

	(void)state;
	/* before anything is loaded, as trace-cmd does with -O */
	assert_int_equal(tep_plugin_add_option("fcap:kinds", "work,steal"), 0);
	tep_plugin_loader(a);
	tep_plugin_loader(b);
	assert_int_equal(count_of_options(), 2);
	print_event(a);
	print_event(b);
	check_shown(a, line, sizeof(line), "0x0: fcap: cut");
	check_shown(b, work, sizeof(work), "fcap work a: done 1");
	tep_plugin_add_option("fcap:raw", NULL);
	check_shown(b, work, sizeof(work), "0x0: fcap: work vm=a n=1");
	tep_plugin_unloader(a);
	assert_int_equal(count_of_options(), 2);
	tep_plugin_unloader(b);
	assert_int_equal(count_of_options(), 0);
	tep_free(a);
	tep_free(b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_have_units_that_fit_them),
		cmocka_unit_test(threads_have_their_names),
		cmocka_unit_test(ticks_are_times_by_the_unit_of_their_line),
		cmocka_unit_test(the_other_kinds_are_in_words),
		cmocka_unit_test(what_is_not_known_stands_as_it_is),
		cmocka_unit_test(values_cannot_break_the_line),
		cmocka_unit_test(words_that_do_not_fit_are_not_cut_in_silence),
		cmocka_unit_test(a_kind_is_in_its_list),
		cmocka_unit_test(only_whole_lines_of_fcap_are_shown_in_words),
		cmocka_unit_test(an_unloaded_plugin_shows_nothing),
		cmocka_unit_test(a_handler_of_somebody_else_stays),
		cmocka_unit_test(options_hold_for_every_file),
		cmocka_unit_test(no_plugin_of_the_library_owns_print),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
