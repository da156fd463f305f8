#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs inside the bed: two QEMU guests of two vCPUs each share the two CPUs, and both count in two
# groups that are due 10 and 90 %. vm1 is booted with no-steal-acc, vm2 without.
# Usage: steal.sh SECONDS
# Leaves steal.dat, with what each guest told, and their consoles.
set -u
GUESTS=(vm1 vm2)
PIDS=()

# start_guest NAME OPTION...: the options are for its kernel
start_guest() {
	qemu-system-x86_64 -L /share -name "guest=$1,debug-threads=on" -machine pc -accel kvm \
		-cpu qemu64,-svm -smp 2 -m 96 -nodefaults -display none -no-reboot \
		-kernel /tmp/bzImage-guest -initrd /tmp/guest.gz \
		-append "console=ttyS0 quiet panic=-1 mitigations=off nokaslr tsc=reliable
			BED_NAME=$1 ${*:2}" \
		-serial "file:/share/out/$1.console" -device virtio-serial-pci \
		-chardev "file,id=lines,path=/tmp/$1.lines" -device virtconsole,chardev=lines &
	PIDS+=($!)
}

are_counting() {
	local name

	for name in "${GUESTS[@]}"; do
		grep -q '^fcap-guest ' "/tmp/$name.lines" && grep -q '^fcap-work ' "/tmp/$name.lines" ||
			return
	done 2>/dev/null
}

wait_for_guests() {
	local i

	for ((i = 0; i < 240; i++)); do
		are_counting && return
		kill -0 "${PIDS[@]}" || return
		sleep 1
	done
	echo "the guests do not count"
	return 1
}

# they are read once by each guest; the outer machine is far
cp /share/bzImage-guest /share/guest.gz /tmp || exit
echo 1 >/proc/sys/kernel/sched_schedstats
start_guest vm1 no-steal-acc
start_guest vm2
wait_for_guests || exit
echo "both guests count after $SECONDS s"
fcap record -o /tmp/steal.dat --sample 100ms --label setup=steal --guest vm1=/tmp/vm1.lines \
	--guest vm2=/tmp/vm2.lines -- sleep "$1"
STATUS=$?
kill "${PIDS[@]}"
cp /tmp/steal.dat .
exit "$STATUS"
