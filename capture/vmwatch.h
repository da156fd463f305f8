/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Looks how many VMs a process holds, and at vCPU threads that have no name of their own: in
 * debugfs, else by the process's descriptors.
 */
#ifndef CAP_VMWATCH_H
#define CAP_VMWATCH_H

#include <stdint.h>
#include <sys/types.h>

#include "capture/thread_lines.h"
#include "capture/vmlist.h"

struct cap_file_source {
	/* 1: both descriptors of the process are of one open file; 0: not; negative errno. */
	int (*is_same)(void *ctx, pid_t pid, int a, int b);
	void *ctx;
};

/* The kernel that this runs on. */
extern const struct cap_file_source cap_files_kernel;

struct cap_vmwatch {
	int sysfd;			     /* /sys; -1: not to be had */
	const struct cap_file_source *files; /* NULL: cannot be asked */
	uint64_t digest, changed_ns;	     /* of debugfs' list */
};

/*
 * Notes in the list what is known now and writes "vcpu" lines for threads that are found to be
 * such; for every whole sample. 0, or negative errno (memory, or of the sink).
 */
int cap_vmwatch_look(struct cap_vmwatch *w, struct cap_thread_ctx *ctx, struct cap_vmlist *vms,
		     uint64_t now_ns);

/*
 * How many VMs the process has open, by its descriptors, of which *ret_fds are of VMs. -1: it has
 * several such, and they cannot be told apart.
 */
int cap_vmwatch_count(int procfd, pid_t pid, const struct cap_file_source *files,
		      unsigned int *ret_fds);

#endif
