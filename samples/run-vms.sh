#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Two (or more) tiny VMs at the same time, each in a cgroup with a CPU weight of its own.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
# shellcheck source=samples/cgroups.sh
. "$HERE/cgroups.sh" || exit 1
MICROVM=${MICROVM:-$HERE/../build/samples/microvm}
CORETAG=${CORETAG:-$HERE/../build/samples/coretag}
CORE_SCHED=off

usage() {
	cat <<'END'
Usage: run-vms.sh [OPTION...]
Runs VMs (microvm) that only count, each in a cgroup of its own, and reports how far they came.

  --vms N          number of VMs (2)
  --vcpus N        vCPUs of each VM (the number of CPUs)
  --weights A,B    CPU weight of each VM as a cpu.shares number, 2 to 262144; where the machine
                   has cgroup v2, cpu.weight is set to A*100/1024 (128,1152 for two VMs, else
                   1024 each)
  --seconds TIME   how long, with a unit: 5s, 500ms (5s)
  --names A,B      names of the VMs (vm1,vm2,...)
  --core-sched X   core scheduling: vm gives each VM a cookie of its own, so that no two VMs
                   run on a core at the same time; vcpu gives each vCPU one; off none (off)
  --help           this text

Environment: MICROVM, the program (build/samples/microvm); CORETAG, the program that knows
whether this kernel has core scheduling (build/samples/coretag); FCAP_FD, a descriptor to which
the VMs write fcap-work lines. Exit status: 0 all VMs ended well, 1 not, 2 usage.
END
}

run_vm() {
	exec "$MICROVM" --name "$1" --vcpus "$SIZE" --seconds "$DURATION" --core-sched "$CORE_SCHED"
}

# Before anything is started: what the kernel refuses must not pass for a run with cookies.
check_core_sched() {
	local why

	[[ $CORE_SCHED =~ ^(off|vm|vcpu)$ ]] ||
		sample_usage "--core-sched $CORE_SCHED: use off, vm or vcpu"
	[[ $CORE_SCHED != off ]] || return 0
	[[ -x $CORETAG ]] ||
		sample_fail "$CORETAG: not found; run make, or set CORETAG to the program"
	why=$("$CORETAG" check 2>&1) || sample_fail "--core-sched $CORE_SCHED: ${why#coretag: }"
}

sample_options --vms --vcpus "$@"
sample_defaults vm
sample_check --vms --vcpus
check_core_sched
[[ -x $MICROVM ]] || sample_fail "$MICROVM: not found; run make, or set MICROVM to the program"
[[ -r /dev/kvm && -w /dev/kvm ]] ||
	sample_fail "cannot use /dev/kvm; load the kvm module, get the permission, or use run-groups.sh"
load_run run_vm 1
