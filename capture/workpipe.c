// SPDX-License-Identifier: GPL-3.0-or-later
/* What the workload says about its work. */
#include "capture/workpipe.h"

#include <errno.h>
#include <unistd.h>

#include "fcap/num.h"

void cap_workpipe_init(struct cap_workpipe *w, struct cap_sink to)
{
	w->to = to;
	w->malformed = 0;
	w->len = 0;
	w->skip = false;
}

static bool is_amount(const struct fcap_marker *m, const char *key, bool required)
{
	const char *text = fcap_marker_get(m, key);
	double v = 0;

	return text ? fcap_parse_real(text, &v) == 0 && v >= 0 : !required;
}

static int tell(struct cap_workpipe *w, const struct fcap_marker *m, const char *const *keys)
{
	struct cap_emit e;

	cap_emit_begin(&e, w->to, m->kind);
	for (; *keys; keys++) {
		const char *v = fcap_marker_get(m, *keys);

		if (v)
			cap_emit_str(&e, *keys, v);
	}
	if (!fcap_marker_get(m, "t"))
		cap_emit_u64(&e, "stamped_on_arrival", 1);
	return cap_emit_end(&e);
}

static int take_line(struct cap_workpipe *w)
{
	static const char *const work_keys[] = { "vm", "n", "t", "dt", "unit", NULL };
	static const char *const score_keys[] = { "vm", "value", "t", NULL };
	char text[FCAP_MARKER_MAX + 8];
	const char *vm;
	struct fcap_marker m;

	if (w->len == 0)
		return 0;
	w->line[w->len] = '\0';
	/* "fcap-work ..." has the grammar of "fcap: work ..." */
	if (strlen(w->line) != w->len || strncmp(w->line, "fcap-", 5) != 0)
		goto malformed;
	snprintf(text, sizeof(text), "fcap: %s", w->line + 5);
	if (fcap_marker_parse(text, &m) != 0)
		goto malformed;
	vm = fcap_marker_get(&m, "vm");
	if (!vm || !*vm || !is_amount(&m, "t", false))
		goto malformed;
	if (strcmp(m.kind, "work") == 0 && is_amount(&m, "n", true) && is_amount(&m, "dt", false))
		return tell(w, &m, work_keys);
	if (strcmp(m.kind, "score") == 0 && is_amount(&m, "value", true))
		return tell(w, &m, score_keys);
malformed:
	w->malformed++;
	return 0;
}

int cap_workpipe_feed(struct cap_workpipe *w, const char *data, size_t len)
{
	int r = 0;

	for (size_t i = 0; i < len && r == 0; i++) {
		if (data[i] == '\n') {
			r = w->skip ? 0 : take_line(w);
			w->len = 0;
			w->skip = false;
		} else if (w->len < sizeof(w->line) - 1) {
			w->line[w->len++] = data[i];
		} else if (!w->skip) {
			w->skip = true;
			w->malformed++;
		}
	}
	return r;
}

int cap_workpipe_read(struct cap_workpipe *w, int fd)
{
	char buf[4096];

	for (;;) {
		const ssize_t n = read(fd, buf, sizeof(buf));
		int r;

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? 0 : -errno;
		if (n == 0)
			return 1;
		r = cap_workpipe_feed(w, buf, (size_t)n);
		if (r < 0)
			return r;
	}
}
