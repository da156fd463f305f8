#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Loss and cost of fcap record: a flood beside busy loops, and the options about both.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
HOGS=$(nproc)
PID=

after_test() {
	[[ ! $PID ]] || { kill "$PID" && wait "$PID"; }
	PID=
}

no_root=
if [[ $(id -u) != 0 ]]; then
	no_root="needs root"
elif [[ ! -d /sys/kernel/tracing/instances ]] &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_root="no tracefs"
elif ! command -v trace-cmd >/dev/null; then
	no_root="no trace-cmd to read the files with"
fi
# a name that nobody else has
[[ $no_root ]] || cp -- "$B/tests/bench/flood" fcap-flood || exit 1

# record ARGUMENT...: trace.dat, what was said in "said", the events as text in "all"
record() {
	rm -f trace.dat
	"$B/fcap" record "$@" >out 2>said
	local status=$?

	cat said
	[[ ! -e trace.dat ]] || trace-cmd report -i trace.dat 2>/dev/null >all
	return $status
}

# refuses PART ARGUMENT...: status 125, that in a sentence, and nothing started or left
refuses() {
	local status

	rm -f started
	"$B/fcap" record "${@:2}" -- touch started >out 2>said
	status=$?
	cat said
	[[ $status == 125 && ! -e started && ! -e trace.dat.parts ]] && grep -q -e "$1" said
}

flood_is_kept() {
	record -- ./fcap-flood 10 2000 "$HOGS" || return
	grep -qE 'wrote trace.dat: [0-9]+ events \([0-9.]+ [kM]/s\), .* MB/s\), lost none; fcap itself used [0-9.]+ s of CPU time on CPUs? [0-9,-]+$' said || return
	[[ $(wc -l <said) == 1 ]] || return
	# 10 pairs, 2000 rounds, two bytes each: each was waited for
	[[ $(grep -c ' sched_switch: .*fcap-flood' all) -gt 10000 ]] || return
	! grep -qE 'EVENTS DROPPED|fcap: lost' all
}

# What is lost with four pages a CPU beside busy loops: the last line, the lost markers, CPUSTAT;
# and the marks in the pages, some of which have no room for a number.
losses_agree() {
	local told marked counted i

	for i in 1 2 3; do
		record --buffer-size 16KiB -- ./fcap-flood 30 1000 "$((2 * HOGS))" || return
		grep -q 'lost none' said || break
	done
	told=$(sed -n 's/.*, lost \([0-9]*\) events; .*/\1/p' said)
	marked=$(grep 'fcap: lost ' all | grep -oE ' (overrun|dropped|commit_overrun)=[0-9]+' |
		awk -F= '{ n += $2 } END { print n + 0 }')
	trace-cmd dump --options -i trace.dat >options 2>/dev/null
	counted=$(grep -E '^(overrun|commit overrun|dropped events): ' options |
		awk -F': ' '{ n += $2 } END { print n + 0 }')
	echo "told ${told:-none}, lost lines $marked, CPUSTAT $counted"
	[[ $told && $told == "$marked" && $told == "$counted" ]] || return
	grep -oE '\[[0-9]* ?EVENTS DROPPED\]' all | tr -dc '0-9\n' |
		awk -v told="$told" '{ n += $1 } END { print NR, "marks,", n, "events"; exit !(NR && n <= told) }' || return
	"$B/fanalyze" report --json report.json trace.dat >text || return
	grep -E '"(lost|verdict)":' report.json | head -2
	grep -qE "\"lost\": ?$told\b" report.json && grep -qE '"verdict": ?"(degraded|cannot_tell)"' report.json || return
	grep -qE 'buffers of 16KiB a CPU did not hold .*--buffer-size=[0-9]+(KiB|MiB|GiB) would probably have \(an estimate' said
}

# Each event is by one of the command's tasks, or wakes or switches one. Before its exec the
# command bears the name of fcap.
only_the_command_is_in_scope() {
	record --scope command -- ./fcap-flood 2 500 1 || return
	grep -v ': print: ' all | grep -vE 'fcap' | grep -vE '^(version|cpus)' >others
	head -5 others
	[[ ! -s others && $(grep -c sched_switch all) -gt 500 ]] || return
	grep -q 'fcap: begin .* scope=command root=[0-9]' all || return
	[[ $(grep -c 'fcap: task ' all) -gt 0 ]] && ! grep 'fcap: task ' all | grep -vE 'comm="?(fcap|fcap-flood)'
}

scope_is_told_in_the_report() {
	record --scope command -- ./fcap-flood 2 500 1 || return
	"$B/fanalyze" report --group process --json report.json trace.dat >text || return
	cat text
	grep -q "only the command's own threads were recorded" text && grep -qE '"gaps": ?null' report.json
}

# all three kinds of threads are there: the main one, the draining ones, the sampler
wait_for_threads() {
	local i tasks

	for ((i = 0; i < 500; i++)); do
		tasks=("/proc/$PID"/task/*)
		((${#tasks[@]} >= 3)) && grep -qs fcap-drain "/proc/$PID"/task/*/comm && return
		sleep 0.01
	done
	echo "no draining thread"
	return 1
}

recorder_keeps_to_its_cpus() {
	local last=$((HOGS - 1)) f

	"$B/fcap" record --recorder-cpus "$last" -- ./fcap-flood 1 20000 0 >out 2>said &
	PID=$!
	wait_for_threads || return
	for f in "/proc/$PID"/task/*/status; do
		sed -n 's/^Cpus_allowed_list:\t//p' "$f"
	done >lists
	# the command is free to run anywhere
	sed -n 's/^Cpus_allowed_list:\t//p' "/proc/$(pgrep -P "$PID" | head -1)/status" >of-command
	sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status >mine
	wait "$PID" || return
	PID=
	cat said lists of-command
	[[ $(sort -u lists) == "$last" && $(wc -l <lists) -ge 3 ]] && cmp of-command mine &&
		grep -q "CPU time on CPU $last\$" said
}

drain_is_realtime() {
	local task policy

	"$B/fcap" record --realtime=3 -- ./fcap-flood 1 20000 0 >out 2>said &
	PID=$!
	wait_for_threads || { cat said && return 1; }
	for task in "/proc/$PID"/task/*; do
		policy=$(chrt -p "${task##*/}" | tr '\n' ' ')
		echo "$(<"$task/comm") $policy"
	done >policies
	wait "$PID" || return
	PID=
	cat policies
	grep 'fcap-drain' policies | grep -q 'SCHED_FIFO.*priority: 3' &&
		! grep -v fcap-drain policies | grep -q SCHED_FIFO
}

realtime_is_refused_with_its_reason() {
	local status

	rm -f started
	setpriv --bounding-set=-sys_nice --inh-caps=-sys_nice \
		prlimit --rtprio=0:0 "$B/fcap" record --realtime -- touch started >out 2>said
	status=$?
	cat said
	[[ $status == 125 && ! -e started && ! -e trace.dat.parts ]] || return
	grep -q -e '--realtime=1: not permitted: it needs CAP_SYS_NICE' said
}

exits_are_left_out() {
	record -- true && grep -aq 'name: kvm_exit$' trace.dat || return
	record --no-kvm-exits -- true || return
	! grep -aqE 'name: kvm_(exit|entry)$' trace.dat && ! grep -q 'no event kvm:kvm_e' said
}

no_kvm=$no_root
[[ $no_kvm ]] || grep -q '^kvm:kvm_exit$' /sys/kernel/tracing/available_events || no_kvm="no kvm events"
no_setpriv=$no_root
[[ $no_setpriv ]] || command -v setpriv >/dev/null || no_setpriv="no setpriv"
no_fifo=$no_root
[[ $no_fifo ]] || chrt -f 1 true 2>/dev/null || no_fifo="no SCHED_FIFO here"

echo 1..16
unless "$no_root" "a flood beside busy loops is kept whole with what is the default" flood_is_kept
unless "$no_root" "message, lost lines, CPUSTAT, page marks and report agree on a loss" losses_agree
unless "$no_root" "--scope command records the command's tasks only" only_the_command_is_in_scope
unless "$no_root" "a report on it says what it cannot know" scope_is_told_in_the_report
unless "$no_root" "--recorder-cpus holds for all threads of fcap and not for the command" \
	recorder_keeps_to_its_cpus
unless "$no_fifo" "--realtime is for the draining threads alone" drain_is_realtime
unless "$no_setpriv" "--realtime without the right to it is refused with the reason" \
	realtime_is_refused_with_its_reason
unless "$no_kvm" "--no-kvm-exits leaves kvm_entry and kvm_exit out" exits_are_left_out
check "a buffer size needs a unit" refuses 'give a size from 4KiB to 64GiB' --buffer-size 100
check "and is a page at least" refuses 'give a size' --buffer-size 4095B
check "a priority is 1 to 99" refuses 'priority from 1 to 99' --realtime=0
check "and not more" refuses 'priority from 1 to 99' --realtime=100
check "a scope is host or command" refuses 'give host or command' --scope vm
unless "$no_root" "CPUs that are not there are refused" refuses 'CPU 8191 is not online' \
	--recorder-cpus 0,8191
unless "$no_root" "what is no list of CPUs is refused" refuses 'give a list such as' --recorder-cpus 1-
unless "$no_root" "more memory than there is is refused" refuses 'cannot get .* of trace buffer' \
	--buffer-size 64GiB
