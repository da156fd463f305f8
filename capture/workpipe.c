// SPDX-License-Identifier: GPL-3.0-or-later
/* What the workload says about its work. */
#include "capture/workpipe.h"

#include <errno.h>
#include <unistd.h>

#include "fcap/num.h"

#define ROUND_BYTES (1U << 20) /* a workload that never falls silent must not hold us */

void cap_workpipe_init(struct cap_workpipe *w, struct cap_sink to)
{
	w->to = to;
	w->malformed = 0;
	cap_lines_reset(&w->lines);
}

static bool is_amount(const struct fcap_marker *m, const char *key, bool required)
{
	const char *text = fcap_marker_get(m, key);
	double v = 0;

	return text ? fcap_parse_real(text, &v) == 0 && v >= 0 : !required;
}

/* What is kept beside vm; NULL: the line is malformed. */
static const char *const *find_keys(const struct fcap_marker *m)
{
	static const char *const work_keys[] = { "n", "t", "dt", "unit", NULL };
	static const char *const score_keys[] = { "value", "t", NULL };

	if (!is_amount(m, "t", false))
		return NULL;
	if (fcap_marker_is(m, "work") && is_amount(m, "n", true) && is_amount(m, "dt", false))
		return work_keys;
	if (fcap_marker_is(m, "score") && is_amount(m, "value", true))
		return score_keys;
	return NULL;
}

int cap_work_line(const char *line, const char *guest, struct cap_sink to)
{
	char text[FCAP_MARKER_MAX + 8];
	const char *vm, *const *keys;
	struct fcap_marker m;
	struct cap_emit e;

	/* "fcap-work ..." has the grammar of "fcap: work ..." */
	if (strncmp(line, "fcap-", 5) != 0)
		return 1;
	snprintf(text, sizeof(text), "fcap: %s", line + 5);
	if (fcap_marker_parse(text, &m) != 0)
		return 1;
	vm = fcap_marker_get(&m, "vm");
	if (!vm)
		vm = guest;
	keys = find_keys(&m);
	if (!vm || !*vm || !keys)
		return 1;
	cap_emit_begin(&e, to, m.kind);
	cap_emit_str(&e, "vm", vm);
	for (; *keys; keys++) {
		const bool is_t = strcmp(*keys, "t") == 0;
		const char *v = fcap_marker_get(&m, *keys);

		if (v && !(is_t && guest))
			cap_emit_str(&e, *keys, v);
	}
	if (guest || !fcap_marker_get(&m, "t"))
		cap_emit_u64(&e, "stamped_on_arrival", 1);
	return cap_emit_end(&e);
}

static int take_line(void *ctx, char *line, size_t len)
{
	struct cap_workpipe *w = ctx;
	int r = 1;

	if (line && len == 0)
		return 0;
	if (line && strlen(line) == len)
		r = cap_work_line(line, NULL, w->to);
	if (r <= 0)
		return r;
	w->malformed++;
	return 0;
}

int cap_workpipe_feed(struct cap_workpipe *w, const char *data, size_t len)
{
	return cap_lines_feed(&w->lines, data, len, take_line, w);
}

int cap_workpipe_read(struct cap_workpipe *w, int fd)
{
	size_t bytes = 0;
	char buf[4096];

	while (bytes < ROUND_BYTES) {
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
		bytes += (size_t)n;
	}
	return 0;
}
