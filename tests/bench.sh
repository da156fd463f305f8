#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast fanalyze reads, as ratios to others that read the same file in turns with it: times of
# different machines cannot be compared, ratios can. Fails where a command fails, never because of
# a time.
set -u
B=${B:-build}
ROUNDS=${BENCH_ROUNDS:-5}
FULL=${BENCH_FULL:-}
DIR=$B/bench
TRACING=/sys/kernel/tracing
FEW=100000 # events of the files that trace-cmd reads: it takes its time
FLOOD='4 60000 1' # see flood.c
NOTES=()

usage() {
	cat <<'END'
Usage: bench.sh
Measures fanalyze report on traces of many sizes and kinds, with one CPU and with two, against
cat, an empty loop of libtracecmd, trace-cmd report and, where it can record, perf sched timehist.

Environment: B, the build folder (build); BENCH_ROUNDS, of which medians are taken (5);
BENCH_FULL=1, up to 50 M events, which takes long, and 3 GB in the build folder and of memory.
END
}

# Sets CPUS to two CPUs that this process may use, or to the only one.
find_cpus() {
	CPUS=$(taskset -cp $$ | awk -F '[:,] *' '{
		for (i = 2; i <= NF; i++) {
			n = split($i, range, "-")
			for (c = range[1] + 0; c <= range[n] + 0 && found < 2; c++)
				list = list (found++ ? "," : "") c
		}
		print list
	}')
	ONE=${CPUS%,*}
	[[ $CPUS == *,* ]] || NOTES+=("two cores: this process may use only one")
}

# make VERSION CPUS EVENTS KIND: sets FILE
make_file() {
	FILE=$DIR/v$1-$2cpus-$3-$4.dat
	[[ -f $FILE ]] && return
	"$B/tests/bench/make_trace" "$FILE.new" "$@" >/dev/null || exit 1
	mv -- "$FILE.new" "$FILE" || exit 1
}

# The largest files, and what was left half done.
clean() {
	rm -f -- "$DIR"/v*-?0000000-*.dat "$DIR"/*.new "$DIR"/real.dat "$DIR"/perf.data \
		"$DIR"/said "$DIR"/per_event
}

# measure ROUNDS COMMAND...: a line each, see measure.c; on one CPU
measure() {
	taskset -c "$ONE" "$B/tests/bench/measure" "$@" || exit 1
}

# row NAME EVENTS FILE SMALL EVENTS_OF_SMALL: a line of the table
row() {
	local all small report="'$B/fanalyze' report '$3'"

	all=$(measure "$ROUNDS" "exec cat '$3'" "exec '$B/tests/bench/empty_loop' '$3'" \
		"exec $report" "exec taskset -c $CPUS $report") || exit 1
	small=$(measure 3 "exec trace-cmd report -N '$4' 2>&1") || exit 1
	awk -v name="$1" -v events="$2" -v few="$5" -v bytes="$(stat -Lc %s "$3")" \
		-v has_two="$([[ $CPUS != *,* ]] || echo 1)" -v noted="$DIR/per_event" '
		{ wall[NR] = $1; rss[NR] = $3 }
		END {
			printf "%-19s%6.1f%6.0f%5.0f%6.1f%6.1f%6.0f ", name,
				events / wall[3] / 1e6, bytes / wall[3] / 1e6, rss[3] / 1024,
				wall[3] / wall[1], wall[2] / wall[3],
				wall[5] / few / (wall[3] / events)
			if (has_two)
				printf "%6.1f%5.0f%6.1f%6.1f\n", events / wall[4] / 1e6,
					rss[4] / 1024, wall[4] / wall[1], wall[2] / wall[4]
			else
				printf "%6s%5s%6s%6s\n", "-", "-", "-", "-"
			print name ":" wall[3] / events >>noted
		}' <<<"$all
$small"
}

# made VERSION CPUS MILLIONS sched|kvm|smt
made() {
	local kind='' small

	[[ $4 == sched ]] || kind=$4
	make_file "$1" "$2" "$FEW" "$4"
	small=$FILE
	make_file "$1" "$2" $(($3 * 1000000)) "$4"
	row "$(printf 'v%d %3d CPUs %2dM %s' "$1" "$2" "$3" "$kind")" $(($3 * 1000000)) \
		"$FILE" "$small" "$FEW"
	[[ $3 -le 5 ]] || rm -f -- "$FILE"
}

heading() {
	cat <<END
fanalyze report, medians of $ROUNDS runs in turns with what it is compared with
                   one core                           two cores
                    M ev            times  loop trace-  M ev      times  loop
trace                 /s  MB/s  MiB of cat times   cmd     /s  MiB of cat times
END
}

legend() {
	cat <<END
budget                               3     5   100                 2    15 (v7)
v6, v7: versions of trace.dat, v7 with zstd; kvm: half of it exits and entries;
  smt: two thirds, on cores of two CPUs that core scheduling keeps to one VM
M ev/s, MB/s: events and bytes of the file; MiB: peak memory, budget 64 and, for
  each CPU, 1/16 and two chunks of v7; times of cat: as long as cat FILE; loop
  times, trace-cmd: so often as long take an empty loop of libtracecmd and
  trace-cmd report, the latter for an event of such a trace of $FEW
END
	printf '%s\n' "${NOTES[@]}"
}

# Sets FILE and EVENTS to a recording of this machine, or to one that is shipped.
find_real() {
	FILE=$DIR/real.dat
	# shellcheck disable=SC2086 # three numbers
	if [[ $(id -u) != 0 || ! -e $TRACING/events/sched ]]; then
		NOTES+=("a recorded flood: needs root and tracefs; a shipped file instead, which is small")
		FILE=tests/data/bed/bed-coresched-on-v6.dat
	elif ! "$B/fcap" record -o "$FILE" -- "$B/tests/bench/flood" $FLOOD >/dev/null \
		2>"$DIR/said"; then
		NOTES+=("a recorded flood: $(tail -n 1 "$DIR/said")")
		FILE=tests/data/bed/bed-coresched-on-v6.dat
	fi
	"$B/fanalyze" info "$FILE" >"$DIR/said" || exit 1
	EVENTS=$(awk '$1 == "(main)" { print $NF }' "$DIR/said")
	SWITCHES=$(awk '$3 == "sched:sched_switch" { print $2 }' "$DIR/said")
}

# The same flood, recorded by perf: the ratio of the times that a switch takes to read.
compare_perf() {
	local switches all

	[[ $FILE == "$DIR/real.dat" ]] || {
		NOTES+=("perf sched timehist -s: -, as nothing can be recorded here")
		return
	}
	# shellcheck disable=SC2086 # three numbers
	if ! command -v perf >/dev/null || ! perf sched record -o "$DIR/perf.data" -- \
		"$B/tests/bench/flood" $FLOOD >"$DIR/said" 2>&1; then
		NOTES+=("perf sched timehist -s: -, as there is no perf that can record here")
		return
	fi
	switches=$(perf sched timehist -s -i "$DIR/perf.data" 2>&1 |
		sed -n 's/^Total number of context switches: *//p')
	all=$(measure "$ROUNDS" "exec perf sched timehist -s -i '$DIR/perf.data' 2>&1" \
		"exec '$B/fanalyze' report '$FILE'") || exit 1
	NOTES+=("perf sched timehist -s, same flood: $(awk -v theirs="${switches:-0}" \
		-v ours="$SWITCHES" '{ wall[NR] = $1 } END {
			if (theirs > 0)
				printf "%.1f times the time of a switch (budget: 10)",
					wall[1] / theirs / (wall[2] / ours)
			else
				print "-, as it counts no switches"
		}' <<<"$all")")
}

# Many VMs that mostly sleep: what costs time there is the length of the trace, not its events.
measure_sparse() {
	local range all

	make_file 6 64 200000 sparse
	"$B/fanalyze" info "$FILE" >"$DIR/said" || exit 1
	range=$(sed -n 's/^Range: .* from \([0-9.]*\) s to \([0-9.]*\) s of its clock$/\1 \2/p' \
		"$DIR/said")
	all=$(measure "$ROUNDS" "exec '$B/fanalyze' report '$FILE'") || exit 1
	NOTES+=("$(awk -v from="${range% *}" -v to="${range#* }" '{
		printf "sparse: 128 VMs of 4 vCPUs, 64 CPUs, %.0f s: %.0f s of trace a second, %.0f MiB",
			to - from, (to - from) / $1, $3 / 1024
	}' <<<"$all")")
}

# What the budget says of 512 CPUs.
compare_many() {
	NOTES+=("$(awk -F: '
		/^v6 +2 CPUs +4M *:/ { few = $2 }
		/^v6 512 CPUs +4M *:/ { many = $2 }
		END { printf "an event of 512 CPUs costs %.1f times one of 2 (budget: 4)",
			many / few }' "$DIR/per_event")")
}

rows() {
	made 6 2 1 sched
	made 6 2 4 sched
	made 6 2 4 kvm
	made 6 2 4 smt
	made 6 64 2 sched
	made 6 64 2 kvm
	made 6 64 2 smt
	made 6 512 4 sched
	made 6 512 2 kvm
	made 7 2 2 sched
	made 7 2 2 kvm
	made 7 64 2 kvm
	made 7 512 2 sched
	[[ $FULL ]] || return
	made 6 2 20 kvm
	made 6 2 50 sched
	made 6 2 50 kvm
	made 6 512 50 kvm
	made 7 64 50 kvm
}

case ${1:-} in
"") ;;
--help) usage && exit ;;
*)
	echo "bench.sh: no arguments are needed: try --help" >&2
	exit 2
	;;
esac
mkdir -p "$DIR" || exit 1
trap clean EXIT
: >"$DIR/per_event"
find_cpus
heading
rows
find_real
row "v6 recorded flood" "$EVENTS" "$FILE" "$FILE" "$EVENTS"
compare_perf
compare_many
measure_sparse
legend
