// SPDX-License-Identifier: GPL-3.0-or-later
/* One series of windows: its estimates and what it looks like. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "analyze/report/field.h"
#include "analyze/report/score_windows.h"
#include "analyze/stats/checks.h"
#include "analyze/stats/describe.h"
#include "analyze/stats/mser.h"
#include "analyze/stats/outliers.h"
#include "analyze/stats/pwewc.h"
#include "analyze/stats/runs.h"
#include "analyze/stats/share.h"
#include "analyze/stats/short_term.h"

static const struct fan_field windows_fields[] = {
	FIELD(fan_c_windows, config, NULL, "Configuration of the run."),
	FIELD(fan_c_windows, vm, NULL, "Name of the VM."),
	FIELD(fan_c_windows, n, NULL, "Windows."),
	FIELD(fan_c_windows, at, NULL, "Number or time of each window, as in the table."),
	FIELD(fan_c_windows, share, "percent", "Share in each; null where nobody did anything."),
	FIELD(fan_c_windows, total, NULL, "Of all windows together, in the unit of the work."),
	FIELD(fan_c_windows, min, "percent", "Smallest share of a window."),
	FIELD(fan_c_windows, median, "percent", "Median share of the windows."),
	FIELD(fan_c_windows, max, "percent", "Largest share of a window."),
	FIELD(fan_c_windows, zero_windows, NULL, "Windows with a share of 0."),
	FIELD(fan_c_windows, longest_zero, NULL, "Most of them in a row."),
	FIELD(fan_c_windows, unequal_windows, NULL,
	      "Windows whose total is outside 0.5 to 1.5 times the median."),
	FIELD(fan_c_windows, r1, NULL, "Lag-1 correlation of the residuals of the share."),
	FIELD(fan_c_windows, ess, NULL, "Effective number of windows."),
	FIELD(fan_c_windows, shift, NULL,
	      "Self-normalised CUSUM of a level shift; critical are 40.1 (5 %) and 68.6 (1 %)."),
	FIELD(fan_c_windows, shift_at, NULL, "Windows before the shift that fits best."),
	FIELD(fan_c_windows, warmup_windows, NULL,
	      "Windows that MSER-5 would leave out at the beginning; null: it cannot tell."),
	FIELD(fan_c_windows, share_without_warmup, "percent", "The share without these."),
	FIELD(fan_c_windows, outliers_mild, NULL, "Window shares beyond 1.5 IQR."),
	FIELD(fan_c_windows, outliers_severe, NULL, "Window shares beyond 3 IQR."),
	FIELD(fan_c_windows, mean_without_severe, "percent",
	      "Unweighted mean of window shares without the latter."),
	FIELD(fan_c_windows, mean_abs, "points", "Mean absolute deviation of the windows."),
	FIELD(fan_c_windows, rms, "points", "Root mean square deviation of the windows."),
	FIELD(fan_c_windows, independent, "percent",
	      "For contrast: the mean of window shares as if windows were independent."),
};
const struct fan_table fan_c_windows_table = TABLE(fan_c_windows, windows_fields, "windows");

int fan_score_verdict(struct fan_verdict_text *ret, const struct fan_verdict *v)
{
	int r = 0;

	ret->word = v->word;
	ret->indicative = v->indicative;
	ret->margin = v->margin;
	for (uint32_t bit = 1; r == 0 && fan_reason_text(bit); bit <<= 1)
		if (v->reasons & bit)
			r = fan_strs_add(&ret->reasons, "%s", fan_reason_text(bit));
	return r;
}

static int estimate_window_mean(struct fan_est *ret, const struct fan_score_series *s,
				const struct fan_est_spec *spec)
{
	double *ones = calloc(s->nshare ? s->nshare : 1, sizeof(*ones));
	const struct fan_windows w = { s->share, ones, s->nshare };
	int r;

	if (!ones)
		return -ENOMEM;
	for (size_t i = 0; i < s->nshare; i++)
		ones[i] = 1;
	r = fan_est_ratio(&w, &(struct fan_ratio_spec){ 1, spec->unit, spec->level, spec->m }, ret);
	if (r == 0)
		fan_est_note_percent(ret);
	free(ones);
	return r;
}

static int judge(struct fan_c_group *group, double margin)
{
	struct fan_verdict v;
	int r;

	if (isnan(group->expected_pct)) {
		group->verdict.margin = margin;
		return fan_strs_add(&group->verdict.reasons, "what was due is not known");
	}
	r = fan_judge(&group->deviation, margin, &v);
	return r < 0 ? r : fan_score_verdict(&group->verdict, &v);
}

static int add_estimates(struct fan_c_group *group, const struct fan_score_series *s,
			 unsigned int m, const struct fan_score_options *options)
{
	const struct fan_est_spec spec = { "percent", options->level, m };
	const struct fan_windows w = { s->part, s->total, s->n };
	int r = fan_str_set(&group->name, s->vm);

	group->n = 1;
	group->total = 0;
	for (size_t i = 0; i < s->n; i++)
		group->total += s->part[i];
	if (r == 0)
		r = fan_est_share(&w, options->level, m, &group->share);
	if (r == 0)
		r = estimate_window_mean(&group->share_window_mean, s, &spec);
	if (r < 0)
		return r;
	group->expected_pct = s->expected_pct;
	fan_est_deviation(&group->share, s->expected_pct, &group->deviation);
	return judge(group, options->margin);
}

/* The correlation that the interval of the share knows of. */
static int add_residuals(struct fan_c_windows *ret, const struct fan_score_series *s, double level)
{
	const struct fan_windows w = { s->part, s->total, s->n };
	double *z = calloc(s->n ? s->n : 1, sizeof(*z)), ratio;
	struct fan_pwewc p;
	int r;

	if (!z)
		return -ENOMEM;
	fan_ratio_residuals(&w, 100, &ratio, z);
	r = fan_pwewc(z, s->n, level, &p);
	free(z);
	if (r < 0)
		return r;
	ret->r1 = p.r1;
	ret->ess = fmin(p.ess, (double)s->n);
	return 0;
}

static int add_shift(struct fan_c_windows *ret, const struct fan_score_series *s)
{
	struct fan_shift shift;
	const int r = fan_level_shift(s->share, s->nshare, &shift);

	if (r == -EINVAL) /* fewer than two */
		return 0;
	if (r < 0)
		return r;
	ret->shift = shift.stat;
	ret->shift_at = (int64_t)shift.at;
	return 0;
}

static int add_outliers(struct fan_c_windows *ret, const struct fan_score_series *s)
{
	struct fan_outlier *list = calloc(s->nshare ? s->nshare : 1, sizeof(*list));
	struct fan_outliers found;
	int r = list ? fan_find_outliers(s->share, s->nshare, list, &found) : -ENOMEM;

	free(list);
	if (r < 0)
		return r;
	ret->outliers_mild = (int64_t)found.mild;
	ret->outliers_severe = (int64_t)found.severe;
	ret->mean_without_severe = found.mean_without_severe;
	return 0;
}

static int add_deviations(struct fan_c_windows *ret, const struct fan_score_series *s, double level)
{
	const struct fan_est_spec spec = { "points", level, 1 };
	double *d = calloc(s->nshare ? s->nshare : 1, sizeof(*d));
	int r;

	if (!d)
		return -ENOMEM;
	for (size_t i = 0; i < s->nshare; i++)
		d[i] = s->share[i] - s->expected_pct;
	r = fan_est_mean_abs(d, s->nshare, &spec, &ret->mean_abs);
	if (r == 0)
		r = fan_est_rms(d, s->nshare, &spec, &ret->rms);
	free(d);
	return r;
}

/* Ratio of sums from this window on; windows without work are not in the count. */
static double share_from(const struct fan_score_series *s, size_t cut)
{
	double part = 0, total = 0;
	size_t seen = 0;

	for (size_t i = 0; i < s->n; i++) {
		if (seen >= cut) {
			part += s->part[i];
			total += s->total[i];
		}
		seen += s->total[i] > 0;
	}
	return 100 * part / total;
}

static int add_warmup(struct fan_c_windows *ret, const struct fan_score_series *s)
{
	struct fan_mser mser;
	const int r = fan_mser5(s->share, s->nshare, &mser);

	if (r == 0 && !mser.is_undetermined) {
		ret->warmup_windows = (int64_t)mser.truncate;
		ret->share_without_warmup = share_from(s, mser.truncate);
	}
	return r == -ENODATA ? 0 : r;
}

static int add_looks(struct fan_c_windows *ret, const struct fan_score_series *s, double level)
{
	const struct fan_est_spec spec = { "percent", level, 1 };
	const struct fan_zeros zeros = fan_count_zeros(s->share, s->nshare);
	struct fan_describe d;
	int r = fan_describe(s->share, s->nshare, &d);

	if (r < 0)
		return r;
	ret->min = d.min;
	ret->median = d.median;
	ret->max = d.max;
	ret->zero_windows = (int64_t)zeros.n;
	ret->longest_zero = (int64_t)zeros.longest;
	r = add_warmup(ret, s);
	if (r < 0)
		return r;
	r = fan_est_runs(s->share, s->nshare, &spec, &ret->independent);
	/* here the values are windows of one run */
	ret->independent.runs = 0;
	ret->independent.flags &= ~(uint32_t)(FAN_EST_FEW_RUNS | FAN_EST_CI_NONE_ONE_RUN);
	return r;
}

static int add_curve(struct fan_c_windows *ret, const struct fan_score_series *s)
{
	const double *share = s->share;
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->n; i++) {
		r = fan_reals_add(&ret->at, s->rows[i].window);
		if (r == 0)
			r = fan_reals_add(&ret->share, s->total[i] > 0 ? *share++ : NAN);
	}
	return r;
}

static int add_windows(struct fan_c_windows *ret, const struct fan_score_series *s, double level)
{
	const struct fan_windows w = { s->part, s->total, s->n };
	struct fan_window_check check = { 0 };
	int r = fan_str_set(&ret->config, *s->config ? s->config : FAN_SCORE_NO_CONFIG);

	if (r == 0)
		r = fan_str_set(&ret->vm, s->vm);
	if (r == 0)
		r = add_curve(ret, s);
	if (r == 0)
		r = fan_check_windows(&w, &check);
	if (r < 0)
		return r;
	ret->n = (int64_t)s->n;
	ret->unequal_windows = (int64_t)check.unequal;
	ret->total = 0;
	for (size_t i = 0; i < s->n; i++)
		ret->total += s->total[i];
	if (s->nshare == 0)
		return 0;
	r = add_residuals(ret, s, level);
	if (r == 0)
		r = add_shift(ret, s);
	if (r == 0)
		r = add_outliers(ret, s);
	if (r == 0 && !isnan(s->expected_pct))
		r = add_deviations(ret, s, level);
	return r < 0 ? r : add_looks(ret, s, level);
}

int fan_score_assemble_series(struct fan_c_group *group, struct fan_c_windows *windows,
			      const struct fan_score_series *s, unsigned int m,
			      const struct fan_score_options *options)
{
	const int r = add_estimates(group, s, m, options);

	return r < 0 ? r : add_windows(windows, s, options->level);
}
