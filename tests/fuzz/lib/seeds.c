// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Writes the inputs that fuzzing starts from into a folder, one below it for each target:
 * small traces of every kind, their pages and formats, markers.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "tests/fuzz/lib/target.h"
#include "tests/lib/builder.h"

#define PAGE 4096

struct bytes {
	char *data;
	size_t n;
};

static char *place(const char *dir, const char *target, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", dir, target) < 0)
		fuzz_fail("out of memory");
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		fuzz_fail(path);
	free(path);
	if (asprintf(&path, "%s/%s/%s", dir, target, name) < 0)
		fuzz_fail("out of memory");
	return path;
}

static void put(const char *dir, const char *target, const char *name, const struct bytes *b)
{
	char *path = place(dir, target, name);
	FILE *f = fopen(path, "wb");

	if (!f || fwrite(b->data, 1, b->n, f) != b->n || fclose(f) != 0)
		fuzz_fail(path);
	free(path);
}

static struct bytes get(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct bytes b = { NULL, 0 };

	if (!f || fseek(f, 0, SEEK_END) < 0)
		fuzz_fail(path);
	b.n = (size_t)ftell(f);
	rewind(f);
	b.data = malloc(b.n + 1);
	if (!b.data || fread(b.data, 1, b.n, f) != b.n)
		fuzz_fail(path);
	fclose(f);
	return b;
}

static void add_options(struct tb *tb)
{
	static const uint32_t factor[4] = { 1, 0, 0, 0 };
	/* trace id, flags, one CPU, one sample: time, offset, scale; fraction */
	static const uint32_t shift[] = { 1, 0, 1, 1, 1, 9, 0, 5, 0, 1, 0, 0, 0 };
	/* name, trace id, one vCPU: its number and thread */
	static const char guest[] = "vm1\0\1\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\145\0\0";

	tb_option(tb, 14, factor, sizeof(factor));
	tb_option(tb, 12, shift, sizeof(shift));
	tb_option(tb, 13, guest, sizeof(guest));
	tb_cpustat(tb, 0, 3, 1);
}

/* Two VMs that share a CPU, with a bit of everything. */
static struct tb *small_trace(int version, enum tb_compression c, enum tb_machine machine)
{
	const struct tb_task a = { 101, "CPU 0/KVM", 0 }, b = { 201, "CPU 0/KVM", 0 };
	struct tb *tb = tb_new(2, version, c);

	tb_set_machine(tb, machine);
	tb_set_pages_per_chunk(tb, 1);
	tb_option(tb, 7, "-250", 5);
	/* the numbers of the others are little-endian */
	if (machine == TB_LE64)
		add_options(tb);
	tb_fork(tb, tb_by(0, 1000, 100), (struct tb_task){ 100, "vm1", 0 }, a);
	tb_newtask(tb, tb_by(0, 1100, 200), b, 0x10000);
	tb_cgroup_attach(tb, tb_by(0, 1200, 200), b, "/vms/b");
	for (uint64_t i = 0; i < 10; i++) {
		const uint64_t t = 10000000 * (i + 1);

		tb_waking(tb, tb_at(1, t - 100), a, 0);
		tb_wakeup(tb, tb_at(1, t), a, 0);
		tb_switch(tb, tb_at(0, t + 1000), i ? b : tb_idle, i % 2 ? TB_S : TB_R, a);
		tb_kvm_entry(tb, tb_by(0, t + 2000, a.tid), 0);
		tb_kvm_exit(tb, tb_by(0, t + 3000000, a.tid), 0, 12);
		tb_switch(tb, tb_at(0, t + 4000000), a, TB_S, b);
		tb_kvm_entry(tb, tb_by(0, t + 4001000, b.tid), 0);
		tb_kvm_exit(tb, tb_by(0, t + 9000000, b.tid), 0, 30);
	}
	tb_missed(tb, 1, 5);
	tb_absolute(tb, 1);
	tb_migrate(tb, tb_at(1, 120000000), a, 0, 1);
	tb_marker(tb, 900, "fcap: begin v=1 clock=mono sample_ns=100000000");
	tb_marker(tb, 901, "fcap: cpu id=0 core=0 package=0 siblings=0-1");
	tb_marker(tb, 902, "fcap: task tid=101 tgid=100 comm=\"CPU 0/KVM\" cgroup=/vms/a nice=0");
	tb_marker(tb, 903, "fcap: cg path=/vms/a parent=/vms weight=1024 quota=max cpuset=0-1");
	tb_marker(tb, 904, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, 905, "fcap: steal tid=101 run=123 delay=456 n=3");
	tb_marker(tb, 906, "fcap: work vm=vm1 n=100 t=0.000001 dt=0.000001 unit=loops");
	tb_marker(tb, 130000000, "fcap: end events=100 bytes=1000");
	return tb;
}

/* The formats of a version 6 file: what lies between "name: " and the next. */
static void put_formats(const char *dir, const struct bytes *file)
{
	static const char *const names[] = { "name: sched_switch\n", "name: kvm_exit\n",
					     "name: print\n", "name: sched_process_exec\n" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *p = memmem(file->data, file->n, names[i], strlen(names[i]));
		struct bytes b = { NULL, 0 };
		char name[16];

		if (!p)
			continue;
		b.n = 65 + strnlen(p, (size_t)(file->data + file->n - p));
		b.data = calloc(1, b.n + 1);
		if (!b.data)
			fuzz_fail("out of memory");
		b.data[0] = 64;
		b.data[64] = "skfs"[i];
		memcpy(b.data + 65, p, b.n - 65);
		snprintf(name, sizeof(name), "%zu", i);
		put(dir, "formats", name, &b);
		free(b.data);
	}
}

/* The three pages of the main buffer: behind them come its table and page of the second buffer. */
static void put_pages(const char *dir, const struct bytes *file)
{
	const size_t pages = file->n / PAGE, n = 3 * PAGE;
	struct bytes b = { malloc(n + 2), n + 2 };

	if (!b.data || pages < 5)
		fuzz_fail("no pages");
	b.data[0] = 0;
	b.data[1] = (char)171; /* two of three parts */
	memcpy(b.data + 2, file->data + (pages - 5) * PAGE, n);
	put(dir, "pages", "plain", &b);
	b.data[0] = 4;
	put(dir, "pages", "ticks", &b);
	free(b.data);
}

static void put_markers(const char *dir)
{
	static char steal[] = "fcap: steal tid=815 run=123456789 delay=4567890 n=312";
	static char begin[] = "fcap: begin v=1 cmd=\"./run \\\"vms\\\" \\x41\\n\" label.x=on";
	const struct bytes lines[] = { { steal, sizeof(steal) - 1 }, { begin, sizeof(begin) - 1 } };

	put(dir, "markers", "steal", &lines[0]);
	put(dir, "markers", "begin", &lines[1]);
}

static void put_traces(const char *dir)
{
	static const struct {
		int version;
		enum tb_compression c;
		const char *name;
		enum tb_machine machine;
	} kinds[] = { { 6, TB_PLAIN, "v6", TB_LE64 },	     { 7, TB_PLAIN, "v7", TB_LE64 },
		      { 7, TB_ZSTD, "zstd", TB_LE64 },	     { 7, TB_ZLIB, "zlib", TB_LE64 },
		      { 7, TB_ZSTD, "big-endian", TB_BE64 }, { 6, TB_PLAIN, "32-bit", TB_LE32 } };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct tb *tb = small_trace(kinds[i].version, kinds[i].c, kinds[i].machine);
		char *path = place(dir, "header", kinds[i].name);
		struct bytes b;

		if (tb_write(tb, path) < 0)
			fuzz_fail(path);
		b = get(path);
		put(dir, "report", kinds[i].name, &b);
		if (i == 0) {
			put_formats(dir, &b);
			put_pages(dir, &b);
		}
		free(b.data);
		free(path);
		tb_free(tb);
	}
}

int main(int argc, char **argv)
{
	if (argc != 2) {
		fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
		return 2;
	}
	put_traces(argv[1]);
	put_markers(argv[1]);
	return 0;
}
