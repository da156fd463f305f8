// SPDX-License-Identifier: GPL-3.0-or-later
/* A table of things by kind and identifying keys. */
#include "capture/trigger_state.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "fcap/num.h"

struct pair {
	char *key, *value;
};

struct thing {
	char *id; /* kind and identifying pairs in one text */
	char *kind;
	size_t nid; /* the first pairs identify it */
	struct pair *pair;
	size_t n;
	pid_t pid;	  /* of the thread or process that it is about; 0: none */
	uint64_t gone_ns; /* since when that is not there; 0: it is */
};

struct cap_state {
	void *tree; /* by id */
	struct thing **thing;
	size_t n, size;
};

struct traits {
	const char *kind;
	size_t nid;
	const char *pid_key;
};

/* Others have one identifying key, and are about no thread. */
static const struct traits traits[] = {
	{ "machine", 0, NULL }, { "cpus", 0, NULL },  { "group", 2, "tgid" },
	{ "task", 1, "tid" },	{ "vcpu", 1, "tid" }, { "scope", 1, "tid" },
};
static const struct traits other_traits = { NULL, 1, NULL };

static const char *const moments[] = { "steal", "host", "guest", "work",   "score",
				       "lost",	"end",	"cut",	 "trigger" };

struct cap_state *cap_state_new(void)
{
	return calloc(1, sizeof(struct cap_state));
}

bool cap_state_is_moment(const char *text)
{
	const char *kind = strncmp(text, "fcap: ", 6) == 0 ? text + 6 : text;
	const size_t len = strcspn(kind, " \n");

	for (size_t i = 0; i < sizeof(moments) / sizeof(moments[0]); i++)
		if (strlen(moments[i]) == len && memcmp(moments[i], kind, len) == 0)
			return true;
	return false;
}

static const struct traits *traits_of(const char *kind)
{
	for (size_t i = 0; i < sizeof(traits) / sizeof(traits[0]); i++)
		if (strcmp(traits[i].kind, kind) == 0)
			return &traits[i];
	return &other_traits;
}

static int by_id(const void *a, const void *b)
{
	const struct thing *x = a, *y = b;

	return strcmp(x->id, y->id);
}

static void drop_pairs(struct thing *t, size_t from)
{
	for (size_t i = from; i < t->n; i++) {
		free(t->pair[i].key);
		free(t->pair[i].value);
	}
	if (t->n > from)
		t->n = from;
}

static void free_thing(struct thing *t)
{
	drop_pairs(t, 0);
	free(t->pair);
	free(t->kind);
	free(t->id);
	free(t);
}

static int set_pair(struct thing *t, const char *key, const char *value)
{
	struct pair *p;
	char *copy;

	for (size_t i = 0; i < t->n; i++) {
		if (strcmp(t->pair[i].key, key) != 0)
			continue;
		if (strcmp(t->pair[i].value, value) == 0)
			return 0;
		copy = strdup(value);
		if (!copy)
			return -ENOMEM;
		free(t->pair[i].value);
		t->pair[i].value = copy;
		return 0;
	}
	p = reallocarray(t->pair, t->n + 1, sizeof(*p));
	if (!p)
		return -ENOMEM;
	t->pair = p;
	p[t->n] = (struct pair){ strdup(key), strdup(value) };
	t->n++;
	return p[t->n - 1].key && p[t->n - 1].value ? 0 : -ENOMEM;
}

static char *make_id(const struct fcap_marker *line, size_t nid)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return NULL;
	fprintf(out, "%s", line->kind);
	for (size_t i = 0; i < nid; i++)
		fprintf(out, "\n%s=%s", line->kv[i].key, line->kv[i].value);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static pid_t pid_of(const struct fcap_marker *line, const struct traits *tr)
{
	const char *text = tr->pid_key ? fcap_marker_get(line, tr->pid_key) : NULL;
	int64_t v;

	return text && fcap_parse_i64(text, 1, INT32_MAX, &v) == 0 ? (pid_t)v : 0;
}

static struct thing *add_thing(struct cap_state *s, const struct fcap_marker *line, char *id,
			       const struct traits *tr)
{
	struct thing *t = calloc(1, sizeof(*t));

	if (!t) {
		free(id);
		return NULL;
	}
	*t = (struct thing){ .id = id, .kind = strdup(line->kind), .nid = tr->nid };
	t->pid = pid_of(line, tr);
	if (s->n == s->size) {
		const size_t size = s->size ? s->size * 2 : 64;
		struct thing **bigger = reallocarray(s->thing, size, sizeof(*bigger));

		if (!bigger) {
			free_thing(t);
			return NULL;
		}
		s->thing = bigger;
		s->size = size;
	}
	if (!t->kind || !tsearch(t, &s->tree, by_id)) {
		free_thing(t);
		return NULL;
	}
	s->thing[s->n++] = t;
	return t;
}

/* Takes id over. */
static struct thing *find_thing(struct cap_state *s, const struct fcap_marker *line, char *id,
				const struct traits *tr)
{
	const struct thing key = { .id = id };
	struct thing *const *found = tfind(&key, &s->tree, by_id);

	if (!found)
		return add_thing(s, line, id, tr);
	free(id);
	return *found;
}

/* Another thread of an old number shall not inherit what is not told of it. */
static bool is_another(const struct thing *t, const struct fcap_marker *line)
{
	const char *tgid = fcap_marker_get(line, "tgid");

	for (size_t i = t->nid; tgid && i < t->n; i++)
		if (strcmp(t->pair[i].key, "tgid") == 0)
			return strcmp(t->pair[i].value, tgid) != 0;
	return false;
}

static int take_line(struct cap_state *s, const struct fcap_marker *line)
{
	const struct traits *tr = traits_of(line->kind);
	struct thing *t;
	char *id;
	int r = 0;

	if (line->n < tr->nid)
		return 0;
	id = make_id(line, tr->nid);
	t = id ? find_thing(s, line, id, tr) : NULL;
	if (!t)
		return -ENOMEM;
	t->gone_ns = 0;
	if (is_another(t, line))
		drop_pairs(t, t->nid);
	for (size_t i = 0; i < line->n && r == 0; i++)
		r = set_pair(t, line->kv[i].key, line->kv[i].value);
	return r;
}

int cap_state_take(struct cap_state *s, const char *text)
{
	struct fcap_marker line;
	char *copy;
	int r = 0;

	if (cap_state_is_moment(text))
		return 0;
	copy = strdup(text);
	if (!copy)
		return -ENOMEM;
	if (fcap_marker_parse(copy, &line) == 0)
		r = take_line(s, &line);
	free(copy);
	return r;
}

static int tell_thing(const struct thing *t, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, t->kind);
	for (size_t i = 0; i < t->n; i++) {
		cap_emit_str(&e, t->pair[i].key, t->pair[i].value);
		if (i + 1 == t->nid)
			cap_emit_identity(&e);
	}
	return cap_emit_end(&e);
}

int cap_state_tell(const struct cap_state *s, struct cap_sink to)
{
	int r = 0;

	for (size_t i = 0; i < s->n && r == 0; i++)
		r = tell_thing(s->thing[i], to);
	return r;
}

static bool is_there(const struct thing *t, const struct cap_tasks *tasks)
{
	const struct cap_task *task = t->pid ? cap_tasks_find(tasks, t->pid) : NULL;

	return t->pid == 0 || (task && !task->gone);
}

void cap_state_forget(struct cap_state *s, const struct cap_tasks *tasks, uint64_t now_ns,
		      uint64_t keep_ns)
{
	size_t n = 0;

	for (size_t i = 0; i < s->n; i++) {
		struct thing *t = s->thing[i];

		if (is_there(t, tasks))
			t->gone_ns = 0;
		else if (t->gone_ns == 0)
			t->gone_ns = now_ns;
		if (t->gone_ns && now_ns - t->gone_ns > keep_ns) {
			tdelete(t, &s->tree, by_id);
			free_thing(t);
		} else {
			s->thing[n++] = t;
		}
	}
	s->n = n;
}

void cap_state_free(struct cap_state *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->n; i++) {
		tdelete(s->thing[i], &s->tree, by_id);
		free_thing(s->thing[i]);
	}
	free(s->thing);
	free(s);
}
