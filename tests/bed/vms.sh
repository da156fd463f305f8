#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs inside the bed: VMs at the same time, with "vm" each with a core-scheduling
# cookie. Usage: vms.sh off|vm TIME VCPUS     VCPUS is a digit for each VM: 32 is one of 3 and one of 2
# Each has a cgroup of its own, without the cpu controller: that would weigh VMs, not threads.
# At the end the kernel's own count of each VM's forced idle time is printed.
set -u
CGROUPS=/sys/fs/cgroup
PIDS=()
STATUS=0

# run_vm NAME VCPUS off|vm TIME
run_vm() {
	echo 0 >"$CGROUPS/$1/cgroup.procs" || exit
	exec microvm --name "$1" --vcpus "$2" --core-sched "$3" --seconds "$4" --report-every 250ms
}

for ((i = 0; i < ${#3}; i++)); do
	mkdir "$CGROUPS/vm$((i + 1))" || exit
	run_vm "vm$((i + 1))" "${3:i:1}" "$1" "$2" &
	PIDS+=($!)
done
for pid in "${PIDS[@]}"; do
	wait "$pid" || STATUS=1
done
for ((i = 1; i <= ${#3}; i++)); do
	echo "vm$i $(grep force_idle "$CGROUPS/vm$i/cpu.stat")"
	rmdir "$CGROUPS/vm$i"
done
exit "$STATUS"
