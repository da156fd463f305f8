// SPDX-License-Identifier: GPL-3.0-or-later
/* Where the numbers of a figure come from, as comment lines of its tables and script. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "plot/page.h"

static void put_scheduler(FILE *f, const struct fan_r_host *h)
{
	if (!h->fair_class && !h->scheduler)
		return;
	fputs("# scheduler: ", f);
	fplot_put_text(f, h->fair_class ? h->fair_class : "fair class not told", "\\`");
	if (h->scheduler) {
		fputs(", sched_ext ", f);
		fplot_put_text(f, h->scheduler, "\\`");
	}
	fputc('\n', f);
}

static void put_labels(FILE *f, const struct fan_array *labels)
{
	const struct fan_pair *pair = labels->items;

	if (labels->n == 0)
		return;
	fputs("# labels:  ", f);
	for (size_t i = 0; i < labels->n; i++) {
		fputc(' ', f);
		fplot_put_text(f, pair[i].key, "\\`");
		fputc('=', f);
		fplot_put_text(f, pair[i].value, "\\`");
	}
	fputc('\n', f);
}

static void put_period(FILE *f, const struct fan_r_period *p)
{
	if (p->start_ns != FAN_NONE && p->end_ns != FAN_NONE)
		fprintf(f, "# period:   %.6f s to %.6f s of the trace\n",
			fplot_seconds(p->start_ns), fplot_seconds(p->end_ns));
	if (p->windows != FAN_NONE && p->window_ns != FAN_NONE)
		fprintf(f, "# window:   %g ms, %" PRId64 " of them\n",
			1e3 * fplot_seconds(p->window_ns), p->windows);
}

static void put_report_origin(FILE *f, const struct fan_report *r)
{
	fplot_put_comment(f, "command:", r->tool.command);
	fplot_put_comment(f, "version:", r->tool.version);
	fplot_put_comment(f, "trace:", r->source.file);
	fplot_put_comment(f, "checksum:", r->source.checksum);
	fplot_put_comment(f, "kernel:", r->source.kernel);
	fplot_put_comment(f, "CPU:", r->host.cpu_model);
	if (r->source.cpus != FAN_NONE)
		fprintf(f, "# CPUs:     %" PRId64 "\n", r->source.cpus);
	fplot_put_comment(f, "SMT:", r->host.smt);
	put_scheduler(f, &r->host);
	put_labels(f, &r->source.labels);
	put_period(f, &r->period);
	fplot_put_comment(f, "expected:", r->period.expected_method);
	fplot_put_comment(f, "weights:", r->period.entity_rule);
	fplot_put_comment(f, "quality:", r->quality.verdict);
}

/* Is there such a text among those of the runs before this one? */
static bool is_told(const struct fan_run *runs, size_t run, size_t member, const char *text)
{
	for (size_t i = 0; i < run; i++) {
		const char *other = *(char *const *)((const char *)&runs[i].source + member);

		if (other && strcmp(other, text) == 0)
			return true;
	}
	return false;
}

/* What the runs tell of the machine, each text once: one line where it was the same machine. */
static void put_of_runs(FILE *f, const struct fan_array *runs, const char *label, size_t member)
{
	const struct fan_run *run = runs->items;

	for (size_t i = 0; i < runs->n; i++) {
		const char *text = *(char *const *)((const char *)&run[i].source + member);

		if (text && !is_told(run, i, member, text))
			fplot_put_comment(f, label, text);
	}
}

static void put_files(FILE *f, const struct fan_array *files)
{
	const struct fan_c_file *file = files->items;

	for (size_t i = 0; i < files->n; i++) {
		fplot_put_comment(f, "file:", file[i].name);
		fplot_put_comment(f, "checksum:", file[i].checksum);
	}
}

static void put_runs(FILE *f, const struct fan_array *runs)
{
	const struct fan_run *run = runs->items;

	for (size_t i = 0; i < runs->n; i++) {
		fputs("# run:      ", f);
		fplot_put_text(f, run[i].config, "\\`");
		fputs(", ", f);
		fplot_put_text(f, run[i].name, "\\`");
		if (run[i].source.checksum) {
			fputs(", ", f);
			fplot_put_text(f, run[i].source.checksum, "\\`");
		}
		if (run[i].settings.window_ns != FAN_NONE)
			fprintf(f, ", windows of %g ms",
				1e3 * fplot_seconds(run[i].settings.window_ns));
		fputc('\n', f);
	}
	put_of_runs(f, runs, "kernel:", offsetof(struct fan_run_source, kernel));
	put_of_runs(f, runs, "CPU:", offsetof(struct fan_run_source, cpu_model));
	put_of_runs(f, runs, "SMT:", offsetof(struct fan_run_source, smt));
	put_of_runs(f, runs, "scheduler: ", offsetof(struct fan_run_source, fair_class));
	put_of_runs(f, runs, "sched_ext: ", offsetof(struct fan_run_source, scheduler));
}

static void put_compare_origin(FILE *f, const struct fan_compare *c)
{
	const struct fan_c_configuration *config = c->configurations.items;

	fplot_put_comment(f, "command:", c->tool.command);
	fplot_put_comment(f, "version:", c->tool.version);
	fplot_put_comment(f, "baseline:", c->baseline);
	fplot_put_comment(f, "by label:", c->by);
	fplot_put_comment(f, "paired by: ", c->paired);
	for (size_t i = 0; i < c->configurations.n; i++) {
		fputs("# runs:     ", f);
		fplot_put_text(f, config[i].label, "\\`");
		fprintf(f, ", %" PRId64 "\n", config[i].runs);
	}
	put_files(f, &c->files);
	put_runs(f, &c->runs);
	if (isfinite(c->level) && isfinite(c->margin))
		fprintf(f, "# level:    %g %%, margin %g\n", 100 * c->level, c->margin);
}

void fplot_put_origin(FILE *f, const struct fplot_page *p)
{
	if (p->report)
		put_report_origin(f, p->report);
	else
		put_compare_origin(f, p->compare);
}
