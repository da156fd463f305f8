#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What recording costs and loses: one flood of wake-ups and switches beside busy loops, recorded by
# fcap, trace-cmd and perf with their defaults and by nobody, in turns that begin with another one
# each round. Root. BENCH_ROUNDS (5), BENCH_FLOOD ("PAIRS ROUNDS HOGS"). Fails where a command
# fails, never because of a time; who cannot record here is named with its own words.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROUNDS=${BENCH_ROUNDS:-5}
FLOOD=${BENCH_FLOOD:-"10 10000 $(nproc)"}
TRACING=/sys/kernel/tracing
DIR=
EVENTS=(sched:sched_switch sched:sched_wakeup sched:sched_wakeup_new sched:sched_waking
	sched:sched_migrate_task sched:sched_process_fork sched:sched_process_exec
	sched:sched_process_exit sched:sched_process_free task:task_newtask task:task_rename
	cgroup:cgroup_attach_task kvm:kvm_entry kvm:kvm_exit kvm:kvm_userspace_exit
	kvm:kvm_vcpu_wakeup)

usage() {
	cat <<'END'
Usage: bench-capture.sh
Compares what fcap, trace-cmd and perf lose and cost while they record the same flood.

Environment: B, the build folder (build); BENCH_ROUNDS, how often each records (5); BENCH_FLOOD,
"PAIRS ROUNDS HOGS": pairs of processes that play ping-pong, how often each, and busy loops beside
them ("10 10000 CPUS").
END
}

# Sets LIST to the events of fcap that this kernel has, each after the option $1.
list_events() {
	local event

	LIST=
	for event in "${EVENTS[@]}"; do
		if grep -qx "$event" "$TRACING/available_events"; then LIST+=" $1 $event"; fi
	done
}

# Each writes the recorder's words to said; the flood's own times come out on its stdout.
command_of() {
	case $1 in
	none) echo "$FLOODING" ;;
	fcap) echo "'$B/fcap' record -o fcap.dat -- sh -c '$FLOODING'" ;;
	trace-cmd)
		list_events -e
		echo "trace-cmd record -C mono -o trace-cmd.dat $LIST sh -c '$FLOODING'"
		;;
	perf)
		list_events -e
		echo "perf record -a -o perf.dat $LIST -- sh -c '$FLOODING'"
		;;
	esac
}

# Prints "events lost" of what was just recorded.
count_events() {
	case $1 in
	none) echo 0 0 ;;
	fcap) sed -nE 's/.*: ([0-9]+) events .*, lost (none|[0-9]+ events);.*/\1 \2/p' said |
		sed 's/none/0/; s/ events//' ;;
	trace-cmd) trace-cmd dump --options -i trace-cmd.dat 2>/dev/null | awk -F': ' '
		/^read events:/ { n += $2 } /^(overrun|commit overrun|dropped events):/ { lost += $2 }
		END { print n + 0, lost + 0 }' ;;
	perf) perf report --stats -i perf.dat 2>/dev/null | awk '
		/SAMPLE events:/ && /%/ && !/LOST/ { n = $3 } /LOST_SAMPLES events:/ && !/%/ { lost += $3 }
		END { print n + 0, lost + 0 }' ;;
	esac
}

# run TOOL: a line "TOOL events lost recorder-cpu flood-wall", or its refusal in refused-TOOL.
run() {
	local used flood counted

	rm -f took ./*.dat
	used=$("$B/tests/bench/measure" 1 "$(command_of "$1") 2>said" 2>measured) || {
		[[ $1 != none && $1 != fcap ]] || { cat said >&2 && return 1; }
		tr '\n' ' ' <said >"refused-$1"
		return 0
	}
	read -r -a used <<<"$used"
	read -r -a flood <took || return
	counted=$(count_events "$1")
	[[ $counted ]] || { cat said >&2 && return 1; }
	awk -v all="${used[1]}" -v flood="${flood[1]}" -v wall="${flood[0]}" -v what="$1 $counted" \
		'BEGIN { printf "%s %.6f %.6f\n", what, all - flood, wall }'
}

bench() {
	local tools=(none fcap) tool round i

	for tool in trace-cmd perf; do
		if command -v "$tool" >/dev/null; then
			tools+=("$tool")
		else
			echo "is not installed" >"refused-$tool"
		fi
	done
	for ((round = 0; round < ROUNDS; round++)); do
		for ((i = 0; i < ${#tools[@]}; i++)); do
			tool=${tools[(round + i) % ${#tools[@]}]}
			[[ -s refused-$tool ]] || run "$tool" >>results || return
		done
	done
}

print_results() {
	awk '
	function median(list, n,  x, i, j, t) {
		split(list, x, " ")
		for (i = 2; i <= n; i++)
			for (j = i; j > 1 && x[j - 1] + 0 > x[j] + 0; j--) {
				t = x[j]; x[j] = x[j - 1]; x[j - 1] = t
			}
		return (x[int((n + 1) / 2)] + x[int(n / 2) + 1]) / 2
	}
	{ n[$1]++; events[$1] = events[$1] " " $2; lost[$1] = lost[$1] " " $3; cpu[$1] = cpu[$1] " " $4
	  wall[$1] = wall[$1] " " $5; each[$1] = each[$1] " " ($2 ? $4 * 1e9 / $2 : 0)
	  sum[$1] += $3 }
	END {
		printf "%-10s %10s %12s %10s %14s %13s %10s %9s\n", "", "events", "lost, median",
			"lost, all", "recorder CPU s", "ns an event", "of fcap", "flood"
		split("none fcap trace-cmd perf", order, " ")
		base = median(wall["none"], n["none"]); fcap = median(each["fcap"], n["fcap"])
		for (i = 1; i <= 4; i++) {
			t = order[i]
			if (!n[t])
				continue
			e = median(each[t], n[t])
			printf "%-10s %10d %12d %10d %14.3f %13.0f %10s %8.2fx\n", t,
				median(events[t], n[t]), median(lost[t], n[t]), sum[t],
				t == "none" ? 0 : median(cpu[t], n[t]), e,
				t == "none" ? "-" : sprintf("%.2fx", e / fcap),
				median(wall[t], n[t]) / base
		}
	}' results
}

main() {
	local tool

	[[ $# == 0 ]] || {
		usage
		[[ $1 == --help ]] && return 0
		return 2
	}
	[[ $(id -u) == 0 ]] || { echo "bench-capture.sh: needs root" >&2 && return 1; }
	[[ $ROUNDS =~ ^[1-9][0-9]*$ ]] || { echo "bench-capture.sh: BENCH_ROUNDS is a number" >&2 && return 2; }
	[[ -r $TRACING/available_events ]] || mount -t tracefs nodev "$TRACING" || return
	FLOODING="'$B/tests/bench/flood' $FLOOD >took"
	FLOODING=${FLOODING//\'/} # it stands within quotes; the build folder has no blanks
	DIR=$(mktemp -d "$B/bench-capture.XXXXXX") || return
	trap 'cd / && rm -rf -- "$DIR"' EXIT
	cd -- "$DIR" || return
	echo "one flood ($FLOOD: pairs, rounds, busy loops) recorded in turns; medians of $ROUNDS rounds"
	echo "ns an event: recorder CPU; of fcap: that over fcap's; flood: how long it took, over none's"
	bench || return
	print_results
	for tool in trace-cmd perf; do
		[[ ! -s refused-$tool ]] || echo "$tool did not record: $(<"refused-$tool")"
	done
}

main "$@"
