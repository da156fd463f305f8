// SPDX-License-Identifier: GPL-3.0-or-later
/* CPU topology from sysfs. */
#include "capture/topology.h"

#include <string.h>

#include "capture/io.h"
#include "capture/procfs.h"
#include "fcap/num.h"

static bool read_value(int dirfd, int cpu, const char *name, char *ret, size_t size)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "cpu%d/topology/%s", cpu, name);
	n = cap_io_read_at(dirfd, path, ret, size);
	if (n <= 0)
		return false;
	ret[strcspn(ret, "\n")] = '\0';
	return true;
}

/* Its memory node is a link "nodeN" in its folder. */
static void put_node(int dirfd, int cpu, struct cap_emit *e)
{
	struct cap_ids node = { 0 };
	char path[32];

	snprintf(path, sizeof(path), "cpu%d", cpu);
	if (cap_proc_ids(dirfd, path, "node", &node) == 0 && node.n == 1)
		cap_emit_i64(e, "node", node.id[0]);
	cap_ids_free(&node);
}

static int emit_cpu(int dirfd, int cpu, struct cap_sink to)
{
	static const char *const key[][2] = {
		{ "core", "core_id" },
		{ "package", "physical_package_id" },
		{ "siblings", "thread_siblings_list" },
		{ "cluster", "cluster_id" }, /* cores that share a cache; none: -1, or 65535 */
	};
	char value[512];
	struct cap_emit e;

	if (!read_value(dirfd, cpu, "core_id", value, sizeof(value)))
		return 0;
	cap_emit_begin(&e, to, "cpu");
	cap_emit_i64(&e, "id", cpu);
	cap_emit_identity(&e);
	for (size_t i = 0; i < sizeof(key) / sizeof(key[0]); i++)
		if (read_value(dirfd, cpu, key[i][1], value, sizeof(value)) &&
		    strcmp(value, "-1") != 0 && strcmp(value, "65535") != 0)
			cap_emit_str(&e, key[i][0], value);
	put_node(dirfd, cpu, &e);
	return cap_emit_end(&e);
}

int cap_topology_emit(int dirfd, struct cap_sink to)
{
	struct cap_ids cpus = { 0 };
	int r = cap_proc_ids(dirfd, ".", "cpu", &cpus);

	for (size_t i = 0; i < cpus.n && r == 0; i++)
		r = emit_cpu(dirfd, cpus.id[i], to);
	cap_ids_free(&cpus);
	return r;
}
