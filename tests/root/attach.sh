#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record without a command: how it ends, whom it samples, what it shows on a terminal.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
FCAP=$B/fcap
MICROVM=$B/samples/microvm
export FCAP
PIDS=()

after_test() {
	((${#PIDS[@]} == 0)) || { kill "${PIDS[@]}" && wait "${PIDS[@]}"; }
	PIDS=()
	rm -rf trace.dat trace.dat.parts
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
no_kvm=$no_root
[[ $no_kvm || (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]] || no_kvm="no /dev/kvm"
no_script=$no_root
[[ $no_script ]] || command -v script >/dev/null || no_script="script is not installed"

# waits_for COMMAND...: until it succeeds, 5 s at most
waits_for() {
	local i

	for ((i = 0; i < 500; i++)); do
		"$@" && return
		sleep 0.01
	done
	echo "waited in vain for: $*"
	return 1
}

# is_whole CMD: trace.dat reads well from "begin", which has this cmd, to "end"; nothing is left
is_whole() {
	trace-cmd report -i trace.dat >text 2>text.err || { cat text.err said && return 1; }
	is_empty text.err && ! ls -d trace.dat.parts 2>/dev/null || return
	! ls -d "/sys/kernel/tracing/instances/fcap-${RECORDER:-none}"-* 2>/dev/null || return
	grep -qF "cmd=\"$1\"" text || { grep 'fcap: begin' text && return 1; }
	grep -q ' sched_switch: ' text || { echo "no events" && return 1; }
	grep -q 'fcap: end ' text || { echo "no end" && return 1; }
}

# start ARGUMENT...: fcap in the background, as a shell with job control starts it, in $RECORDER
start() {
	set -m
	"$FCAP" record "$@" 2>said &
	RECORDER=$!
	set +m
	PIDS+=("$RECORDER")
}

# ended STATUS: of what was started
ended() {
	local status

	wait "$RECORDER"
	status=$?
	PIDS=("${PIDS[@]/$RECORDER/}")
	# shellcheck disable=SC2206 # numbers, without the empty one
	PIDS=(${PIDS[@]})
	((status == $1)) || { echo "status $status instead of $1" && cat said && return 1; }
}

# The marker lines are stored once a second and when all is on: then the switches come.
records() {
	[[ -s trace.dat.parts/marks ]]
}

a_time_ends_it() {
	local begun=${EPOCHREALTIME/./}

	start --duration 300ms
	ended 0 && is_whole "--duration 300ms" || return
	((${EPOCHREALTIME/./} - begun >= 300000)) || { echo "too early" && return 1; }
	is_one_line said "fcap: wrote trace.dat: "
}

a_signal_ends_it() {
	start --duration 1h
	waits_for records || return
	kill "-$1" "$RECORDER"
	ended 0 && is_whole "--duration 1h" && is_one_line said "fcap: wrote trace.dat: "
}

nohup_does_not_end_it() {
	(trap '' HUP && exec "$FCAP" record --duration 700ms 2>said) &
	RECORDER=$!
	PIDS+=("$RECORDER")
	waits_for records || return
	kill -HUP "$RECORDER"
	ended 0 && is_whole "--duration 700ms" || return
	awk '/fcap: (begin|end) / { for (i = 1; i <= NF && $i !~ /^[0-9]+\.[0-9]+:$/;) i++
			t[n++] = $i + 0 }
		END { print t[0], t[1]; exit !(t[1] - t[0] > 0.6) }' text
}

processes_are_sampled_until_they_end() {
	local one two

	sleep 0.4 &
	one=$!
	sleep 1 &
	two=$!
	start --sample 20ms --pid "$one,$two"
	ended 0 && is_whole "--pid $one --pid $two" || return
	! kill -0 "$two" 2>/dev/null || { echo "too early" && return 1; }
	for tid in "$one" "$two"; do
		(($(grep -c "fcap: steal tid=$tid " text) >= 3)) ||
			{ echo "$tid is not sampled" && return 1; }
	done
	! grep -q "fcap: steal tid=$BASHPID " text
}

what_was_there_is_left_alone() {
	sleep 60 &
	PIDS+=($!)
	start --pid $! --duration 200ms
	ended 0 && kill -0 "${PIDS[0]}" || return
	# our shell's child becomes fcap's: what it had before is none of its business
	sh -c 'sleep 60 & echo $! >child; exec "$FCAP" record --duration 100ms' 2>said || return
	PIDS+=("$(<child)")
	kill -0 "$(<child)" && is_one_line said "fcap: wrote trace.dat: "
}

a_vm_is_found_and_its_end_is_the_end() {
	local vmm

	"$MICROVM" --name attached --vcpus 1 --seconds 1s >/dev/null &
	vmm=$!
	sleep 0.2 # it opens its VM
	start --vm attached
	ended 0 && is_whole "--vm attached" || return
	! kill -0 "$vmm" 2>/dev/null || { echo "too early" && return 1; }
	grep -q "fcap: group kind=vm tgid=$vmm name=attached" text &&
		grep -q "fcap: vcpu tid=[0-9]* tgid=$vmm id=0" text
}

an_unknown_vm_is_refused() {
	"$MICROVM" --name there --vcpus 1 --seconds 20s >/dev/null &
	PIDS+=($!)
	sleep 0.2
	start --vm elsewhere
	ended 125 && is_one_line said "fcap: --vm elsewhere: no VM of this name runs; there " &&
		grep -q there said && [[ ! -e trace.dat && ! -e trace.dat.parts ]]
}

unknown_processes_are_refused() {
	local gone

	sleep 0 &
	gone=$!
	wait "$gone"
	start --pid "$gone"
	ended 125 && is_one_line said "fcap: --pid $gone: no such " && [[ ! -e trace.dat ]]
}

wrong_usage_is_refused() {
	local args

	while IFS='|' read -r -a args; do
		start "${args[@]}"
		ended 125 || return
		grep -qF -- "${args[0]#none}" said || { cat said && return 1; }
		[[ ! -e trace.dat ]] || { echo "recorded: ${args[*]}" && return 1; }
	done <<'END'
--duration|5
--duration|0s
--duration|1s|--|true
--pid|0
--pid|1,
--pid|x
--pid|1|true
--vm|
--vm|vm1|true
--scope|command|--duration|1s
END
	start
	ended 125 && grep -qE -- '-- CMD .*--duration .*--pid .*--vm' said
}

# terminal COMMAND: on a terminal of its own; what it shows is in "shown"
terminal() {
	TERM=xterm script -qec "$1" shown >/dev/null
	tr '\r' '\n' <shown | cat -v
}

LINE='[0-9]:0[0-9]  [0-9.]+( [kM])? events/s  [0-9.]+ MB/s  lost none  fullest buffer [0-9]+ %  [0-9]+ VMs?'

a_terminal_sees_progress_that_goes_away() {
	terminal "$FCAP record --duration 1300ms" >seen
	cat seen
	(($(grep -cE "^\^\[\[K$LINE\$" seen) == 1)) &&
		grep -qE '^\^\[\[K(fcap: wrote .*)?$' seen
}

a_command_has_the_terminal_for_itself() {
	terminal "$FCAP record -- sh -c 'sleep 1.3'" >seen
	cat seen
	! grep -q 'events/s' seen || return
	terminal "$FCAP record --progress -- sh -c 'sleep 1.3'" >seen
	cat seen
	grep -qE "^\^\[\[K$LINE\$" seen
}

no_progress_without_a_terminal_or_in_the_background() {
	start --duration 1300ms --progress
	ended 0 && is_one_line said "fcap: wrote trace.dat: " || return
	terminal "bash -mc '$FCAP record --duration 1300ms & wait'" >seen
	cat seen
	grep -q 'wrote trace.dat' seen && ! grep -q 'events/s' seen
}

# The terminal sends SIGINT to all in its foreground.
an_interrupt_at_the_terminal_ends_it() {
	{ waits_for records && sleep 0.2 && printf '\003' && sleep 1; } |
		terminal "$FCAP record --duration 20s" >seen
	cat seen
	cp seen said
	grep -q 'wrote trace.dat' seen && RECORDER='' is_whole "--duration 20s"
}

echo 1..15
unless "$no_root" "a time ends the recording" a_time_ends_it
unless "$no_root" "SIGINT ends it, status 0" a_signal_ends_it INT
unless "$no_root" "SIGTERM ends it, status 0" a_signal_ends_it TERM
unless "$no_root" "SIGHUP ends it, status 0" a_signal_ends_it HUP
unless "$no_root" "SIGHUP that is ignored does not" nohup_does_not_end_it
unless "$no_root" "processes are sampled until the last has ended" \
	processes_are_sampled_until_they_end
unless "$no_root" "what runs already is left alone" what_was_there_is_left_alone
unless "$no_kvm" "a VM is found by its name, and its end is the end" \
	a_vm_is_found_and_its_end_is_the_end
unless "$no_kvm" "an unknown VM is refused with those that run" an_unknown_vm_is_refused
unless "$no_root" "a process that does not exist is refused" unknown_processes_are_refused
unless "$no_root" "wrong usage is refused" wrong_usage_is_refused
unless "$no_script" "a terminal sees progress, which goes away" \
	a_terminal_sees_progress_that_goes_away
unless "$no_script" "^C at the terminal ends it" an_interrupt_at_the_terminal_ends_it
unless "$no_script" "a command has the terminal for itself, but for --progress" \
	a_command_has_the_terminal_for_itself
unless "$no_script" "no progress without a terminal, nor from the background" \
	no_progress_without_a_terminal_or_in_the_background
