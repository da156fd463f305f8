// SPDX-License-Identifier: GPL-3.0-or-later
/* "begin" and "end". */
#include "capture/run_lines.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "capture/io.h"
#include "capture/usage.h"

static int add_command(struct cap_emit *e, char *const *argv)
{
	char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);

	if (!out)
		return -ENOMEM;
	for (size_t i = 0; argv[i]; i++)
		fprintf(out, "%s%s", i ? " " : "", argv[i]);
	if (fclose(out) != 0) {
		free(text);
		return -ENOMEM;
	}
	cap_emit_str(e, "cmd", text);
	free(text);
	return 0;
}

bool cap_sched_ext_name(int dirfd, char *ret, size_t size)
{
	char state[32];

	if (cap_io_read_at(dirfd, "sys/kernel/sched_ext/state", state, sizeof(state)) < 0 ||
	    strncmp(state, "enabled", 7) != 0)
		return false;
	if (cap_io_read_at(dirfd, "sys/kernel/sched_ext/root/ops", ret, size) <= 0)
		snprintf(ret, size, "unnamed");
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

static void add_scheduler(struct cap_emit *e)
{
	const int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[128];

	if (root < 0)
		return;
	if (cap_sched_ext_name(root, name, sizeof(name)))
		cap_emit_str(e, "sched_ext", name);
	close(root);
}

static void add_host(struct cap_emit *e, const struct cap_host *host)
{
	const char *core_sched = fcap_core_state_word(host->core_sched);

	cap_emit_i64(e, "cpu_hierarchy", host->hierarchy);
	if (core_sched)
		cap_emit_str(e, "core_sched", core_sched);
	if (host->schedstats >= 0)
		cap_emit_i64(e, "schedstats", host->schedstats);
}

int cap_run_lines_begin(const struct cap_record_opts *opts, const struct cap_host *host, pid_t root,
			struct cap_sink to)
{
	struct utsname u;
	struct cap_emit e;
	int r;

	if (uname(&u) < 0)
		return -errno;
	cap_emit_begin(&e, to, "begin");
	cap_emit_u64(&e, "v", 1);
	cap_emit_identity(&e);
	cap_emit_str(&e, "clock", "mono");
	cap_emit_str(&e, "kernel", u.release);
	r = opts->argv ? add_command(&e, opts->argv) : cap_attach_emit(&e, &opts->attach);
	cap_emit_u64(&e, "sample_ns", opts->sample_ns);
	if (opts->events != CAP_EVENTS_ALL)
		cap_emit_str(&e, "events", opts->events == CAP_EVENTS_NONE ? "none" : "trigger");
	add_host(&e, host);
	add_scheduler(&e);
	if (opts->tuning.scope_command) {
		cap_emit_str(&e, "scope", "command");
		cap_emit_i64(&e, "root", root);
	}
	for (size_t i = 0; i < opts->nlabel; i++) {
		const char *label = opts->label[i], *eq = strchr(label, '=');
		char key[80];

		snprintf(key, sizeof(key), "label.%.*s", (int)(eq - label), label);
		cap_emit_str(&e, key, eq + 1);
	}
	return r < 0 ? r : cap_emit_end(&e);
}

int cap_run_lines_end(uint64_t events, uint64_t bytes, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, "end");
	cap_emit_u64(&e, "events", events);
	cap_emit_u64(&e, "bytes", bytes);
	cap_emit_u64(&e, "fcap_cpu_ns", cap_usage_cpu_ns());
	return cap_emit_end(&e);
}

int cap_run_lines_cut(const char *why, struct cap_sink to)
{
	struct cap_emit e;

	cap_emit_begin(&e, to, "cut");
	cap_emit_str(&e, "why", why);
	return cap_emit_end(&e);
}
