/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Short names for cgroups, as people know what is in them: the machine of systemd or libvirt, the
 * container, the pod. Not necessarily unique; each length tells more than the one before.
 */
#ifndef FAN_MODEL_CGROUP_NAME_H
#define FAN_MODEL_CGROUP_NAME_H

#include <stddef.h>

enum fan_name_length {
	FAN_NAME_VM,	/* as SHORT, without the cgroups that libvirt makes within a machine */
	FAN_NAME_SHORT, /* "vm1", "docker:0123456789ab", "pod:01234567/0123456789ab", "leaf" */
	FAN_NAME_LONG,	/* "qemu-1-vm1", whole identifiers, "parent/leaf" */
	FAN_NAME_PATH,	/* the path as it stands */
};

/*
 * Of a path from the root of its hierarchy, "/machine.slice/machine-qemu\x2d1\x2dvm1.scope". The
 * forms are those of systemd-machined and libvirt 9 (also cgroup v1), Docker 20, Podman 4, CRI-O,
 * containerd and kubelet 1.2x with either cgroup driver. To be freed; NULL without memory.
 */
char *fan_cgroup_name(const char *path, enum fan_name_length length);

/*
 * Of a cgroup that libvirt made within a machine for some of its threads ("MACHINE/libvirt/vcpu0",
 * "MACHINE/emulator"): how many bytes of the path are the machine's. Else all of them.
 */
size_t fan_cgroup_machine_length(const char *path);

#endif
