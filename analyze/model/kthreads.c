// SPDX-License-Identifier: GPL-3.0-or-later
#include "analyze/model/kthreads.h"

#include <string.h>

#define KTHREADD_TID 2

/* As they begin. */
static const char *const usual[] = {
	"kworker/",    "ksoftirqd/", "migration/", "rcu_",	  "rcuc/",	   "rcuog/",
	"rcuop/",      "rcuos/",     "rcub/",	   "kswapd",	  "kcompactd",	   "khugepaged",
	"kthreadd",    "watchdog/",  "watchdogd",  "cpuhp/",	  "irq/",	   "irq_work/",
	"idle_inject", "jbd2/",	     "ext4-rsv-",  "xfsaild/",	  "xfs-",	   "btrfs-",
	"kauditd",     "oom_reaper", "khungtaskd", "kdevtmpfs",	  "ksmd",	   "kblockd",
	"scsi_eh_",    "nvme-",	     "napi/",	   "ktimers/",	  "posixcputmr/",  "kvm-nx-lpage-",
	"kvm-pit/",    "psimon",     "writeback",  "kintegrityd", "dmcrypt_write", "pool_workqueue",
};

static bool has_usual_name(const char *comm)
{
	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++)
		if (comm[0] == usual[i][0] && strncmp(comm, usual[i], strlen(usual[i])) == 0)
			return true;
	return false;
}

bool fan_is_kthread(const struct fan_thread *th, const struct fan_task_fact *task)
{
	if (th->tid == KTHREADD_TID || th->parent_tid == KTHREADD_TID || task->is_kthread)
		return true;
	return th->parent_tid < 0 && has_usual_name(th->comm);
}
