// SPDX-License-Identifier: GPL-3.0-or-later
/* KVM: its device, its vendor's module, its events. fcap opens no VM itself. */
#include "capture/check_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOSS_VMS   "VMs"
#define LOSS_EXITS "guest time, exit reasons"

/* The loaded module that runs guests: "kvm" for built-in ones; NULL: none. */
static const char *find_module(const struct cap_check_ctx *x)
{
	static const char *const name[] = { "kvm_intel", "kvm_amd", "kvm_pvm", "kvm_hv", "kvm" };

	for (size_t i = 0; i < sizeof(name) / sizeof(name[0]); i++) {
		char path[64];

		snprintf(path, sizeof(path), "sys/module/%s", name[i]);
		if (cap_check_exists(x, path))
			return name[i];
	}
	return NULL;
}

/* The module for this CPU, or NULL. */
static const char *wanted_module(const struct cap_check_ctx *x)
{
	if (cap_check_cpu_flag(x, "vmx"))
		return "kvm_intel";
	return cap_check_cpu_flag(x, "svm") ? "kvm_amd" : NULL;
}

static void tell_no_device(const struct cap_check_ctx *x, struct cap_check *c, const char *module)
{
	const char *wanted = wanted_module(x);
	char fix[64] = "";

	if (wanted)
		snprintf(fix, sizeof(fix), "sudo modprobe %s", wanted);
	/* the common part, kvm alone, runs no guest where a vendor's module is wanted */
	if (module && (!wanted || strcmp(module, "kvm") != 0))
		cap_check_degraded(c, LOSS_VMS, "sudo mknod -m 660 /dev/kvm c 10 232",
				   "%s is loaded, but /dev/kvm is not there", module);
	else if (wanted)
		cap_check_degraded(c, LOSS_VMS, fix, "no /dev/kvm: %s is not loaded", wanted);
	else
		cap_check_degraded(c, LOSS_VMS,
				   "switch virtualisation on in firmware or hypervisor",
				   "no /dev/kvm, and no virtualisation in this CPU (vmx, svm)");
}

static void tell_no_access(const struct cap_check_ctx *x, struct cap_check *c, int code)
{
	if (code == -EACCES && !x->is_root)
		cap_check_degraded(c, LOSS_VMS, "sudo usermod -aG kvm \"$USER\"",
				   "/dev/kvm is not for this user; VMs of others are recorded");
	else if (code == -EACCES || code == -EPERM)
		cap_check_degraded(c, LOSS_VMS, "start the container with --device /dev/kvm",
				   "/dev/kvm is refused: %s", strerror(-code));
	else
		cap_check_degraded(c, LOSS_VMS, "sudo modprobe kvm", "/dev/kvm does not open: %s",
				   strerror(-code));
}

static void tell_module(const struct cap_check_ctx *x, struct cap_check *c, const char *module)
{
	char path[96], nested[16];

	if (!module) {
		cap_check_ok(c, "/dev/kvm");
		return;
	}
	snprintf(path, sizeof(path), "sys/module/%s/parameters/nested", module);
	if (cap_check_line(x, path, nested, sizeof(nested)))
		cap_check_ok(c, "/dev/kvm by %s, nested guests %s", module,
			     strchr("Y1", nested[0]) ? "on" : "off");
	else
		cap_check_ok(c, "/dev/kvm by %s", module);
}

void cap_check_kvm(struct cap_check_ctx *x, struct cap_check *c)
{
	const struct cap_check_calls *calls = x->host->calls;
	const char *module = find_module(x);
	const int fd = calls->open(calls->ctx, x->host->root, "dev/kvm", O_RDWR);

	if (fd == -ENOENT) {
		tell_no_device(x, c, module);
	} else if (fd < 0) {
		tell_no_access(x, c, fd);
	} else {
		close(fd);
		tell_module(x, c, module);
	}
}

static bool has_event(const struct cap_check_ctx *x, const char *name)
{
	return cap_check_has_word(x->available, name);
}

void cap_check_kvm_events(struct cap_check_ctx *x, struct cap_check *c)
{
	const char *module = find_module(x), *wanted = wanted_module(x);
	char fix[64];

	snprintf(fix, sizeof(fix), "sudo modprobe %s", wanted ? wanted : "kvm");
	if (!x->available)
		cap_check_follows(c, "tracefs");
	else if (!strstr(x->available, "kvm:"))
		cap_check_degraded(c, LOSS_EXITS, module ? NULL : fix, "none: %s",
				   module ? "this kernel's KVM was built without them"
					  : "no module of KVM is loaded");
	else if (module && strcmp(module, "kvm_pvm") == 0)
		cap_check_degraded(c, LOSS_EXITS, "use a host with hardware virtualisation",
				   "kvm_pvm runs guests without hardware virtualisation: kvm_entry "
				   "and kvm_exit exist but never fire; kvm_userspace_exit%s stand "
				   "in",
				   has_event(x, "kvm:kvm_fpu") ? " and kvm_fpu" : "");
	else if (!has_event(x, "kvm:kvm_entry") || !has_event(x, "kvm:kvm_exit"))
		cap_check_degraded(c, LOSS_EXITS, NULL, "some, but no kvm:kvm_%s",
				   has_event(x, "kvm:kvm_exit") ? "entry" : "exit");
	else
		cap_check_ok(c, "kvm_entry, kvm_exit%s%s",
			     has_event(x, "kvm:kvm_userspace_exit") ? ", kvm_userspace_exit" : "",
			     has_event(x, "kvm:kvm_vcpu_wakeup") ? ", kvm_vcpu_wakeup" : "");
}
