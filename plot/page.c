// SPDX-License-Identifier: GPL-3.0-or-later
#include "plot/page.h"

#include <inttypes.h>
#include <math.h>

#define NS_PER_S 1e9

/*
 * The palette of Okabe and Ito (jfly.uni-koeln.de/color), told apart by most colour-blind eyes;
 * grey for its yellow, which is lost on white. The marks tell lines apart without colour.
 */
static const char *const colours[FPLOT_GROUPS] = { "0072B2", "D55E00", "009E73", "CC79A7",
						   "E69F00", "56B4E9", "000000", "808080" };
static const int marks[FPLOT_GROUPS] = { 7, 5, 9, 11, 13, 15, 2, 3 };

const char *fplot_colour(size_t i)
{
	return i < FPLOT_GROUPS ? colours[i] : "C0C0C0";
}

int fplot_mark(size_t i)
{
	return marks[i % FPLOT_GROUPS];
}

double fplot_seconds(int64_t ns)
{
	return ns == FAN_NONE ? NAN : (double)ns / NS_PER_S;
}

void fplot_put_comment(FILE *f, const char *label, const char *text)
{
	if (!text)
		return;
	fprintf(f, "# %-10s", label);
	/* a backslash would continue the comment on the next line */
	fplot_put_text(f, text, "\\`");
	fputc('\n', f);
}

void fplot_put_name(FILE *f, const char *name)
{
	/* a # in front would make the row a comment, a quote would swallow the tabs behind it */
	if (name && *name == '#') {
		fputs("\\x23", f);
		name++;
	}
	fplot_put_text(f, name, "\\\"");
}

void fplot_put_real(FILE *f, double v, int digits)
{
	/* gnuplot leaves a gap in the line at NaN, R and pandas know it */
	if (isfinite(v))
		fprintf(f, "\t%.*f", digits, v);
	else
		fputs("\tNaN", f);
}

void fplot_put_seconds(FILE *f, int64_t ns)
{
	fplot_put_real(f, fplot_seconds(ns), 6);
}

double fplot_step(double range)
{
	const double decade = pow(10, floor(log10(range / 3)));
	const double part = range / 3 / decade;

	return decade * (part >= 5 ? 5 : part >= 2 ? 2 : 1);
}

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

static void put_compare_origin(FILE *f, const struct fan_compare *c)
{
	const struct fan_c_configuration *config = c->configurations.items;

	fplot_put_comment(f, "command:", c->tool.command);
	fplot_put_comment(f, "version:", c->tool.version);
	fplot_put_comment(f, "baseline:", c->baseline);
	fplot_put_comment(f, "by label:", c->by);
	fplot_put_comment(f, "paired by:", c->paired);
	for (size_t i = 0; i < c->configurations.n; i++) {
		fputs("# runs:     ", f);
		fplot_put_text(f, config[i].label, "\\`");
		fprintf(f, ", %" PRId64 "\n", config[i].runs);
	}
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
