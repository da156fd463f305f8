#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# VMs under a quota, pinned, and three on too few CPUs, recorded on the real kernel: the waits of
# the trace must add up to the kernel's counter, and every sum to its parts. No shares, no times.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
. "$ROOT/tests/lib/tap.sh"
export MICROVM=$B/samples/microvm

no_kvm=
if [[ $(id -u) != 0 ]]; then
	no_kvm="needs root"
elif [[ ! -d /sys/kernel/tracing/instances ]] &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_kvm="no tracefs"
elif [[ ! (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]]; then
	no_kvm="no /dev/kvm"
fi

# the folder of a process's cgroup of the cpu controller; nothing where there is none
cpu_folder() {
	local line path

	while IFS= read -r line; do
		path=${line#*:*:}
		case $line in
		*:*cpu,*:* | *:cpu:* | *,cpu:*)
			findmnt -n -o TARGET,OPTIONS -t cgroup |
				awk -v path="$path" '$2 ~ /(^|,)cpu(,|$)/ { print $1 path; exit }' ;;
		0::*)
			[[ -e /sys/fs/cgroup$path/cpu.max ]] && echo "/sys/fs/cgroup$path" ;;
		esac
	done <"/proc/$1/cgroup" | head -1
}

# a VM may use 20 ms of each 100 ms from half a second on
set_quota() {
	local folder

	sleep 0.5
	folder=$(cpu_folder "$(pgrep -f "^$MICROVM --name $1" | head -1)")
	if [[ -e $folder/cpu.cfs_quota_us ]]; then
		echo 20000 >"$folder/cpu.cfs_quota_us"
	elif [[ -e $folder/cpu.max ]]; then
		echo "20000 100000" >"$folder/cpu.max"
	fi
}

run_set_up() {
	case $1 in
	quota)
		set_quota "q$$" &
		"$ROOT/samples/run-vms.sh" --seconds 3s --vcpus 1 --names "q$$,free"
		wait ;;
	pinned) taskset -c 0 "$ROOT/samples/run-vms.sh" --seconds 3s --vcpus 1 ;;
	crowded) "$ROOT/samples/run-vms.sh" --seconds 3s --vms 3 --vcpus 2 ;;
	esac
}

if [[ ${1-} == --run ]]; then
	run_set_up "$2"
	exit
fi

record() {
	"$B/fcap" record -o "$DIR/$1.dat" --sample 20ms -- "${BASH_SOURCE[0]}" --run "$1" \
		>"$DIR/$1.out" &&
		"$B/fanalyze" report --json "$DIR/$1.json" "$DIR/$1.dat" >"$DIR/$1.txt"
}

# jq_true FILTER NAME: the filter gives true for the report
jq_true() {
	jq -e "$1" "$DIR/$2.json" >/dev/null || {
		echo "not true: $1"
		jq -c '.quality, (.groups[] | .name, .steal, .waited_for)' "$DIR/$2.json"
		return 1
	}
}

# Of the VMs that waited for more than some ms, in which the delay of each stamp counts for much, and
# that few gaps touched: a switch that this machine does not tell is none of the waits' errors.
JUDGED='.groups[].steal | select(.compared_counter_ns > 1e7 and
	.comparable_intervals >= 0.95 * .intervals)'

waits_close() {
	jq_true "[$JUDGED | .closure == \"closed\"] | length >= 1 and all" "$1"
}

# Why nothing can be said of the waits of this recording; empty: it can.
find_gaps() {
	jq -r "if .quality.gaps > 0 and ([$JUDGED] | length) == 0
		then \"\\(.quality.gaps) gaps touch too many intervals of each VM\" else \"\" end" \
		"$DIR/$1.json"
}

# shellcheck disable=SC2016 # the variables are jq's
sums_are_their_parts() {
	jq_true '[.groups[] | .waited_for as $w | .wait_ns == ([$w.groups[]] | add // 0) +
			$w.self_ns + $w.host_ns + $w.throttled_or_contended_ns +
			$w.forced_idle_ns + $w.idle_ns + $w.unknown_ns] | all' "$1" &&
		jq_true '[.groups[].waited_for | ([.host[].ns] | add // 0) <= .host_ns] | all' "$1" &&
		jq_true '.period.end_ns as $all | [.groups[].threads[] | .run_ns + .wait_ns +
			(.halted_ns // 0) + .blocked_ns + .unknown_ns <= $all] | all' "$1" &&
		jq_true '[.groups[].threads[] | select(.in_kvm_run_ns != null) |
			.in_kvm_run_ns + (.vmm_ns // 0) <= .run_ns] | all' "$1" &&
		jq_true '([.groups[].share.value] | add) - 100 | fabs < 1e-9' "$1" &&
		jq_true '([.groups[].expected_pct] | add) - 100 | fabs < 1e-6' "$1"
}

throttling_is_blamed_on_nobody() {
	grep -q "was throttled by its quota" "$DIR/quota.txt" || {
		jq -c '.host' "$DIR/quota.json"
		return 1
	}
	jq_true '[.groups[] | select(.name | startswith("q")) |
		.waited_for.throttled_or_contended_ns > 0] | length == 1 and all' quota
}

for name in quota pinned crowded; do
	unless "$no_kvm" "$name: VMs are recorded" record $name
	unless "${no_kvm:-$(find_gaps $name)}" "$name: the waits add up to the kernel's counter" \
		waits_close $name
	unless "$no_kvm" "$name: sums are their parts" sums_are_their_parts $name
done
no_quota=$no_kvm
[[ $no_quota || $(cpu_folder $$) ]] || no_quota="no cpu controller of cgroups"
unless "$no_quota" "a throttled VM's waits are blamed on nobody" throttling_is_blamed_on_nobody
echo "1..$COUNT"
