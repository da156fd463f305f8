#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# How fast fanalyze reads, as ratios to "cat" and to an empty loop of libtracecmd over the same
# file, in turns on one CPU: times of different machines cannot be compared, ratios can.
# BENCH_EVENTS (5000000) and BENCH_ROUNDS (7) make it shorter. Fails where a command fails, never
# because of a time.
set -u
B=${B:-build}
EVENTS=${BENCH_EVENTS:-5000000}
ROUNDS=${BENCH_ROUNDS:-7}
DIR=$B/bench
mkdir -p "$DIR" || exit 1

# compare VERSION CPUS
compare() {
	local file=$DIR/v$1-$2cpus-$EVENTS.dat results

	[[ -f $file ]] || {
		"$B/tests/bench/make_trace" "$file.new" "$1" "$2" "$EVENTS" >/dev/null &&
			mv "$file.new" "$file" || exit 1
	}
	results=$(taskset -c 0 "$B/tests/bench/measure" "$ROUNDS" "exec cat '$file'" \
		"exec '$B/tests/bench/empty_loop' '$file'" "exec '$B/fanalyze' report '$file'" \
		"exec '$B/tests/bench/read_loop' '$file' 1") || exit 1
	awk -v version="$1" -v cpus="$2" -v events="$EVENTS" '
		{ wall[NR] = $1; cpu[NR] = $2; rss[NR] = $3 }
		END {
			printf "%-7d %4d %11.1f %12.2f %13.1f %12.0f %% %14.1f\n", version, cpus,
				events / wall[3] / 1e6, wall[3] / wall[1], wall[2] / wall[3],
				100 * wall[4] / wall[3], rss[3] / 1024
		}' <<<"$results"
}

echo "fanalyze report, $EVENTS events, median of $ROUNDS rounds on one CPU"
echo "version CPUs  M events/s  times of cat  empty loop is  reading alone  memory in MiB"
echo "                          (budget: 3)   longer (5)     takes"
compare 6 2
compare 6 64
compare 7 2
