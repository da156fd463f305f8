#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap calibrate on the real kernel: runs in turns, what fanalyze is asked, and how it ends early.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
mkdir with
# beside this one is a fanalyze that tells what it was asked, and ends with status 3
cp "$B/fcap" with/
printf '%s\n' '#!/bin/bash' 'echo "asked $*"' 'exit 3' >with/fanalyze
chmod +x with/fanalyze
PID=

after_test() {
	[[ ! $PID ]] || { kill "$PID" && wait "$PID"; }
	PID=
}

no_trace=
if [[ $(id -u) != 0 ]]; then
	no_trace="needs root"
elif [[ ! -d /sys/kernel/tracing/instances ]] &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_trace="no tracefs"
fi

refuses_wrong_usage() {
	local bad

	for bad in '--runs 0' '--runs x' '--sample 5' '--no-such'; do
		# shellcheck disable=SC2086 # two words
		expect 125 with/fcap calibrate $bad -- touch started >out 2>err || return
	done
	expect 125 with/fcap calibrate >out 2>err && grep -q 'which command' err || return
	mkdir there
	expect 125 with/fcap calibrate --dir there -- touch started >out 2>err &&
		grep -q '^fcap: there: cannot make this folder: .*; use another --dir$' err &&
		[[ ! -e started ]] && holds_only there
}

runs_take_turns() {
	expect 3 with/fcap calibrate --runs 2 --dir two --sample 20ms -- \
		sh -c 'echo said; sleep 0.1' >out 2>err || { cat err && return 1; }
	diff - out <<'END'
What recording events does to what is recorded: all over none.

asked compare --config none two/run-0001-none.dat two/run-0004-none.dat --config all two/run-0002-all.dat two/run-0003-all.dat

What differs by chance: two halves of the runs without events, in turns. Changes
above that are no larger than these say nothing; the largest of these is a margin
for --margin.

asked compare --config none1 two/run-0001-none.dat --config none2 two/run-0004-none.dat
END
}

# what the last test made
runs_are_what_their_names_say() {
	local run

	[[ $(grep -c '^said$' err) == 4 ]] || return
	for run in 1:none 2:all 3:all 4:none; do
		"$B/fanalyze" report --group process --json - "two/run-000${run/:/-}.dat" >json &&
			jq -e --arg n "${run%:*}" --arg kind "${run#*:}" '.source.labels.order == $n and
				.source.labels.events == $kind and
				.source.basis == {none: "counters", all: "events"}[$kind]' json ||
			return
	done
}

the_real_comparison_has_both_sides() {
	expect 0 "$B/fcap" calibrate --runs 1 --dir real -- \
		"$ROOT/samples/run-groups.sh" --seconds 300ms --workers 1 >out 2>err ||
		{ cat out err && return 1; }
	grep -q 'all over none, 1 and 1 runs' out || { cat out && return 1; }
}

a_failing_command_ends_it() {
	# shellcheck disable=SC2016 # the inner shell expands it
	expect 125 with/fcap calibrate --dir failed -- \
		sh -c '[ ! -e failed/run-0001-none.dat ] || exit 7' >out 2>err || return
	grep -q '^fcap: run 2 (events=all) ended with status 7; the traces of the runs before it are in failed$' \
		err && is_empty out
}

a_signal_ends_it_with_the_run() {
	local i

	with/fcap calibrate --dir stopped -- sh -c ': >ready; exec sleep 9.75' >out 2>err &
	PID=$!
	for ((i = 0; i < 500; i++)); do
		[[ ! -e ready ]] || break
		sleep 0.01
	done
	kill -TERM "$PID"
	expect 125 wait "$PID" || return
	PID=
	grep -q '^fcap: run 1 (events=none) was stopped with status 143;' err || { cat err && return 1; }
	! pgrep -f '^sleep 9.75$' >/dev/null
}

echo "1..6"
check "wrong usage is refused before anything starts" refuses_wrong_usage
unless "$no_trace" "runs take turns, and fanalyze compares them twice" runs_take_turns
unless "$no_trace" "each run has events or not, as its name says" runs_are_what_their_names_say
unless "$no_trace" "the comparison is of runs with events over those without" \
	the_real_comparison_has_both_sides
unless "$no_trace" "a command that fails ends it, and what was made stays" a_failing_command_ends_it
unless "$no_trace" "a signal ends the run, and no further one begins" a_signal_ends_it_with_the_run
