// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/analysis.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/cmd.h"
#include "analyze/cmd_progress.h"
#include "analyze/report/passes.h"
#include "analyze/report/timeless.h"
#include "analyze/trace/checksum.h"
#include "analyze/trace/clock.h"

char *fan_command_line(int argc, char **argv)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	fputs(argv[0], f);
	for (int i = 1; i < argc; i++)
		fprintf(f, strpbrk(argv[i], " \t\n;&|<>()$`\"*?#!") || !*argv[i] ? " '%s'" : " %s",
			argv[i]);
	if (fclose(f) != 0) {
		free(text);
		return NULL;
	}
	return text;
}

/* Entries and exits tell that much, whoever ran. */
static bool has_guest_time(const struct fan_model *m)
{
	return fan_kvm_tells(fan_machine_kvm(m->machine)) & FAN_TELLS_GUEST;
}

/* Some lines told of counters, and there was nothing else to be told from. */
static bool samples_counters(const struct fan_model *m)
{
	bool ret = false;

	for (size_t i = 0; i < m->facts->ntasks; i++)
		ret |= m->facts->tasks[i].is_sampled;
	return ret && m->records == 0;
}

/* A file that cannot be read to its end a second time stays without. */
static int add_checksum(struct fan_report *r, struct fan_checksum *c, struct fcap_err *err)
{
	char text[FAN_CHECKSUM_TEXT];

	if (fan_checksum_finish(c, text) < 0)
		return 0;
	return fan_str_set(&r->source.checksum, text) < 0 ? fcap_fail(err, ENOMEM, "out of memory")
							  : 0;
}

/* Some of them: one list may be given for hosts of several sizes. */
static bool are_siblings_there(const struct fan_file *f, const struct fan_analysis *a)
{
	for (size_t i = 0; i < a->model.nsiblings; i++)
		for (size_t cpu = 0; cpu < (size_t)f->cpus && cpu < FCAP_CPUS_MAX; cpu++)
			if (fcap_cpuset_has(&a->siblings[i], (unsigned int)cpu))
				return true;
	return a->model.nsiblings == 0 || f->cpus == 0;
}

int fan_analysis_open(struct fan_file **ret, const char *path, const struct fan_analysis *a,
		      struct fcap_err *err)
{
	const int e = a->is_truncated ? fan_file_open_cut(ret, path, err)
				      : fan_file_open(ret, path, err);

	if (e < 0 || are_siblings_there(*ret, a))
		return e;
	fcap_fail(err, EINVAL, "--siblings: the trace has none of these CPUs, but 0-%zu",
		  (size_t)(*ret)->cpus - 1);
	fan_file_close(*ret);
	*ret = NULL;
	return -EINVAL;
}

int fan_check_rest(const struct fan_model *m, struct fcap_err *err)
{
	if (m->cut.why.code == 0 || m->records > 0 || fan_model_tells_run(m))
		return 0;
	return fcap_fail(err, EINVAL, "nothing is left of it that could be analysed: %.400s",
			 m->cut.why.text);
}

/* Of a file whose stamps are time. */
static int analyse_time(struct fan_report *ret, const struct fan_file *file,
			const struct fan_model_options *options, const struct fan_analysis *a,
			struct fcap_err *err)
{
	struct fan_model *model = NULL;
	int e = fan_report_read(&model, file, options, &a->report, err);

	if (e == 0)
		e = fan_check_rest(model, err);
	if (e == 0 && !fan_model_tells_run(model) && samples_counters(model))
		e = fcap_fail(err, EINVAL,
			      "it holds no events, and no thread's counters were read twice, so "
			      "that nothing can be told; record for longer, or with a shorter "
			      "--sample");
	if (e == 0 && !fan_model_tells_run(model) && !has_guest_time(model))
		e = fcap_fail(err, EINVAL,
			      "it holds no sched_switch events, from which all shares "
			      "and waits come; record with fcap, or with trace-cmd "
			      "record -e sched -e kvm");
	if (e == 0)
		e = fan_report_assemble(ret, file, model, &a->report, err);
	fan_model_free(model);
	return e;
}

int fan_analyse(struct fan_report *ret, const char *path, const struct fan_analysis *a,
		struct fcap_err *err)
{
	struct fan_model_options options = a->model;
	struct fan_progress progress = { 0 };
	struct fan_checksum *checksum;
	struct fan_file *file = NULL;
	struct fcap_err clock = { 0 };
	int e;

	fan_tree_init(ret, &fan_report_table);
	options.only_vms = a->report.groups.kind == FAN_GROUP_VM && a->report.groups.nvms == 0;
	e = fan_analysis_open(&file, path, a, err);
	if (e < 0)
		return e;
	checksum = fan_checksum_start(file->fd);
	if (!a->is_silent)
		fan_progress_begin(&progress, file);
	e = fan_clock_check(file, &clock);
	if (e == 0)
		e = analyse_time(ret, file, &options, a, err);
	else if (!a->needs_time)
		e = fan_report_timeless(ret, file, &options, &a->report, clock.text, err);
	else if (err)
		*err = clock;
	if (e == 0)
		e = add_checksum(ret, checksum, err);
	else
		fan_checksum_abandon(checksum);
	fan_progress_end(&progress);
	fan_file_close(file);
	return e;
}

void fan_remark(const char *object, const struct fan_strs *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		fprintf(stderr, "fanalyze: %s: %s\n", object, texts->items[i]);
}

int fan_complain(const char *object, const struct fcap_err *err)
{
	fprintf(stderr, "fanalyze: %s: %s\n", object, err->text);
	return err->code == EINVAL || err->code == ENOTSUP || err->code == ENOENT ? FAN_EXIT_USAGE
										  : FAN_EXIT_SYSTEM;
}
