// SPDX-License-Identifier: GPL-3.0-or-later
/* The texts of a trace.dat: page and event headers, formats, names, options. */
#include "tests/lib/builder_io.h"

#include <stdlib.h>

#include "tests/lib/formats.h"

void tb_put_headers(const struct tb *tb, FILE *f)
{
	static const char event[] = "# compressed entry header\n\ttype_len    :    5 bits\n"
				    "\ttime_delta  :   27 bits\n\tarray       :   32 bits\n\n"
				    "\tpadding     : type == 29\n\ttime_extend : type == 30\n"
				    "\ttime_stamp : type == 31\n\tdata max type_len  == 28\n";
	const unsigned int head = 8 + tb->words.long_size;
	char page[512];
	int n;

	n = snprintf(page, sizeof(page),
		     "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		     "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		     "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		     "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
		     tb->words.long_size, head, tb->page_size - head);
	put_string(f, "header_page");
	put_u64(tb, f, (uint64_t)n);
	put_bytes(f, page, (size_t)n);
	put_string(f, "header_event");
	put_u64(tb, f, sizeof(event) - 1);
	put_bytes(f, event, sizeof(event) - 1);
}

/* The formats of one system with their sizes in front; returns how many there were. */
static uint32_t put_system(const struct tb *tb, const char *system, FILE *f)
{
	const struct event_format *e;
	uint32_t count = 0;
	size_t n;

	e = event_formats(&n);
	for (size_t i = 0; i < n; i++) {
		struct memory text;

		if (tb->without[i] || strcmp(e[i].system, system) != 0)
			continue;
		memory_open(&text);
		event_format_print(text.f, &e[i], &tb->words);
		memory_close(&text);
		put_u64(tb, f, text.size);
		put_bytes(f, text.data, text.size);
		free(text.data);
		count++;
	}
	return count;
}

void tb_put_ftrace(const struct tb *tb, FILE *f)
{
	struct memory m;
	uint32_t count;

	memory_open(&m);
	count = put_system(tb, "ftrace", m.f);
	memory_close(&m);
	put_u32(tb, f, count);
	put_bytes(f, m.data, m.size);
	free(m.data);
}

void tb_put_events(const struct tb *tb, FILE *f)
{
	static const char *const systems[] = { "cgroup", "kvm", "kvm_hv", "sched", "task" };
	uint32_t nsystems = 0;
	struct memory all;

	memory_open(&all);
	for (size_t i = 0; i < sizeof(systems) / sizeof(systems[0]); i++) {
		struct memory m;
		uint32_t count;

		memory_open(&m);
		count = put_system(tb, systems[i], m.f);
		memory_close(&m);
		if (count) {
			put_string(all.f, systems[i]);
			put_u32(tb, all.f, count);
			put_bytes(all.f, m.data, m.size);
			nsystems++;
		}
		free(m.data);
	}
	memory_close(&all);
	put_u32(tb, f, nsystems);
	put_bytes(f, all.data, all.size);
	free(all.data);
}

void tb_put_cmdlines(const struct tb *tb, FILE *f)
{
	struct memory m;

	memory_open(&m);
	if (tb->cmdlines) {
		put_bytes(m.f, tb->cmdlines, strlen(tb->cmdlines));
	} else {
		for (int tid = 1; tid < TB_COMMS; tid++)
			if (tb->comms[tid][0])
				fprintf(m.f, "%d %s\n", tid, tb->comms[tid]);
	}
	memory_close(&m);
	put_u64(tb, f, m.size);
	put_bytes(f, m.data, m.size);
	free(m.data);
}

/* The clock in use stands in brackets among all that the kernel knows. */
static void put_clock_option(const struct tb *tb, FILE *f)
{
	static const char *const known[] = { "local", "global", "counter",  "uptime", "perf",
					     "mono",  "boot",	"mono_raw", "tai",    "x86-tsc" };
	const char *sep = "";
	bool found = false;
	struct memory m;

	memory_open(&m);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const bool is_ours = strcmp(known[i], tb->clock) == 0;

		fprintf(m.f, is_ours ? "%s[%s]" : "%s%s", sep, known[i]);
		found |= is_ours;
		sep = " ";
	}
	if (!found)
		fprintf(m.f, " [%s]", tb->clock);
	put_bytes(m.f, "\n", 2);
	memory_close(&m);
	put_option(tb, f, OPT_CLOCK, m.data, m.size);
	free(m.data);
}

void tb_put_options(const struct tb *tb, FILE *f)
{
	static const char version[] = "3.3 builder";
	const uint64_t trace_id = 0x1122334455667788;

	if (tb->clock)
		put_clock_option(tb, f);
	if (tb->kernel)
		put_option(tb, f, OPT_UNAME, tb->kernel, strlen(tb->kernel) + 1);
	put_option(tb, f, OPT_VERSION, version, sizeof(version));
	put_option_number(tb, f, OPT_TRACEID, trace_id, sizeof(trace_id));
	for (size_t i = 0; i < tb->nopts; i++)
		put_option(tb, f, (enum option)tb->opts[i].id, tb->opts[i].value.data,
			   tb->opts[i].value.size);
	if (tb->cpu_count > 0)
		put_option_number(tb, f, OPT_CPUS, (uint32_t)tb->cpu_count, 4);
}
