// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/report/passes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LATE_PART 1000 /* of what a group ran and waited: no more may be missed */

int fan_report_groups(struct fan_groups **ret, struct fan_model *m,
		      const struct fan_report_options *options, struct fcap_err *err)
{
	struct fan_group_options wanted = options->groups;
	int r = fan_groups_make(ret, m, &wanted, err);

	if (r < 0 || (*ret)->n || wanted.nvms || wanted.kind != FAN_GROUP_VM)
		return r;
	fan_groups_free(*ret);
	*ret = NULL;
	wanted.kind = FAN_GROUP_PROCESS;
	return fan_groups_make(ret, m, &wanted, err);
}

int fan_report_weights(double **ret, const struct fan_groups *g,
		       const struct fan_report_options *options, struct fcap_err *err)
{
	double *given = malloc((g->n + 1) * sizeof(*given));

	if (!given)
		return fcap_fail(err, ENOMEM, "out of memory");
	for (size_t k = 0; k < g->n; k++)
		given[k] = NAN;
	for (size_t i = 0; i < options->nweights; i++) {
		const int32_t k = fan_groups_named(g, options->weights[i].name);

		if (k < 0) {
			free(given);
			return fcap_fail(err, EINVAL, "--weight %s: no group has this name",
					 options->weights[i].name);
		}
		given[k] = options->weights[i].weight;
	}
	*ret = given;
	return 0;
}

/* How well the parties of a pass stand for one group of the report. */
struct fit {
	int32_t party;		  /* of its accounts; -1: none yet */
	bool is_split;		  /* they are of several */
	uint64_t all_ns, late_ns; /* run and wait in the overlap; before it was a party */
};

static uint64_t wanted_ns(const struct fan_model *m, size_t account, uint64_t w, uint64_t n)
{
	const struct fan_cell c = fan_series_sum(m->series, fan_model_row((int32_t)account), w, n);

	return c.run_ns + c.wait_ns;
}

/* Windows of the series before this account counted, from the begin of the overlap on. */
static uint64_t late_windows(const struct fan_model *m, const struct fan_overlap *o, size_t account)
{
	const uint64_t base = fan_series_width_ns(m->series), n = o->windows * o->per_window;
	const uint64_t begin = m->start_ns + o->first * base;
	const struct fan_stake *s = account < m->pulse->demand->nstakes
					    ? &m->pulse->demand->stakes[account]
					    : NULL;
	uint64_t late;

	if (!s || s->party < 0)
		return n;
	if (s->since_ns <= begin)
		return 0;
	late = s->since_ns - begin;
	/* the one in which it began counts where that is a part worth mentioning of all */
	late = late / base + (late % base * LATE_PART > n * base);
	return late < n ? late : n;
}

/* Who shared a core with whom is asked of all the time, shares only of the overlap. */
static void add_account(struct fit *f, const struct fan_model *m, const struct fan_overlap *o,
			size_t account)
{
	const uint64_t all = wanted_ns(m, account, o->first, o->windows * o->per_window);
	int32_t party;

	f->all_ns += all;
	if (all == 0 && !m->cores->has_smt)
		return;
	f->late_ns += wanted_ns(m, account, o->first, late_windows(m, o, account));
	party = account < m->pulse->demand->nstakes ? m->pulse->demand->stakes[account].party : -1;
	f->is_split |= f->party >= 0 && party >= 0 && party != f->party;
	f->party = party >= 0 ? party : f->party;
}

/* Do the parties of this pass stand for the groups? -ENOMEM. */
static int is_fitting(const struct fan_model *m, const struct fan_groups *g,
		      const struct fan_overlap *o)
{
	struct fit *fit = calloc(g->n + 1, sizeof(*fit));
	int ret = 1;

	if (!fit)
		return -ENOMEM;
	for (size_t k = 0; k < g->n; k++)
		fit[k].party = -1;
	for (size_t a = 0; a < g->naccounts; a++)
		if (g->of_account[a] >= 0)
			add_account(&fit[g->of_account[a]], m, o, a);
	for (size_t k = 0; k < g->n; k++)
		if (fit[k].is_split || fit[k].late_ns * LATE_PART > fit[k].all_ns)
			ret = 0;
	free(fit);
	return ret;
}

/* What a second pass has to know of the first. */
struct lesson {
	struct fan_party_map map;
	int32_t *of_account; /* owned */
	double *given;	     /* owned */
};

static int learn(struct lesson *l, const struct fan_groups *g,
		 const struct fan_report_options *options, struct fcap_err *err)
{
	l->of_account = malloc((g->naccounts + 1) * sizeof(*l->of_account));
	if (!l->of_account)
		return fcap_fail(err, ENOMEM, "out of memory");
	memcpy(l->of_account, g->of_account, g->naccounts * sizeof(*l->of_account));
	l->map = (struct fan_party_map){ l->of_account, g->naccounts, g->n };
	return fan_report_weights(&l->given, g, options, err);
}

/* 1: there is something to learn for a second pass; 0: not; negative errno. */
static int examine(struct lesson *l, struct fan_model *m, const struct fan_report_options *options,
		   struct fcap_err *err)
{
	struct fan_groups *g = NULL;
	struct fan_overlap o;
	int r = fan_report_groups(&g, m, options, err);

	if (r == 0)
		r = fan_overlap_find(&o, m, g, &options->overlap, err);
	/* nor is there anything to learn where nobody knows who wanted to run */
	if (r == 0 && m->is_counted)
		r = 1;
	else if (r == 0 && m->pulse)
		r = is_fitting(m, g, &o);
	if (r == -ENOMEM)
		fcap_fail(err, ENOMEM, "out of memory");
	/* without a group nothing is due to anybody */
	if (r == 0 && g->n) {
		r = learn(l, g, options, err);
		r = r < 0 ? r : 1;
	} else if (r > 0) {
		r = 0;
	}
	fan_groups_free(g);
	return r;
}

/*
 * Reads the file again, into what an earlier read has made. Without a lesson, which is for the
 * rule, as it would have been read at first, had that not been a rehearsal.
 */
static int read_again(struct fan_model **m, const struct fan_file *file,
		      struct fan_model_options *o, const struct lesson *lesson,
		      struct fan_entitle_rule *rule, struct fcap_err *err)
{
	o->is_rehearsal = false;
	o->waits_from_waking = (*m)->waits_from_waking;
	fan_model_free(*m);
	*m = NULL;
	if (lesson) {
		rule->given = lesson->given;
		o->allocator = (struct fan_allocator){ fan_entitle_members, fan_entitle_drop,
						       rule };
		o->map = &lesson->map;
	}
	return fan_model_read(m, file, o, err);
}

/* Were CPUs told to be siblings when events had gone by of which it would have been asked? */
static bool were_siblings_missed(const struct fan_model *m)
{
	bool has_smt = false;

	for (size_t i = 0; i < m->cores->ntold; i++)
		has_smt |= fcap_cpuset_count(&m->cores->told[i]) > 1;
	return m->are_cores_late && has_smt;
}

/*
 * A pass that begins with what the last line tells of the hardware, which does not change: a
 * rehearsal lets the next one do so. The cores are kept in *told, to be freed behind the last use
 * of the options.
 */
static int read_model(struct fan_model **ret, const struct fan_file *file,
		      struct fan_model_options *o, struct fcap_cpuset **told, struct fcap_err *err)
{
	int r = fan_model_read(ret, file, o, err);

	if (r < 0 || !were_siblings_missed(*ret))
		return r;
	*told = (*ret)->cores->told;
	o->siblings = *told;
	o->nsiblings = (*ret)->cores->ntold;
	(*ret)->cores->told = NULL;
	(*ret)->cores->ntold = 0;
	return o->is_rehearsal ? 0 : read_again(ret, file, o, NULL, NULL, err);
}

int fan_report_read(struct fan_model **ret, const struct fan_file *file,
		    const struct fan_model_options *model, const struct fan_report_options *options,
		    struct fcap_err *err)
{
	const bool shows = options->groups.kind == FAN_GROUP_VM && options->groups.nvms == 0 &&
			   options->nweights == 0;
	struct fan_entitle_rule rule = { .cpus = file->cpus };
	struct fan_model_options o = model ? *model : (struct fan_model_options){ 0 };
	struct lesson lesson = { 0 };
	struct fcap_cpuset *told = NULL;
	struct fan_model *m = NULL;
	int r;

	o.timeline_level = options->isolation.between == FAN_LEVEL_COOKIE ? FAN_LEVEL_COOKIE
									  : FAN_LEVEL_VM;
	if (shows)
		o.allocator = (struct fan_allocator){ fan_entitle_members, fan_entitle_drop,
						      &rule };
	o.is_rehearsal = !shows;
	r = read_model(&m, file, &o, &told, err);
	if (r == 0)
		r = examine(&lesson, m, options, err);
	if (r == 1)
		r = read_again(&m, file, &o, &lesson, &rule, err);
	else if (r == 0 && o.is_rehearsal)
		r = read_again(&m, file, &o, NULL, &rule, err);
	fan_entitle_drop(&rule);
	free(lesson.of_account);
	free(lesson.given);
	free(told);
	if (r < 0)
		fan_model_free(m);
	else
		*ret = m;
	return r;
}
