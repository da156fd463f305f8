// SPDX-License-Identifier: GPL-3.0-or-later
/* What may keep us from tracefs whatever its state: user, namespaces, lockdown. */
#include "capture/check_parts.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/io.h"

#define CAP_DAC_OVERRIDE_BIT 1 /* of capabilities(7) */
#define CAP_SYS_PTRACE_BIT   19

/* The namespaces that the kernel starts with have fixed numbers. */
#define FIRST_PID_NS	"pid:[4026531836]"
#define FIRST_USER_NS	"user:[4026531837]"
#define FIRST_CGROUP_NS "cgroup:[4026531835]"

static bool read_uid(const struct cap_check_ctx *x, unsigned int *ret)
{
	char text[4096];
	const char *line;

	if (cap_io_read_at(x->procfd, "self/status", text, sizeof(text)) < 0)
		return false;
	line = strstr(text, "\nUid:");
	return line && sscanf(line, " Uid: %*u %u", ret) == 1; /* the effective one */
}

/* Not root: enough is who may make folders in tracefs. */
static void judge_user(struct cap_check_ctx *x, struct cap_check *c, unsigned int uid)
{
	static const char fix[] = "sudo fcap check";
	const struct cap_check_calls *calls = x->host->calls;
	char path[PATH_MAX + 16], *gid;
	struct cap_mount m;

	if (!cap_check_mount(x, "tracefs", NULL, "/sys/kernel/tracing", &m)) {
		cap_check_missing(c, fix, "user %u; recording needs root", uid);
		return;
	}
	snprintf(path, sizeof(path), "%s/instances", cap_check_below(m.point));
	gid = strstr(m.super, "gid=");
	if (calls->access(calls->ctx, x->host->root, path, W_OK | X_OK) == 0)
		cap_check_degraded(c, "cookies of other users' VMs", fix,
				   "user %u, who may write to tracefs; the cookies of others need "
				   "root",
				   uid);
	else if (gid)
		cap_check_missing(c, fix,
				  "user %u; the group of tracefs (%.*s) may only read, and a "
				  "recording begins with a folder made there",
				  uid, (int)strcspn(gid, ","), gid);
	else
		cap_check_missing(c, fix, "user %u; recording needs root", uid);
}

void cap_check_root(struct cap_check_ctx *x, struct cap_check *c)
{
	uint64_t caps = UINT64_MAX;
	unsigned int uid;

	if (!read_uid(x, &uid)) {
		cap_check_missing(c, "sudo mount -t proc proc /proc", "/proc cannot be read");
		return;
	}
	cap_check_number(x, "self/status", "CapEff:", 16, &caps);
	x->is_root = uid == 0 || (caps >> CAP_DAC_OVERRIDE_BIT & 1);
	if (!x->is_root)
		judge_user(x, c, uid);
	else if (!(caps >> CAP_SYS_PTRACE_BIT & 1))
		cap_check_degraded(c, "cookies of VMs",
				   "start the container with --cap-add SYS_PTRACE",
				   "root without the capability SYS_PTRACE, which reading cookies "
				   "needs");
	else
		cap_check_ok(c, uid == 0 ? "root" : "not root, but with its capabilities");
}

/* True if the link says so, or does not exist in this kernel. */
static bool is_first_ns(const struct cap_check_ctx *x, const char *path, const char *first)
{
	char link[64];
	const ssize_t n = readlinkat(x->procfd, path, link, sizeof(link) - 1);

	if (n < 0)
		return true;
	link[n] = '\0';
	return strcmp(link, first) == 0;
}

/* A process that has a number in more than one namespace has been given /proc from outside. */
static bool has_two_pids(const struct cap_check_ctx *x)
{
	unsigned int first, second;
	char text[4096];
	const char *line;

	if (cap_io_read_at(x->procfd, "self/status", text, sizeof(text)) < 0)
		return false;
	line = strstr(text, "\nNSpid:");
	return line && sscanf(line, " NSpid: %u%*[ \t]%u", &first, &second) == 2;
}

/* True if the root of our user namespace is the host's too. */
static bool is_hosts_root(const struct cap_check_ctx *x)
{
	unsigned int inside, outside;
	char text[256];

	return is_first_ns(x, "self/ns/user", FIRST_USER_NS) ||
	       (cap_io_read_at(x->procfd, "self/uid_map", text, sizeof(text)) > 0 &&
		sscanf(text, "%u %u", &inside, &outside) == 2 && inside == 0 && outside == 0);
}

void cap_check_namespaces(struct cap_check_ctx *x, struct cap_check *c)
{
	if (!is_hosts_root(x)) {
		x->is_root = false;
		cap_check_missing(c, "run fcap as root of the host, outside the container",
				  "root of a user namespace only: tracefs belongs to the host's "
				  "root");
	} else if (!is_first_ns(x, "self/ns/pid", FIRST_PID_NS) || has_two_pids(x)) {
		cap_check_missing(c, "start the container with --privileged --pid=host",
				  "in a container with process numbers of its own: those in the "
				  "events are the host's");
	} else if (!is_first_ns(x, "self/ns/user", FIRST_USER_NS)) {
		cap_check_degraded(c, "cookies of VMs", "start the container with --userns=host",
				   "in a user namespace: root has no capabilities outside it");
	} else if (!is_first_ns(x, "self/ns/cgroup", FIRST_CGROUP_NS)) {
		cap_check_degraded(c, "weights of the outer cgroups",
				   "start the container with --cgroupns=host",
				   "in a cgroup namespace: groups outside it are not seen");
	} else {
		cap_check_ok(c, "those of the host: processes, users, cgroups");
	}
}

void cap_check_lockdown(struct cap_check_ctx *x, struct cap_check *c)
{
	char text[128];

	cap_check_line(x, "sys/kernel/security/lockdown", text, sizeof(text));
	x->is_confined = strstr(text, "[confidentiality]") != NULL;
	if (x->is_confined)
		cap_check_missing(c, "boot with lockdown=integrity, or lockdown=none",
				  "confidentiality: the kernel lets nobody trace");
	else if (strstr(text, "[integrity]"))
		cap_check_ok(c, "integrity, which allows tracing");
	else
		cap_check_ok(c, "none");
}
