#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What README says to those who know other tools: its commands run, and give what trace-cmd shows.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
PATH=$B:$PATH
VMS=$ROOT/samples/two-vms.dat
cd -- "$DIR" && cp "$ROOT/tests/data/bed-fcap/21-on-1.dat" trace.dat || exit 1

section() {
	awk '/^## / { is_in = /^## Coming from / } is_in' "$ROOT/README.md"
}

# commands PROGRAM: each once, as the section has them between backticks
commands() {
	section | grep -oE "\`$1 [^\`]+\`" | tr -d '`' | sort -u
}

# runs COMMAND: where there is only the trace; it says something, or leaves files
runs() {
	local -a words

	read -ra words <<<"$1"
	rm -rf there && mkdir there && cp trace.dat there || return
	(cd there && expect 0 "${words[@]}" >out) || return
	[[ -n $(find there -type f -size +0 ! -name trace.dat) ]]
}

# Recording takes root, and is tested elsewhere: here, that there is such an option and value.
is_understood() {
	local -a words

	read -ra words <<<"${1%% -- *}"
	expect 0 "${words[@]}" --help >out && grep -q '^Usage: fcap record' out
}

is_all_there() {
	commands fanalyze >all && commands fcap >>all && cat all
	[[ $(wc -l <all) -ge 10 ]]
}

# %USED and the like are named below the table: as what there is not.
names_of_esx_are_there() {
	local name

	fanalyze report --names esx trace.dat >out || return
	for name in $(section | grep -oE '%[A-Z]+' | sort -u); do
		grep -qF -- "$name" out || { echo "no $name" && return 1; }
	done
	grep -q '^name .*%RUN .*%RDY .*%MLMTD .*%CSTP$' out
}

# exits_of_trace_cmd: reason, number and ns from leaving a guest to entering it again
exits_of_trace_cmd() {
	trace-cmd report -t "$VMS" 2>/dev/null | sed -nE \
		's/.*-([0-9]+) +\[[0-9]+\][^:]* ([0-9]+)\.([0-9]+): kvm_(entry|exit): +(.*reason ([^ ]+))?.*/\1 \2\3 \4 \6/p' |
		awk '$3 == "exit" { reason[$1] = $4; at[$1] = $2 }
			$3 == "entry" && ($1 in at) {
				n[reason[$1]]++
				ns[reason[$1]] += $2 - at[$1]
				delete at[$1]
			}
			END { for (r in n) printf "%d %.0f\n", n[r], ns[r] }' | sort
}

exits_agree() {
	exits_of_trace_cmd >theirs
	fanalyze report --json - "$VMS" | jq -r '[.groups[].exits[]] | group_by(.reason)[] |
		"\(map(.count) | add) \(map(.total_ns) | add)"' | sort >ours
	cat theirs
	[[ $(wc -l <theirs) == 3 ]] && diff theirs ours
}

# trace-cmd 3.3 has flags between the CPU and the time.
# runs_of_trace_cmd: thread and ns between getting on a CPU and off it
runs_of_trace_cmd() {
	trace-cmd report -t "$VMS" 2>/dev/null | sed -nE \
		's/.*\[[0-9]+\][^:]* ([0-9]+)\.([0-9]+): sched_switch: +.*:([0-9]+) \[[0-9]+\] [^ ]+ ==> .*:([0-9]+) \[[0-9]+\].*/\1\2 \3 \4/p' |
		awk '$2 in since { ns[$2] += $1 - since[$2]; delete since[$2] }
			{ since[$3] = $1 }
			END { for (tid in ns) if (tid > 0) printf "%d %.0f\n", tid, ns[tid] }' | sort
}

run_times_agree() {
	runs_of_trace_cmd >theirs
	fanalyze export --what spans "$VMS" | awk -F, '
		$3 == "run" && $9 == "seen" && $10 == "seen" { ns[$5] += $2 - $1 }
		END { for (tid in ns) printf "%d %.0f\n", tid, ns[tid] }' | sort >ours
	cat theirs
	[[ $(wc -l <theirs) -gt 20 ]] && diff theirs ours
}

readable_by_trace_cmd() {
	trace-cmd report trace.dat 2>/dev/null | grep -q 'sched_switch:' &&
		trace-cmd report -w trace.dat 2>/dev/null | grep -q 'Average wakeup latency'
}

no_trace_cmd=''
command -v trace-cmd >/dev/null || no_trace_cmd="trace-cmd is not installed"
mapfile -t ours < <(commands fanalyze)
mapfile -t recordings < <(commands fcap)

echo "1..$((${#ours[@]} + ${#recordings[@]} + 5))"
check "the section names commands of both programs" is_all_there
for command in "${ours[@]}"; do
	check "$command" runs "$command"
done
for command in "${recordings[@]}"; do
	check "$command" is_understood "$command"
done
check "each name of esxtop in it is in the report" names_of_esx_are_there
unless "$no_trace_cmd" "trace-cmd report reads the file" readable_by_trace_cmd
unless "$no_trace_cmd" "exits are those that trace-cmd report shows" exits_agree
unless "$no_trace_cmd" "run times are those between the switches that it shows" run_times_agree
