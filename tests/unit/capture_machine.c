// SPDX-License-Identifier: GPL-3.0-or-later
/* capture/machine and capture/speed on made-up trees. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

#include "capture/machine.h"
#include "capture/speed.h"
#include "capture/topology.h"
#include "tests/lib/tempdir.h"
#include "tests/unit/capture_lines.h"

#define CPU "sys/devices/system/cpu/"

struct tree {
	char *dir;
	int fd, procfd, sysfd;
	struct cap_machine *m;
	struct kept k;
};

static int make_tree(void **state)
{
	struct tree *t = calloc(1, sizeof(*t));

	assert_non_null(t);
	t->dir = tempdir_new();
	t->fd = open_folder(t->dir);
	put_file(t->fd, "proc/none", "");
	put_file(t->fd, "sys/none", "");
	t->procfd = openat(t->fd, "proc", O_RDONLY | O_DIRECTORY);
	t->sysfd = openat(t->fd, "sys", O_RDONLY | O_DIRECTORY);
	t->m = cap_machine_open(t->procfd, t->sysfd);
	*state = t;
	return t->procfd < 0 || t->sysfd < 0 || !t->m;
}

static int remove_tree(void **state)
{
	struct tree *t = *state;

	cap_machine_close(t->m);
	kept_clear(&t->k);
	close(t->procfd);
	close(t->sysfd);
	close(t->fd);
	tempdir_remove(t->dir);
	free(t);
	return 0;
}

static void look(struct tree *t, bool whole)
{
	kept_clear(&t->k);
	assert_int_equal(cap_machine_sample(t->m, whole, keep_in(&t->k)), 0);
}

static void put_speed(const struct tree *t, int cpu, const char *khz)
{
	char path[96];

	snprintf(path, sizeof(path), CPU "cpu%d/cpufreq/scaling_cur_freq", cpu);
	put_file(t->fd, path, khz);
}

static void a_machine_without_files_tells_nothing(void **state)
{
	struct tree *t = *state;
	struct cap_machine *blind = cap_machine_open(t->procfd, -1);

	look(t, true);
	look(t, false);
	assert_int_equal(t->k.n, 0);
	assert_non_null(blind);
	assert_int_equal(cap_machine_sample(blind, true, keep_in(&t->k)), 0);
	assert_int_equal(t->k.n, 0);
	cap_machine_close(blind);
}

static void a_machine_is_told_once(void **state)
{
	struct tree *t = *state;

	put_file(t->fd, "proc/cpuinfo", "processor\t: 0\nmodel name\t: Xeon(R) E5 @ 2.2GHz\n");
	put_file(t->fd, "proc/cmdline", "root=/dev/sda1 isolcpus=2-3\n");
	put_file(t->fd, "proc/sys/kernel/osrelease", "6.5.0-1-generic\n");
	put_file(t->fd, CPU "smt/control", "on\n");
	put_file(t->fd, CPU "vulnerabilities/l1tf",
		 "Mitigation: PTE Inversion; VMX: conditional cache flushes, SMT vulnerable\n");
	put_file(t->fd, "sys/module/kvm/parameters/halt_poll_ns", "200000\n");
	put_file(t->fd, CPU "cpufreq/policy0/scaling_governor", "performance\n");
	look(t, true);
	assert_int_equal(t->k.n, 1);
	assert_string_equal(t->k.line[0],
			    "fcap: machine cpu_model=\"Xeon(R) E5 @ 2.2GHz\" boot=isolcpus=2-3 "
			    "fair_class=cfs smt=on halt_poll_ns=200000 "
			    "l1tf=\"Mitigation: PTE Inversion; VMX: conditional cache flushes, "
			    "SMT vulnerable\" governor=performance");
	look(t, true);
	assert_int_equal(t->k.n, 0);
}

static void what_changes_is_told_alone(void **state)
{
	struct tree *t = *state;

	put_file(t->fd, "sys/module/kvm/parameters/halt_poll_ns", "200000\n");
	put_file(t->fd, CPU "cpufreq/policy0/scaling_governor", "powersave\n");
	put_file(t->fd, CPU "cpufreq/boost", "1\n");
	look(t, true);
	put_file(t->fd, "sys/module/kvm/parameters/halt_poll_ns", "0\n");
	look(t, false);
	assert_int_equal(t->k.n, 0);
	look(t, true);
	assert_int_equal(t->k.n, 1);
	assert_string_equal(t->k.line[0], "fcap: machine halt_poll_ns=0");
	/* the module is gone: not known any more */
	assert_int_equal(unlinkat(t->sysfd, "module/kvm/parameters/halt_poll_ns", 0), 0);
	put_file(t->fd, CPU "cpufreq/policy0/scaling_governor", "performance\n");
	look(t, true);
	assert_int_equal(t->k.n, 1);
	assert_string_equal(t->k.line[0], "fcap: machine halt_poll_ns=\"\" governor=performance");
	look(t, true);
	assert_int_equal(t->k.n, 0);
}

/* Most files are looked at each tenth time, but at once when SMT is switched. */
static void what_seldom_changes_is_looked_at_seldom(void **state)
{
	struct tree *t = *state;

	put_file(t->fd, CPU "smt/control", "on\n");
	put_file(t->fd, CPU "vulnerabilities/mds", "Vulnerable\n");
	look(t, true);
	put_file(t->fd, CPU "vulnerabilities/mds", "Mitigation: A\n");
	for (int i = 1; i < 10; i++) {
		look(t, true);
		assert_int_equal(t->k.n, 0);
	}
	look(t, true);
	assert_string_equal(kept_last(&t->k, "fcap: "), "fcap: machine mds=\"Mitigation: A\"");
	put_file(t->fd, CPU "vulnerabilities/mds", "Mitigation: B\n");
	put_file(t->fd, CPU "smt/control", "off\n");
	look(t, true);
	assert_string_equal(kept_last(&t->k, "fcap: "),
			    "fcap: machine smt=off mds=\"Mitigation: B\"");
}

static void governors_are_told_each_once(void **state)
{
	struct tree *t = *state;
	char text[64];

	put_file(t->fd, CPU "cpufreq/policy0/scaling_governor", "powersave\n");
	put_file(t->fd, CPU "cpufreq/policy10/scaling_governor", "power\n");
	put_file(t->fd, CPU "cpufreq/policy2/scaling_governor", "schedutil\n");
	put_file(t->fd, CPU "cpufreq/policy3/scaling_governor", "powersave\n");
	put_file(t->fd, CPU "cpufreq/boost", "1\n");
	cap_speed_governors(t->sysfd, text, sizeof(text));
	assert_string_equal(text, "powersave,schedutil,power");
	/* one that does not fit is left out */
	cap_speed_governors(t->sysfd, text, 12);
	assert_string_equal(text, "powersave");
}

/* 5 % of 2 GHz are 100 MHz; the next step is measured from what was told. */
static void a_speed_is_told_when_it_is_off_by_more_than_5_percent(void **state)
{
	static const struct {
		const char *khz;
		size_t lines;
	} steps[] = { { "2000000\n", 1 }, { "2100000\n", 0 },  { "2100001\n", 1 },
		      { "2000000\n", 0 }, { "1995000\n", 1 },  { "800000\n", 1 },
		      { "800000\n", 0 },  { "<unknown>\n", 0 } };
	struct tree *t = *state;

	put_file(t->fd, CPU "cpu1/cpufreq/scaling_cur_freq", "3000000\n");
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		put_speed(t, 0, steps[i].khz);
		look(t, i == 0);
		assert_int_equal(kept_count(&t->k, "fcap: freq cpu=0 khz="), steps[i].lines);
		assert_int_equal(kept_count(&t->k, "fcap: freq cpu=1 khz=3000000"), i == 0);
	}
}

static void of_many_cpus_eight_are_looked_at_each_time(void **state)
{
	struct tree *t = *state;
	size_t told = 0;

	for (int cpu = 0; cpu < 20; cpu++)
		put_speed(t, cpu, "1000000\n");
	look(t, true);
	/* fewer only if the clock says that they took long */
	assert_in_range(kept_count(&t->k, "fcap: freq "), 1, 8);
	told += kept_count(&t->k, "fcap: freq ");
	for (int i = 0; i < 20 && told < 20; i++) {
		look(t, false);
		told += kept_count(&t->k, "fcap: freq ");
	}
	assert_int_equal(told, 20);
	for (int i = 0; i < 5; i++) {
		look(t, false);
		assert_int_equal(t->k.n, 0);
	}
}

/* At once when SMT is switched on, else within ten seconds; those that go are no error. */
static void the_speed_of_cpus_that_come_is_told(void **state)
{
	struct tree *t = *state;

	put_file(t->fd, CPU "smt/control", "off\n");
	put_speed(t, 0, "1000000\n");
	look(t, true);
	assert_string_equal(kept_last(&t->k, "fcap: freq "), "fcap: freq cpu=0 khz=1000000");
	put_speed(t, 1, "2000000\n");
	put_file(t->fd, CPU "smt/control", "on\n");
	look(t, true);
	assert_int_equal(t->k.n, 2);
	assert_string_equal(t->k.line[0], "fcap: machine smt=on");
	assert_string_equal(t->k.line[1], "fcap: freq cpu=1 khz=2000000");
	put_speed(t, 2, "3000000\n");
	assert_int_equal(unlinkat(t->fd, CPU "cpu1/cpufreq/scaling_cur_freq", 0), 0);
	for (int i = 0; i < 8; i++) {
		look(t, true);
		assert_int_equal(t->k.n, 0);
	}
	look(t, true);
	assert_int_equal(t->k.n, 1);
	assert_string_equal(t->k.line[0], "fcap: freq cpu=2 khz=3000000");
}

static void clusters_and_nodes_of_cpus_are_told(void **state)
{
	struct tree *t = *state;
	int fd;

	put_file(t->fd, CPU "cpu0/topology/core_id", "4\n");
	put_file(t->fd, CPU "cpu0/topology/cluster_id", "2\n");
	put_file(t->fd, CPU "cpu0/node1/none", "");
	put_file(t->fd, CPU "cpu1/topology/core_id", "5\n");
	put_file(t->fd, CPU "cpu1/topology/cluster_id", "65535\n");
	fd = openat(t->fd, CPU, O_RDONLY | O_DIRECTORY);
	assert_int_equal(cap_topology_emit(fd, keep_in(&t->k)), 0);
	close(fd);
	assert_int_equal(t->k.n, 2);
	assert_string_equal(t->k.line[0], "fcap: cpu id=0 core=4 cluster=2 node=1");
	assert_string_equal(t->k.line[1], "fcap: cpu id=1 core=5");
}

static const char *options_of(const char *cmdline)
{
	static char text[128];

	cap_machine_boot_options(cmdline, text, sizeof(text));
	return text;
}

/* It once looked for the end of this for ever. */
static void options_may_stand_between_tabs_and_line_ends(void **state)
{
	char text[200];

	(void)state;
	cap_machine_boot_options("quiet\tnosmt\n\t\tmitigations=off\r\n", text, sizeof(text));
	assert_string_equal(text, "nosmt mitigations=off");
}

static void only_options_that_bear_on_scheduling_are_kept(void **state)
{
	char text[16];

	(void)state;
	assert_string_equal(options_of("BOOT_IMAGE=/vmlinuz password=secret isolcpus=2-3 quiet "
				       "nohz_full=2-3 rcu_nocbs=2-3 threadirqs\n"),
			    "isolcpus=2-3 nohz_full=2-3 rcu_nocbs=2-3 threadirqs");
	assert_string_equal(options_of("kvm.halt_poll_ns=0 kvm_intel.vmentry_l1d_flush=always"),
			    "kvm.halt_poll_ns=0 kvm_intel.vmentry_l1d_flush=always");
	/* a longer name is another option, and inside quotes there is none */
	assert_string_equal(options_of("nosmtp=1 kvm. dyndbg=\"x mds=off y\" mds=full"),
			    "mds=full");
	/* what follows is not the kernel's */
	assert_string_equal(options_of("nosmt -- mitigations=off"), "nosmt");
	assert_string_equal(options_of(""), "");
	assert_string_equal(options_of("quiet"), "");
	/* what does not fit whole is left out */
	cap_machine_boot_options("nosmt=force mitigations=auto,nosmt", text, sizeof(text));
	assert_string_equal(text, "nosmt=force");
}

static const char *model_of(const char *cpuinfo)
{
	static char text[64];

	return cap_machine_cpu_model(cpuinfo, text, sizeof(text)) ? text : "-";
}

static void each_architecture_names_its_processor_in_its_way(void **state)
{
	(void)state;
	assert_string_equal(model_of("processor\t: 0\nmodel\t\t: 79\nmodel name\t: EPYC 7B12\n"),
			    "EPYC 7B12");
	assert_string_equal(model_of("processor\t: 0\nBogoMIPS\t: 50.00\n"
				     "CPU implementer\t: 0x41\nCPU variant\t: 0x3\n"
				     "CPU part\t: 0xd0c\nCPU revision\t: 1\n"),
			    "Arm implementer 0x41 part 0xd0c");
	assert_string_equal(model_of("processor\t: 0\ncpu\t\t: POWER9, altivec supported\n"),
			    "POWER9, altivec supported");
	assert_string_equal(model_of("vendor_id       : IBM/S390\n"
				     "processor 0: version = FF, machine = 8561\n"),
			    "version = FF, machine = 8561");
	assert_string_equal(model_of("processor\t: 0\n"), "-");
	assert_string_equal(model_of(""), "-");
}

static void the_fair_class_is_told_by_its_features_or_its_age(void **state)
{
	(void)state;
	assert_string_equal(cap_machine_fair_class("PLACE_LAG PLACE_DEADLINE_INITIAL", "5.14.0"),
			    "eevdf");
	assert_string_equal(cap_machine_fair_class("GENTLE_FAIR_SLEEPERS", "6.6.0"), "cfs");
	assert_string_equal(cap_machine_fair_class("", "6.6.0"), "eevdf");
	assert_string_equal(cap_machine_fair_class(NULL, "6.5.13"), "cfs");
	assert_string_equal(cap_machine_fair_class(NULL, "10.1"), "eevdf");
	assert_null(cap_machine_fair_class(NULL, ""));
}

#define ON_TREE(test) cmocka_unit_test_setup_teardown(test, make_tree, remove_tree)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_may_stand_between_tabs_and_line_ends),
		ON_TREE(a_machine_without_files_tells_nothing),
		ON_TREE(a_machine_is_told_once),
		ON_TREE(what_changes_is_told_alone),
		ON_TREE(what_seldom_changes_is_looked_at_seldom),
		ON_TREE(governors_are_told_each_once),
		ON_TREE(a_speed_is_told_when_it_is_off_by_more_than_5_percent),
		ON_TREE(of_many_cpus_eight_are_looked_at_each_time),
		ON_TREE(the_speed_of_cpus_that_come_is_told),
		ON_TREE(clusters_and_nodes_of_cpus_are_told),
		cmocka_unit_test(only_options_that_bear_on_scheduling_are_kept),
		cmocka_unit_test(each_architecture_names_its_processor_in_its_way),
		cmocka_unit_test(the_fair_class_is_told_by_its_features_or_its_age),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
