// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * One recording as every version, compression, machine and page size writes it: the reader tells
 * the same of all. Every file is also handed to libtracecmd, where that can read it.
 */
#include <errno.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analyze/analysis.h"
#include "analyze/report/json.h"
#include "tests/lib/builder.h"
#include "tests/lib/kinds.h"
#include "tests/unit/told.h"
#include "tests/unit/paper.h"

static const struct tb_task a1 = { 101, "CPU 0/KVM", 0 };
static const struct tb_task b1 = { 201, "CPU 1/KVM", 99 };

/* A bit of everything; sizes of page from 4096 on hold it. */
static void put_all(struct tb *tb)
{
	tb_fork(tb, tb_by(0, 1000, 100), (struct tb_task){ 100, "vm1", 0 }, a1);
	tb_newtask(tb, tb_by(0, 1100, 100), a1, 0x10000);
	tb_rename(tb, tb_by(0, 1200, 101), a1, "renamed");
	tb_exec(tb, tb_at(0, 1300), b1, "/usr/bin/qemu-system-x86_64");
	tb_cgroup_attach(tb, tb_by(0, 1400, 1), b1, "/machine.slice/b");
	tb_waking(tb, tb_at(1, 1900), a1, 0);
	tb_wakeup(tb, tb_at(1, 2000), a1, 0);
	tb_wakeup_new(tb, tb_at(1, 2100), b1, 1);
	tb_switch(tb, tb_at(0, 3000), tb_idle, TB_R, a1);
	tb_kvm_userspace_exit(tb, tb_by(0, 3500, 101), 2);
	tb_kvm_vcpu_wakeup(tb, tb_by(0, 3600, 101), 0x123456789a, true);
	/* over 2^27 and over 2^32 ns later, an absolute stamp, a discarded record, losses */
	tb_switch(tb, tb_at(0, 200000000), a1, TB_PREEMPTED, b1);
	tb_switch(tb, tb_at(1, 9000000000), tb_idle, TB_R, b1);
	tb_absolute(tb, 1);
	tb_switch(tb, tb_at(1, 9000000100), b1, TB_S, a1);
	tb_discarded(tb, tb_at(1, 9000000200), 16);
	tb_missed(tb, 1, 77);
	tb_migrate(tb, tb_at(1, 9000000300), b1, 1, 0);
	tb_missed(tb, 1, -1);
	tb_exit(tb, tb_at(1, 9000000400), a1);
	tb_free_task(tb, tb_at(1, 9000000500), a1);
	/* of more than 112 bytes, so that its length is in a word of its own */
	tb_print(tb, tb_by(1, 9000000600, 7), "%0200d", 5);
	tb_marker(tb, 9000000700, "fcap: steal tid=101 run=1 delay=2 n=3");
}

/* By hand: stamp, CPU, buffer, losses: kind, common_pid: what it tells. */
static const char expected[] = "1000 0 0 0: 5 100: 100 101 CPU 0/KVM\n"
			       "1100 0 0 0: 9 100: 101 10000 CPU 0/KVM\n"
			       "1200 0 0 0: 10 101: 101 renamed\n"
			       "1300 0 0 0: 8 201: 201\n"
			       "1400 0 0 0: 12 1: 201 1 /machine.slice/b\n"
			       "1900 1 0 0: 3 0: 101 0 CPU 0/KVM\n"
			       "2000 1 0 0: 1 0: 101 0 CPU 0/KVM\n"
			       "2100 1 0 0: 2 0: 201 1 CPU 1/KVM\n"
			       "3000 0 0 0: 0 0: 0 120 1, 101 120 CPU 0/KVM\n"
			       "3500 0 0 0: 11 101: -1 3\n"
			       "3600 0 0 0: 11 101: -1 4 78187493530 1\n"
			       "200000000 0 0 0: 0 101: 101 120 1, 201 99 CPU 1/KVM\n"
			       "9000000000 1 0 0: 0 0: 0 120 1, 201 99 CPU 1/KVM\n"
			       "9000000100 1 0 0: 0 201: 201 99 0, 101 120 CPU 0/KVM\n"
			       "9000000300 1 0 77: 4 0: 201 0\n"
			       "9000000400 1 0 -1: 6 101: 101\n"
			       "9000000500 1 0 0: 7 0: 101\n";

static void assert_expected(const char *text)
{
	const size_t n = strlen(expected);
	char print[300], marker[80];

	if (strncmp(text, expected, n) != 0)
		fail_msg("got:\n%s", text);
	snprintf(print, sizeof(print), "9000000600 1 0 0: 13 7: %0200d\n\n", 5);
	assert_int_equal(strncmp(text + n, print, strlen(print)), 0);
	snprintf(marker, sizeof(marker), "9000000700 0 1 0: 13 1: %s\n\n",
		 "fcap: steal tid=101 run=1 delay=2 n=3");
	assert_string_equal(text + n + strlen(print), marker);
}

static void every_version_compression_machine_and_page_size_tells_the_same(void **state)
{
	/* larger ones are sub-buffers; ppc64 and arm64 have pages of 64 KiB */
	static const uint32_t pages[] = { 4096, 8192, 16384, 65536, 262144 };
	const struct tb_kind *kind = *state;

	for (int machine = 0; machine < TB_MACHINES; machine++) {
		for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++) {
			struct tb *tb = tb_new_kind(kind, 3);
			char *text;

			tb_set_machine(tb, (enum tb_machine)machine);
			tb_set_page_size(tb, pages[i]);
			tb_set_pages_per_chunk(tb, 1);
			put_all(tb);
			text = text_of(tb, kind->compression == TB_ZLIB);
			assert_expected(text);
			free(text);
		}
	}
}

/* Text of these kvm events on all machines; libtracecmd must agree on the bytes. */
static void assert_kvm(enum tb_kvm kvm, void (*put)(struct tb *), const char *told)
{
	for (int machine = 0; machine < TB_MACHINES; machine++) {
		struct tb *tb = tb_new(1, 7, TB_ZSTD);
		char *text;

		tb_set_machine(tb, (enum tb_machine)machine);
		tb_set_kvm(tb, kvm);
		put(tb);
		text = text_of(tb, false);
		assert_string_equal(text, told);
		free(text);
	}
}

static void put_x86(struct tb *tb)
{
	tb_kvm_entry(tb, tb_by(0, 10, 101), 3);
	tb_kvm_exit(tb, tb_by(0, 20, 101), 3, 12);
	tb_kvm_exit(tb, tb_by(0, 30, 101), 3, 0x80000021); /* a failed entry, 33 */
	tb_kvm_exit_svm(tb, tb_by(0, 40, 101), 3, 0x78);
	tb_kvm_fpu(tb, tb_by(0, 50, 101), 1);
	tb_kvm_fpu(tb, tb_by(0, 60, 101), 0);
}

static void put_arm64(struct tb *tb)
{
	tb_arm64_entry(tb, tb_by(0, 10, 101));
	tb_arm64_exit(tb, tb_by(0, 20, 101), 2, 0x24); /* a trap: its class */
	tb_arm64_exit(tb, tb_by(0, 30, 101), 0, 0);    /* an interrupt: 0x100 + 0 */
}

static void put_riscv(struct tb *tb)
{
	tb_riscv_entry(tb, tb_by(0, 10, 101));
	tb_riscv_exit(tb, tb_by(0, 20, 101), 10);
}

static void put_s390(struct tb *tb)
{
	tb_s390_entry(tb, tb_by(0, 10, 101), 5);
	tb_s390_exit(tb, tb_by(0, 20, 101), 5, 0x1c);
}

static void put_powerpc(struct tb *tb)
{
	tb_powerpc_entry(tb, tb_by(0, 10, 101), 5);
	tb_powerpc_exit(tb, tb_by(0, 20, 101), 5, 0x980);
}

/* id, what (1 entry, 2 exit, 5 and 6 the bracket), whose numbers, reason. */
static void kvm_events_of_every_architecture_are_understood(void **state)
{
	(void)state;
	assert_kvm(TB_KVM_X86, put_x86,
		   "10 0 0 0: 11 101: 3 1\n20 0 0 0: 11 101: 3 2 1 12\n"
		   "30 0 0 0: 11 101: 3 2 1 33\n40 0 0 0: 11 101: 3 2 2 120\n"
		   "50 0 0 0: 11 101: -1 5\n60 0 0 0: 11 101: -1 6\n");
	assert_kvm(TB_KVM_ARM64, put_arm64,
		   "10 0 0 0: 11 101: -1 1\n20 0 0 0: 11 101: -1 2 3 36\n"
		   "30 0 0 0: 11 101: -1 2 3 256\n");
	assert_kvm(TB_KVM_RISCV, put_riscv,
		   "10 0 0 0: 11 101: -1 1\n20 0 0 0: 11 101: -1 2 4 10\n");
	assert_kvm(TB_KVM_S390, put_s390, "10 0 0 0: 11 101: 5 1\n20 0 0 0: 11 101: 5 2 5 28\n");
	assert_kvm(TB_KVM_POWERPC, put_powerpc,
		   "10 0 0 0: 11 101: 5 1\n20 0 0 0: 11 101: 5 2 6 2432\n");
}

/* The highest bit of a long, of 8 or of 4 bytes, marks an interrupt. */
static void riscv_interrupts_are_told_from_exceptions_by_the_highest_bit(void **state)
{
	static const struct {
		enum tb_machine machine;
		uint64_t scause;
	} of[] = { { TB_LE64, 1ULL << 63 | 5 }, { TB_LE32, 1ULL << 31 | 5 } };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct tb *tb = tb_new(1, 6, TB_PLAIN);
		char *text;

		tb_set_machine(tb, of[i].machine);
		tb_set_kvm(tb, TB_KVM_RISCV);
		tb_riscv_exit(tb, tb_by(0, 20, 101), of[i].scause);
		text = text_of(tb, false);
		/* 2^31 + 5 */
		assert_string_equal(text, "20 0 0 0: 11 101: -1 2 4 2147483653\n");
		free(text);
	}
}

/* Two VMs take turns of 3 and 1 ms on one CPU for 400 ms. */
static void put_two_vms(struct tb *tb)
{
	for (uint64_t i = 0; i < 100; i++) {
		const uint64_t t = 1000000 * (1 + 4 * i);

		tb_switch(tb, tb_at(0, t), i ? b1 : tb_idle, TB_R, a1);
		tb_kvm_entry(tb, tb_by(0, t + 1000, a1.tid), 0);
		tb_kvm_exit(tb, tb_by(0, t + 2900000, a1.tid), 0, 12);
		tb_switch(tb, tb_at(0, t + 3000000), a1, TB_R, b1);
		tb_kvm_entry(tb, tb_by(0, t + 3001000, b1.tid), 0);
		tb_kvm_exit(tb, tb_by(0, t + 3990000, b1.tid), 0, 30);
	}
	tb_marker(tb, 900, "fcap: begin v=1 clock=mono");
	tb_marker(tb, 910, "fcap: vcpu tid=101 tgid=100 id=0");
	tb_marker(tb, 920, "fcap: vcpu tid=201 tgid=200 id=1");
}

/* The JSON of a report, to be freed; frees tb. */
static char *report_of(struct tb *tb, const char *path)
{
	struct fcap_err err = { 0 };
	struct fan_analysis a;
	struct fan_report r;
	struct paper p;

	assert_int_equal(tb_write(tb, path), 0);
	tb_free(tb);
	fan_analysis_init(&a, "fanalyze report");
	if (fan_analyse(&r, path, &a, &err) < 0)
		fail_msg("%s", err.text);
	/* which is, of course, another one */
	free(r.source.checksum);
	r.source.checksum = NULL;
	if (fan_tree_json(&r, &fan_report_table, paper(&p), &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(r.groups.n, 2);
	fan_report_free(&r);
	fan_analysis_free(&a);
	return read_paper(&p);
}

static void the_report_is_the_same_on_every_machine(void **state)
{
	char *dir = tempdir_new(), *path = tempdir_file(dir, "trace.dat");
	char *first = NULL;

	for (int machine = 0; machine < TB_MACHINES; machine++) {
		struct tb *tb = tb_new_kind(*state, 1);
		char *text;

		tb_set_machine(tb, (enum tb_machine)machine);
		put_two_vms(tb);
		text = report_of(tb, path);
		if (first)
			assert_string_equal(text, first);
		/* 100 turns of 3 ms; 99 of 1 ms, as the last one has no end */
		assert_non_null(strstr(text, "300000000"));
		assert_non_null(strstr(text, "\"verdict\": \"ok\""));
		free(first);
		first = text;
	}
	free(first);
	free(path);
	tempdir_remove(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		IN_ALL_KINDS(every_version_compression_machine_and_page_size_tells_the_same),
		IN_ALL_KINDS(the_report_is_the_same_on_every_machine),
		cmocka_unit_test(kvm_events_of_every_architecture_are_understood),
		cmocka_unit_test(riscv_interrupts_are_told_from_exceptions_by_the_highest_bit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
