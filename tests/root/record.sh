#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record on the real kernel: statuses, files, markers, and that nothing stays behind.
set -u
B=${B:-build}
fcap=$(realpath "$B/fcap")
microvm=$(realpath -m "$B/samples/microvm")
instances=/sys/kernel/tracing/instances
plan=33

skip_all() {
	for ((i = 1; i <= plan; i++)); do
		echo "ok $i # SKIP $1"
	done
	exit 0
}

echo "1..$plan"
[ "$(id -u)" -eq 0 ] || skip_all "needs root"
[ -d "$instances" ] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null || skip_all "no tracefs"
command -v trace-cmd >/dev/null || skip_all "no trace-cmd to read the files with"

dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
n=0
why=

# result NAME: "ok" if nothing was put into $why since the last one
result() {
	n=$((n + 1))
	if [ -z "$why" ]; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		echo "# ${why//$'\n'/$'\n'# }"
		[ ! -s log ] || sed 's/^/# log: /' log
	fi
	why=
}

complain() {
	why+="$1"$'\n'
}

expect() { # WHAT WANTED GOT
	[ "$2" = "$3" ] || complain "$1: wanted $2, got $3"
}

# record STATUS ARGS...: runs fcap, checks its status and that it left nothing of its own
record() {
	local wanted=$1 status pid
	shift
	"$fcap" record "$@" >out 2>log &
	pid=$!
	wait "$pid"
	status=$?
	expect status "$wanted" "$status"
	is_clean "$pid"
}

is_clean() { # PID of fcap
	ls -d "$instances/fcap-$1"-* >/dev/null 2>&1 && complain "instance of $1 left behind"
	pgrep -P "$1" >/dev/null && complain "child of $1 left behind"
	[ ! -e trace.dat.parts ] || complain "trace.dat.parts left behind"
}

is_absent() {
	[ ! -e trace.dat ] || complain "trace.dat was written"
	rm -f trace.dat
}

# the file is good: trace-cmd reads it in silence and shows events and all the usual markers
is_readable() {
	local kind
	[ -s trace.dat ] || { complain "no trace.dat"; return; }
	trace-cmd report -i trace.dat >text 2>text.err || complain "trace-cmd report failed"
	trace-cmd dump --summary -i trace.dat >sum 2>sum.err || complain "trace-cmd dump failed"
	[ ! -s text.err ] || complain "report warns: $(head -3 text.err)"
	[ ! -s sum.err ] || complain "dump warns: $(head -3 sum.err)"
	grep -qiE 'unknown|truncated|warning' sum && complain "dump warns: $(cat sum)"
	grep -q ' sched_switch: ' text || complain "no sched_switch in the report"
	for kind in begin cpu task steal host end; do
		grep -q "fcap: $kind " text || complain "no $kind marker in the report"
	done
	grep -q 'Kallsyms, 0 bytes' sum || complain "the file has kernel addresses"
}

for verb in '' record recover; do
	# shellcheck disable=SC2086 # a word or none
	"$fcap" $verb --help >out 2>log
	expect "status of $verb --help" 0 $?
	grep -q 'Usage: fcap' out || complain "no help on stdout"
	[ ! -s log ] || complain "help on stderr"
done
result "help goes to stdout with status 0"

for bad in '--sample 5' '--sample 0.5ms' '--label x' '--label a/b=c' '--no-such'; do
	# shellcheck disable=SC2086 # two words
	"$fcap" record $bad -- touch started >out 2>log
	expect "status of $bad" 125 $?
done
"$fcap" record >out 2>log
expect "status without a command" 125 $?
[ ! -e started ] || complain "the command was started"
result "wrong usage gives 125 before anything starts"

record 0 -- sleep 0.2
is_readable
grep -q ': wrote trace.dat: .* lost none; fcap itself used [0-9.]* s of CPU time on CPUs\? [0-9,-]*$' log || complain "no line about the file"
result "a short command is recorded and trace-cmd reads the file in silence"

awk '/fcap: begin /{b = $0} /fcap: end /{e = $0}
     END {exit !(b ~ / v=1 clock=mono / && b ~ / cmd="sleep 0.2" / && e ~ / events=[1-9]/)}' text ||
	complain "begin or end lack their keys"
result "begin says what was run and end how much was stored"

# the first marker is older than the first event that the command caused, the last one younger
awk '/fcap: begin /{first = NR} / sched_process_exec: .*sleep/{exec = NR} /fcap: end /{last = NR}
     END {exit !(first && first < exec && exec < last)}' text || complain "order is wrong"
result "markers and events stand in one order of time"

# places, weights and cookies hold from the first event on
awk '/fcap: task /{tasks++} / sched_(switch|waking|wakeup): /{exit} END {exit !(tasks > 10)}' text ||
	complain "the threads are not told of before the first event"
result "threads are told of before the first event"
rm -f trace.dat

cp "$(command -v sleep)" fcap-nap # no other process of the host has this name
record 0 -o other.dat --label core_sched=on --label 'note=two words' --sample 5ms -- ./fcap-nap 0.1
trace-cmd report -i other.dat >text 2>/dev/null
grep 'fcap: begin ' text | grep -q 'label.core_sched=on label.note="two words"' ||
	complain "labels are missing"
samples=$(grep 'fcap: steal ' text | grep -c "tid=$(sed -n 's/.*fcap: task tid=\([0-9]*\) .* comm=fcap-nap .*/\1/p' text | head -1) ")
[ "$samples" -ge 5 ] || complain "$samples samples of the command in 100 ms at 5 ms each"
result "output file, labels and sampling period are obeyed"

# shellcheck disable=SC2016 # FCAP_FD is the command's variable
record 0 -- sh -c 'echo "fcap-work vm=vm1 n=5 t=1.5 dt=0.5 unit=loops" >&"$FCAP_FD"
	echo "fcap-score vm=vm1 value=2981" >&"$FCAP_FD"; echo nonsense >&"$FCAP_FD"'
trace-cmd report -i trace.dat >text 2>/dev/null
grep -q 'fcap: work vm=vm1 n=5 t=1.5 dt=0.5 unit=loops' text || complain "no work marker"
grep -q 'fcap: score vm=vm1 value=2981 stamped_on_arrival=1' text || complain "no score marker"
grep -q ': 1 lines on the descriptor in FCAP_FD were not understood' log ||
	complain "the malformed line is not told"
rm -f trace.dat
result "the workload reports its work through FCAP_FD"

record 7 -- sh -c 'exit 7'
is_readable
rm -f trace.dat
result "the status of a failing command is passed on"

# shellcheck disable=SC2016 # $$ is the command's
record 143 -- sh -c 'kill -TERM $$'
is_readable
rm -f trace.dat
result "a command that a signal killed gives 128 + its number"

# shellcheck disable=SC2016 # $$ is the command's
record 137 -- sh -c 'kill -KILL $$'
is_readable
rm -f trace.dat
result "SIGKILL of the command gives 137 and a good file"

record 127 -- ./no-such-command
is_absent
grep -q '^fcap: ./no-such-command: cannot run: ' log || complain "no sentence"
result "a command that does not exist gives 127 and no file"

: >plain
record 126 -- ./plain
is_absent
result "a command that is not executable gives 126 and no file"

record 125 -o /proc/trace.dat -- touch started
[ ! -e started ] || complain "the command was started"
expect "lines of error" 1 "$(wc -l <log)"
result "an output that cannot be written gives 125 before the command starts"

mkdir folder
record 125 -o folder -- touch started
[ ! -e started ] || complain "the command was started"
[ ! -e folder.parts ] || complain "folder.parts left behind"
result "a folder is refused as output"

mkdir trace.dat.parts
"$fcap" record -- touch started >out 2>log
expect status 125 $?
[ ! -e started ] || complain "the command was started"
rmdir trace.dat.parts || complain "the folder of another recording was touched"
result "a folder of parts that is there already is refused and left alone"

echo old >old.dat
record 125 --no-clobber -o old.dat -- touch started
[ ! -e started ] || complain "the command was started"
expect "the file" old "$(cat old.dat)"
grep -q '^fcap: old.dat: exists; ' log || complain "no sentence"
record 0 --no-clobber -o new.dat -- true
[ -s new.dat ] || complain "a new file is refused too"
record 125 --no-clobber -o late.dat -- sh -c 'echo late >late.dat'
expect "the file that came late" late "$(cat late.dat)"
grep -q 'run "fcap recover late.dat.parts"$' log || complain "no advice"
"$fcap" recover -o other.dat late.dat.parts >out 2>log || complain "cannot recover"
[ ! -e late.dat.parts ] || complain "the parts are still there"
trace-cmd report -i other.dat 2>/dev/null | grep -q 'fcap: end ' || complain "not all was recovered"
rm -f old.dat new.dat late.dat other.dat
result "--no-clobber replaces nothing, and what was recorded in vain can be recovered"

if mkdir small && mount -t tmpfs -o size=256k none small 2>/dev/null; then
	record 125 -o small/trace.dat -- bash -c 'for ((i = 0; i < 1500; i++)); do (:); done
		touch started'
	[ -e started ] || complain "the command was cut short"
	expect "lines of error" 1 "$(wc -l <log)"
	grep -q ': No space left on device; .*: make room and run "fcap recover small/trace.dat.parts"$' \
		log || complain "no advice"
	expect files trace.dat.parts "$(ls small)"
	"$fcap" recover small/trace.dat.parts >out 2>log
	expect "status without room" 125 $?
	expect files trace.dat.parts "$(ls small)"
	mount -o remount,size=64m small
	"$fcap" recover small/trace.dat.parts >out 2>log || complain "cannot recover"
	expect files trace.dat "$(ls small)"
	mv small/trace.dat .
	trace-cmd report -i trace.dat >text 2>text.err || complain "trace-cmd report failed"
	[ ! -s text.err ] || complain "report warns: $(head -3 text.err)"
	grep -q ' sched_switch: ' text || complain "no sched_switch"
	grep -q 'fcap: cut why=' text || complain "the file does not say that it was cut short"
	umount small
	rm -f started trace.dat
	result "on a full disk the command runs to its end, and what fitted can be recovered"
else
	n=$((n + 1))
	echo "ok $n - on a full disk what fitted can be recovered # SKIP cannot mount a tmpfs"
fi

# the files that are open stay good when tracefs is unmounted, here for fcap alone
if unshare -m true 2>/dev/null; then
	# shellcheck disable=SC2016 # the variables are the inner shell's
	unshare -m bash -c 'fcap=$1; shift; "$fcap" record -- sh -c "umount -l /sys/kernel/tracing
		umount -l /sys/kernel/debug 2>/dev/null; for i in 1 2 3 4; do /bin/true; done"' \
		- "$fcap" >out 2>log
	expect status 0 $?
	is_readable
	"$fcap" recover none.parts 2>/dev/null
	rm -f trace.dat
	result "tracefs that is unmounted meanwhile costs nothing"
else
	n=$((n + 1))
	echo "ok $n - tracefs that is unmounted meanwhile # SKIP cannot unshare mounts"
fi

record 0 -- true
is_readable
rm -f trace.dat
result "a command of a millisecond gives a whole file"

record 0 -- bash -c 'for ((i = 0; i < 1000; i++)); do (:) & done; wait'
is_readable
[ "$(grep -c ' sched_process_fork: *comm=bash ' text)" -ge 1000 ] || complain "forks are missing"
rm -f trace.dat
result "a thousand tasks that live for a moment are recorded"

# until the command has made the file "ready", which goes; 5 s at most
await_ready() {
	local i
	for ((i = 0; i < 500; i++)); do
		[ ! -e ready ] || break
		sleep 0.01
	done
	rm -f ready
}

# interrupt SIGNAL COMMAND: sends it once the command runs; $status is what fcap exits with
interrupt() {
	local pid
	set -m # else what runs in the background ignores SIGINT
	"$fcap" record -- sh -c "$2" >out 2>log &
	pid=$!
	set +m
	await_ready
	kill "-$1" "$pid"
	wait "$pid"
	status=$?
	is_clean "$pid"
}

interrupt INT ': >ready; exec sleep 9'
expect status 130 "$status"
is_readable
rm -f trace.dat
result "SIGINT of fcap reaches the command, and the file is good"

interrupt TERM 'trap "exit 9" TERM; : >ready; while :; do sleep 0.02; done'
expect status 9 "$status"
is_readable
rm -f trace.dat
result "SIGTERM is passed on, and what the command makes of it is its status"

interrupt HUP 'trap : HUP; : >ready; sleep 0.2; exit 5'
expect status 5 "$status"
is_readable
rm -f trace.dat
result "a command that ignores a signal is recorded to its end"

# shellcheck disable=SC2016 # $! is the command's
record 0 -- sh -c 'sleep 9 & echo $! >left'
grep -q ': the command left processes running: sent SIGTERM to 1$' log || complain "not told"
is_readable
kill -0 "$(cat left)" 2>/dev/null && complain "it still runs"
rm -f trace.dat
result "processes that the command left are ended and that is said"

# shellcheck disable=SC2016 # $! is the command's
record 0 -- sh -c 'setsid sh -c "sleep 9 & echo \$! >left" & while [ ! -s left ]; do :; done'
grep -q ': the command left processes running: sent SIGTERM to [12]$' log || complain "not told"
is_readable
kill -0 "$(cat left)" 2>/dev/null && complain "it still runs"
rm -f trace.dat left
result "a command that makes itself a daemon is recorded until it has, and the daemon ended"

record 0 -- sh -c '(trap "" TERM; : >deaf; while :; do sleep 0.05; done) & while [ ! -e deaf ]; do :; done'
grep -q ', SIGKILL to ' log || complain "not told"
rm -f trace.dat
result "those that ignore SIGTERM are killed"

# SIGKILL of fcap itself: the instance stays, and the next recording clears it away
# shellcheck disable=SC2016 # $$ is the command's
"$fcap" record -o killed.dat -- sh -c 'echo $$ >left; exec sleep 20' >out 2>log &
pid=$!
for ((i = 0; i < 300; i++)); do
	ls -d "$instances/fcap-$pid"-* >/dev/null 2>&1 && break
	sleep 0.01
done
other=$instances/not-ours-$$
mkdir "$other"
"$fcap" record -- true >out 2>log || complain "cannot record beside another recording"
ls -d "$instances/fcap-$pid"-* >/dev/null 2>&1 || complain "removed the instance of a live recording"
{
	kill -KILL "$pid"
	wait "$pid"
} 2>/dev/null
"$fcap" record -- true >out 2>log || complain "cannot record after a killed recording"
ls -d "$instances/fcap-$pid"-* >/dev/null 2>&1 && complain "the stale instance stays"
[ -d "$other" ] || complain "removed an instance that is not ours"
rmdir "$other"
kill "$(cat left)"
rm -f trace.dat
result "instances of killed recordings are removed, live ones and others are not"

"$fcap" record -o killed.dat -- touch started >out 2>log
expect "status over the parts of a killed recording" 125 $?
[ ! -e started ] || complain "the command was started"
grep -q '; run "fcap recover killed.dat.parts", ' log || complain "no advice"
"$fcap" recover killed.dat.parts >out 2>log || complain "cannot recover"
grep -q '^fcap: wrote killed.dat: .*, up to where the recording was killed$' log ||
	complain "no sentence"
mv killed.dat trace.dat
trace-cmd report -i trace.dat >text 2>text.err || complain "trace-cmd report failed"
[ ! -s text.err ] || complain "report warns: $(head -3 text.err)"
grep -q 'fcap: cut why="recovered from a recording that was killed"' text || complain "no cut line"
read -r tid comm < <(sed -n 's/.*fcap: task tid=\([0-9]*\) .* comm=\([^" ]*\) .*/\1 \2/p' text | tail -1)
trace-cmd dump --cmd-lines -i trace.dat 2>/dev/null | grep -q "${tid:-none} ${comm:-none}" ||
	complain "the names of the threads are missing"
rm -f trace.dat
result "what a killed recording has left is recovered, and not overwritten before"

"$fcap" record -o live.dat -- sh -c ': >ready; sleep 9' >out 2>log &
pid=$!
await_ready
"$fcap" recover live.dat.parts >out 2>log2
expect "status of recover" 125 $?
grep -q '^fcap: live.dat.parts: its recording still runs; ' log2 || complain "no sentence"
"$fcap" record -o live.dat -- true >out 2>log2
expect "status of a second recording" 125 $?
grep -q ': another recording is writing there; ' log2 || complain "no sentence of the second"
kill -TERM $pid
wait $pid
[ -s live.dat ] || complain "the recording was disturbed"
[ ! -e live.dat.parts ] || complain "its parts are still there"
"$fcap" recover nothing.parts >out 2>log
expect "status of recover without a folder" 125 $?
mkdir plain.parts && : >plain.parts/mine
"$fcap" recover plain.parts >out 2>log
expect "status of recover of another folder" 125 $?
[ -e plain.parts/mine ] || complain "a file of somebody else was removed"
rm -rf plain.parts live.dat
result "a recording that runs is not recovered, nor a folder that is none"

vm() {
	"$microvm" --name "$1" --vcpus 1 --seconds 500ms
}

if [ ! -x "$microvm" ] || [ ! -w /dev/kvm ]; then
	n=$((n + 1))
	echo "ok $n - VMs are found and named # SKIP needs /dev/kvm and samples/microvm"
else
	export microvm
	export -f vm
	vm outside >/dev/null &
	record 0 --sample 20ms -- bash -c 'vm inside'
	wait $!
	is_readable
	for name in inside outside; do
		tgid=$(sed -n "s/.*fcap: group kind=vm tgid=\([0-9]*\) name=$name$/\1/p" text)
		tid=$(sed -n "s/.*fcap: vcpu tid=\([0-9]*\) tgid=${tgid:-none} id=0$/\1/p" text)
		[ "$(grep -c "fcap: steal tid=${tid:-none} " text)" -ge 3 ] ||
			complain "VM $name: tgid ${tgid:-unknown}, vCPU ${tid:-unknown}, few samples"
	done
	rm -f trace.dat
	result "VMs of the command and of others are found, named and sampled"
fi

"$fcap" record -- sh -c ': >ready; sleep 0.3' >out 2>log &
pid=$!
await_ready
exec 7<"$instances/fcap-$pid-0/trace_pipe"
wait "$pid"
expect status 0 $?
grep -q "^fcap: cannot remove the tracing instance fcap-$pid-0: Device or resource busy; " log ||
	complain "it does not say that its instance is left"
exec 7<&-
is_readable
rm -f trace.dat
record 0 -- true # removes it
is_clean "$pid"
rm -f trace.dat
result "an instance that somebody reads is left, as is told, to the next recording"

on=$(cat /sys/kernel/tracing/tracing_on)
clock=$(cat /sys/kernel/tracing/trace_clock)
events=$(cat /sys/kernel/tracing/set_event)
record 0 -- true
expect tracing_on "$on" "$(cat /sys/kernel/tracing/tracing_on)"
expect trace_clock "$clock" "$(cat /sys/kernel/tracing/trace_clock)"
expect set_event "$events" "$(cat /sys/kernel/tracing/set_event)"
result "the top instance is as it was"
