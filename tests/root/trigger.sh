#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record --events trigger on the real kernel: files around crossings, and what is left behind.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
export MICROVM=$B/samples/microvm
INSTANCES=/sys/kernel/tracing/instances
PRE=() # goes before fcap
PRELOAD=$B/tests/preload/fail_nth.so

why_not() {
	[[ $(id -u) == 0 ]] || { echo "needs root" && return; }
	[[ -d $INSTANCES ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
		echo "no tracefs"
}

no_root=$(why_not)
no_kvm=$no_root
[[ $no_kvm || (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]] || no_kvm="no /dev/kvm"

after_test() {
	rm -rf -- ./trace* ./out ./said ./page ./json
	PRE=()
}

# record ARGUMENT...: nothing is left behind but files that are complete
record() {
	local pid

	"${PRE[@]}" "$B/fcap" record --events trigger "$@" >out 2>said &
	pid=$!
	wait $pid
	STATUS=$?
	! compgen -G './*.parts' && ! compgen -G "$INSTANCES/fcap-$pid-*" && return
	cat out said
	return 1
}

# said PATTERN...: each matches one of the messages
said() {
	local pattern

	for pattern; do
		grep -qE -e "$pattern" said && continue
		echo "no message \"$pattern\":"
		cat said
		return 1
	done
}

# Two VMs with as many vCPUs as there are CPUs: nobody gets what he wants.
two_vms() {
	"$ROOT/samples/run-vms.sh" --seconds "$1"
}
export -f two_vms
export ROOT

# vms TIME: the command, for fcap
vms() {
	VMS=(bash -c "two_vms $1")
}

# holds FILE CONDITION: in the report on it
holds() {
	"$B/fanalyze" report --json json "$1" >page 2>&1 && jq -e "$2" <json >answer && return
	echo "does not hold of $1: $2"
	cat page
	return 1
}

# has_all FILE: the lines that a recording has, a trigger among its events, and no loss
# shellcheck disable=SC2016 # $f and $t are jq's
has_all() {
	"$B/fanalyze" info --json facts "$1" >page || return
	jq -e '[.markers[].kind] as $k | (["begin", "cpu", "task", "cg", "group", "vcpu", "steal",
		"trigger", "end"] - $k) == []' <facts >answer || { cat page && return 1; }
	jq -e '.losses == [] and all(.buffers[].cpus[]; .loss_marks == 0) and
		any(.events[]; .name == "sched:sched_switch" and .in_main > 0)' <facts >answer ||
		{ cat page && return 1; }
}

# read_by_others FILE: trace-cmd has nothing to complain, and the crossing lies among the events
read_by_others() {
	trace-cmd report -i "$1" >text 2>text.err && is_empty text.err || return
	awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) { t = $i + 0; break } }
		/fcap: trigger / { trigger = t } /sched_switch/ { if (!first) first = t; last = t }
		END { exit !(first && first < trigger && trigger < last) }' text && return
	echo "$1: the trigger is not among the events"
	head -5 text
	return 1
}

saves_a_crossing() {
	vms 1500ms
	record --sample 20ms --when 'vm1:steal>2%/100ms' --when 'vm9:wait>1%/1s' --max-saves 2 \
		--label a=b -- "${VMS[@]}" || return
	((STATUS == 0)) && said ': saved trace-1.dat: steal of vm1[#0-9]* was [0-9.]+ % over 100ms \(limit 2 %\)' \
		': saved [12] files?: trace-1.dat, .*; vm9:wait>1%/1s: no such VM was seen for so long' ||
		return
	has_all trace-1.dat && read_by_others trace-1.dat &&
		holds trace-1.dat '.quality.lost == 0 and .source.labels.a == "b" and
			(.quality.notes | any(startswith("saved around a moment"))) and
			(["vm1", "vm2"] - [.groups[].name]) == []' || return
	[[ ! -e trace.dat ]] || { echo "there is a trace.dat" && return 1; }
}

# 16 KiB hold some hundred events
small_rings_lose_nothing_of_what_is_saved() {
	vms 2s
	record --sample 20ms --buffer-size 16KiB --when 'wait>2%/800ms' --max-saves 1 --after 0s \
		-o trace.x/../trace.dat -- "${VMS[@]}"
	((STATUS == 125)) || { echo "a folder that is not there: status $STATUS" && return 1; }
	record --sample 20ms --buffer-size 16KiB --when 'wait>2%/800ms' --max-saves 1 --after 0s \
		--compress -- "${VMS[@]}" || return
	said 'saved trace-1.dat' 'held only 0\.[0-9]+ s before the crossing, not the 800ms asked for: --buffer-size=[0-9]+MiB' \
		' compressed to ' || return
	"$B/fanalyze" info --json facts trace-1.dat >page || return
	jq -e '.losses == [] and all(.buffers[].cpus[]; .loss_marks == 0)' <facts >answer ||
		{ cat page && return 1; }
	holds trace-1.dat '.quality.lost == 0'
}

nothing_crossed() {
	vms 600ms
	record --sample 20ms --when 'wait>900000%/100ms' -- "${VMS[@]}" || return
	((STATUS == 0)) && is_one_line said \
		'fcap: no limit was crossed, and nothing saved; wait>900000%/100ms: the highest value was ' &&
		! compgen -G './trace*'
}

# there may be VMs of others, so that the limits are for one that is not there
status_of_the_command() {
	record --when 'nobody:steal>2%/1s' -- sh -c 'exit 7' || return
	((STATUS == 7)) && said 'nobody:steal>2%/1s: no such VM with known vCPUs was seen for so long' || return
	record --when 'nobody:steal>2%/1s' --duration 300ms || return
	((STATUS == 0)) && said 'no limit was crossed'
}

a_signal_ends_it() {
	local pid

	"$B/fcap" record --events trigger --when 'nobody:steal>2%/1s' --duration 50s 2>said &
	pid=$!
	until [[ -d trace-1.dat.parts ]] || ! kill -0 $pid; do sleep 0.05; done
	sleep 0.3
	kill -INT $pid
	wait $pid || { cat said && return 1; }
	said 'no limit was crossed' && [[ ! -e trace-1.dat.parts ]] && ! compgen -G "$INSTANCES/fcap-$pid-*"
}

later_files_are_not_replaced_either() {
	: >trace-3.dat
	record --no-clobber --when 'steal>2%/1s' -- true || return
	((STATUS == 125)) && is_one_line said 'fcap: trace-3.dat: exists; ' || return
	record --no-clobber --max-saves 2 --when 'nobody:steal>2%/1s' -- true && ((STATUS == 0))
}

# killed at the last calls that change something, around the making of a file
killed_while_it_saves() {
	local calls nth

	vms 600ms
	PRE=(env "FAIL_COUNT=$PWD/count" "LD_PRELOAD=$PRELOAD")
	record --sample 20ms --when 'wait>2%/100ms' \
		--max-saves 1 -- "${VMS[@]}" || return
	PRE=()
	calls=$(<count)
	[[ $calls -gt 20 && -s trace-1.dat ]] || { echo "$calls calls" && cat said && return 1; }
	for nth in 4 7 9 12; do
		rm -f trace-1.dat
		timeout 60 env FAIL_NTH=$((calls - nth)) FAIL_HOW=kill "LD_PRELOAD=$PRELOAD" \
			"$B/fcap" record --events trigger --sample 20ms --when 'wait>2%/100ms' --max-saves 1 \
			-- "${VMS[@]}" >out 2>&1
		sleep 0.7 # the VMs end by themselves
		is_whole_or_recovered || { echo "killed at $((calls - nth))" && return 1; }
	done
}

is_whole_or_recovered() {
	if [[ -d trace-1.dat.parts ]]; then
		"$B/fcap" recover trace-1.dat.parts >recovered 2>&1 ||
			grep -q 'nothing was recorded yet; removed it' recovered ||
			{ cat recovered && return 1; }
	fi
	[[ ! -e trace-1.dat.parts ]] || return
	[[ ! -e trace-1.dat ]] || "$B/fanalyze" info trace-1.dat >page || { cat page && return 1; }
}

on_a_full_disk() {
	vms 1s
	(cd small && timeout 60 "$B/fcap" record --events trigger --sample 20ms \
		--when 'wait>2%/300ms' --max-saves 1 -- "${VMS[@]}" >/dev/null 2>../said)
	(($? == 125)) && said 'No space left on device; what was recorded is in trace-1.dat.parts: make room and run "fcap recover' ||
		return
	[[ $(grep -c 'No space left' said) == 1 ]] || { cat said && return 1; }
	mount -o remount,size=64m small || return
	"$B/fcap" recover small/trace-1.dat.parts >out 2>&1 || { cat out && return 1; }
	# all that was read may have fitted, and only the file itself not
	"$B/fanalyze" info small/trace-1.dat >page && grep -qE '1  (cut|end)' page
}

refusals() {
	record --when 'steal>2%/150ms' -- true
	((STATUS == 125)) && said 'the span is shorter than two samples' || return
	record -- true
	((STATUS == 125)) && said 'needs a limit' || return
	expect 125 "$B/fcap" record --max-saves 3 -- true 2>said && said '--max-saves needs --events=trigger'
}

no_trace_cmd=$no_kvm
[[ $no_trace_cmd ]] || command -v trace-cmd >/dev/null || no_trace_cmd="no trace-cmd"
no_preload=$no_kvm
[[ $no_preload || ${B##*/} != *-* ]] || no_preload="the sanitizer must be loaded first"
[[ $no_preload || -e $PRELOAD ]] || no_preload="no $PRELOAD"
no_mount=$no_kvm

echo "1..9"
unless "$no_trace_cmd" "a crossing makes a whole file, which others read too" saves_a_crossing
unless "$no_kvm" "what small rings overwrote is no loss of the file, and is told" \
	small_rings_lose_nothing_of_what_is_saved
unless "$no_kvm" "without a crossing nothing is saved, and the highest value told" nothing_crossed
unless "$no_root" "the status is the command's, or 0 without one" status_of_the_command
unless "$no_root" "a signal ends it, and nothing is left" a_signal_ends_it
unless "$no_root" "--no-clobber is about all files there may be" later_files_are_not_replaced_either
unless "$no_preload" "killed while it saves: the file, or parts that can be recovered" \
	killed_while_it_saves
if [[ ! $no_mount ]] && mkdir small && mount -t tmpfs -o size=200k none small 2>/dev/null; then
	check "on a full disk what fitted can be recovered" on_a_full_disk
	umount small
else
	unless "${no_mount:-cannot mount a tmpfs}" "on a full disk what fitted can be recovered" true
fi
unless "$no_root" "what does not go together is refused" refusals
