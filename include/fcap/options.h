/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Options by argp, where an option that there is not is answered with the one that was meant, and
 * where the shell can ask for all of them: for completion.
 */
#ifndef FCAP_OPTIONS_H
#define FCAP_OPTIONS_H

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/nearest.h"

#define FCAP_COMPLETE "--complete" /* alone: prints what there is, a line each, and ends */

enum fcap_words {		       /* words that are no options, such as file names */
		  FCAP_WORDS_ANYWHERE, /* options may stand behind them */
		  FCAP_WORDS_IN_ORDER, /* so too, and what an option means depends on where it
					  stands */
		  FCAP_WORDS_LAST,     /* the first one, a command, ends the options */
};

/* What is called for each option of argp and its children. */
typedef void fcap_option_fn(const struct argp_option *o, void *arg);

static inline void fcap_options_each(const struct argp *argp, fcap_option_fn *fn, void *arg)
{
	const struct argp_option *o = argp->options;
	const struct argp_child *child = argp->children;

	for (; o && (o->name || o->key || o->doc || o->group); o++)
		if (o->name)
			fn(o, arg);
	for (; child && child->argp; child++)
		fcap_options_each(child->argp, fn, arg);
}

/* One option that is looked for: by its name up to =, by its letter. */
struct fcap_option_search {
	const char *name;
	size_t length;
	char letter;
	const struct argp_option *found; /* by the whole name, or by a beginning of it */
	struct fcap_near near;
};

static inline void fcap_option_compare(const struct argp_option *o, void *arg)
{
	struct fcap_option_search *s = arg;

	if (s->letter && o->key == s->letter)
		s->found = o;
	if (!s->name)
		return;
	if (strncmp(o->name, s->name, s->length) == 0 && (!s->found || !o->name[s->length]))
		s->found = o;
	fcap_near_try(&s->near, o->name);
}

static inline void fcap_option_find(const struct argp *argp, struct fcap_option_search *s)
{
	static const struct argp_option of_argp[] = {
		{ .name = "help", .key = '?' },
		{ .name = "usage" },
	};

	fcap_options_each(argp, fcap_option_compare, s);
	for (size_t i = 0; i < sizeof(of_argp) / sizeof(of_argp[0]); i++)
		fcap_option_compare(&of_argp[i], s);
}

/* Whether the argument of a cluster of letters such as -vo is the next word. */
static inline bool fcap_letters_take_next(const struct argp *argp, const char *letters)
{
	for (; *letters; letters++) {
		struct fcap_option_search s = { .letter = *letters };

		fcap_option_find(argp, &s);
		if (!s.found) /* argp says so */
			return false;
		if (s.found->arg && !(s.found->flags & OPTION_ARG_OPTIONAL))
			return !letters[1];
	}
	return false;
}

/*
 * The first long option that argp does not know, as it stands in argv, and the nearest one that it
 * knows, or NULL, in *ret. NULL if all are known.
 */
static inline const char *fcap_option_unknown(const struct argp *argp, int argc, char **argv,
					      enum fcap_words words, const char **ret)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		const char *word = argv[i];
		struct fcap_option_search s = { .name = word + 2,
						.length = strcspn(word, "=") - 2 };

		if (word[0] != '-' || !word[1]) {
			if (words == FCAP_WORDS_LAST)
				break;
			continue;
		}
		if (word[1] != '-') {
			i += fcap_letters_take_next(argp, word + 1);
			continue;
		}
		s.length = strcspn(s.name, "=");
		s.near = fcap_near_to(s.name, s.length);
		fcap_option_find(argp, &s);
		if (!s.found) {
			*ret = fcap_near_guess(&s.near);
			return word;
		}
		i += !word[2 + s.length] && s.found->arg && !(s.found->flags & OPTION_ARG_OPTIONAL);
	}
	return NULL;
}

static inline void fcap_option_tell(const struct argp_option *o, void *arg)
{
	(void)arg;
	printf("--%s\t%s\t%s\n", o->name, o->arg ? o->arg : "", o->doc ? o->doc : "");
}

/*
 * argp_parse(), but says of a long option that there is not which one was meant, and exits with
 * argp_err_exit_status; with FCAP_COMPLETE alone prints "--name TAB argument TAB meaning" of each
 * option and exits with 0.
 */
static inline error_t fcap_options_parse(const struct argp *argp, int argc, char **argv,
					 enum fcap_words words, void *input)
{
	const unsigned int flags = words == FCAP_WORDS_ANYWHERE ? 0 : ARGP_IN_ORDER;
	const char *nearest = NULL, *unknown;

	if (argc == 2 && strcmp(argv[1], FCAP_COMPLETE) == 0) {
		fcap_options_each(argp, fcap_option_tell, NULL);
		exit(0);
	}
	unknown = fcap_option_unknown(argp, argc, argv, words, &nearest);
	if (unknown) {
		fprintf(stderr, "%s: there is no option %.*s", argv[0], (int)strcspn(unknown, "="),
			unknown);
		if (nearest)
			fprintf(stderr, "; did you mean --%s?", nearest);
		fprintf(stderr, "\nTry `%s --help' for more information.\n", argv[0]);
		exit(argp_err_exit_status);
	}
	return argp_parse(argp, argc, argv, flags, NULL, input);
}

#endif
