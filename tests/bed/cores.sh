#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs inside the bed: recordings of VMs that are forced to share cores, without and with cookies.
# Usage: cores.sh RUNS TIME SETUP...     a SETUP names the vCPUs of each VM: 11, 222
# Leaves SETUP-off-N.dat and SETUP-on-N.dat, in the order off on, on off, ...
set -u
RUNS=$1 TIME=$2

describe() {
	local cpu

	uname -r -m
	for cpu in /sys/devices/system/cpu/cpu[0-9]*; do
		echo "${cpu##*/} siblings $(<"$cpu/topology/thread_siblings_list")"
	done
	echo "smt active $(</sys/devices/system/cpu/smt/active)"
	# the kernel counts forced idle time only while this is on
	echo 1 >/proc/sys/kernel/sched_schedstats
}

# record SETUP off|on NUMBER
record() {
	local name=$1-$2-$3 begin=$SECONDS cookies=off

	[[ $2 == off ]] || cookies=vm
	echo "== $name"
	fcap record -o "/tmp/$name.dat" --sample 50ms --label "core_sched=$2" --label "setup=$1" \
		--label "run=$3" -- /share/vms.sh "$cookies" "$TIME" "$1" || return
	echo "took $((SECONDS - begin)) s"
	cp "/tmp/$name.dat" . && rm "/tmp/$name.dat"
}

describe
# says why, where the kernel refuses
coretag new -- true || exit
for setup in "${@:3}"; do
	for ((i = 1; i <= RUNS; i++)); do
		if ((i % 2)); then
			order="off on"
		else
			order="on off"
		fi
		for configuration in $order; do
			record "$setup" "$configuration" "$i" || exit
		done
	done
done
