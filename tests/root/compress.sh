#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record --compress on the real kernel: the file says what one of version 6 says, to
# fanalyze, libtracecmd and trace-cmd, and is smaller.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh"
INSTANCES=/sys/kernel/tracing/instances
PID=

why_not() {
	[[ $(id -u) == 0 ]] || { echo "needs root" && return; }
	[[ -d $INSTANCES ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
		{ echo "no tracefs" && return; }
	command -v trace-cmd >/dev/null || echo "no trace-cmd to read the files with"
}

# record NAME OPTION...: the same work each time, for a second or less
record() {
	"$B/fcap" record -o "$DIR/$1.dat" --sample 10ms --label of=test "${@:2}" -- \
		"$BASH" -c 'for ((i = 0; i < 200; i++)); do /bin/true; done; sleep 0.2' \
		2>"$DIR/$1.said" >"$DIR/out"
}

both_are_recorded() {
	record plain && record packed --compress && is_empty "$DIR/out" &&
		holds_no_parts && cat "$DIR/plain.said" "$DIR/packed.said"
}

holds_no_parts() {
	[[ ! $(find "$DIR" -name '*.parts') ]]
}

# "wrote ...: 9 events (9/s), 0.5 MB (0.4 MB/s) compressed to 0.1 MB, lost none"
both_sizes_are_told() {
	cat "$DIR/packed.said" "$DIR/plain.said"
	grep -Eq ' events.* [0-9.]+ [kM]B \(.*\) compressed to [0-9.]+ [kM]B, lost' "$DIR/packed.said" &&
		! grep -q compressed "$DIR/plain.said"
}

it_is_smaller() {
	local plain packed

	plain=$(stat -c %s "$DIR/plain.dat")
	packed=$(stat -c %s "$DIR/packed.dat")
	echo "$plain bytes, $packed compressed"
	((packed * 2 < plain))
}

# kinds NAME: what is in the file, without numbers; of two recordings one may have rare events
kinds() {
	"$B/fanalyze" info --json "$DIR/$1.json" "$DIR/$1.dat" >"$DIR/text" || return
	jq -S '[.kernel, .clock, .cpus, .recorder, .labels, [.buffers[].name],
		([.events[].name, .silent[]] | sort), (.options - ["CPUCOUNT"]),
		([.markers[].kind] - (([.markers[].kind]) -
		["begin", "cpu", "task", "steal", "host", "end"]))]' "$DIR/$1.json"
}

info_agrees() {
	kinds plain >"$DIR/kinds" && kinds packed >"$DIR/kinds2" &&
		jq -e '.version == 7 and .compression == "zstd"' "$DIR/packed.json" &&
		jq -e '.version == 6' "$DIR/plain.json" && diff "$DIR/kinds" "$DIR/kinds2"
}

# in silence; the first marker, the last one and an event
trace_cmd_reads_it() {
	local word

	trace-cmd report -i "$DIR/packed.dat" >"$DIR/text" 2>"$DIR/text.err" &&
		is_empty "$DIR/text.err" || return
	for word in 'fcap: begin .* label.of=test' 'fcap: end ' ' sched_switch: '; do
		grep -q "$word" "$DIR/text" || { echo "no $word" && return 1; }
	done
	trace-cmd dump --all -i "$DIR/packed.dat" >"$DIR/text" 2>"$DIR/text.err" &&
		is_empty "$DIR/text.err"
}

libtracecmd_reads_the_same_records() {
	FCAP_TEST_TRACE=$DIR/packed.dat CMOCKA_MESSAGE_OUTPUT=TAP \
		"$B/tests/unit/records_libtracecmd" >"$DIR/records" 2>&1 ||
		{ cat "$DIR/records" && return 1; }
	grep "$DIR/packed.dat: [1-9]" "$DIR/records"
}

# the very same records as trace-cmd unpacks them: the report does not depend on the packing
report_is_that_of_the_same_records_unpacked() {
	local name

	trace-cmd convert -i "$DIR/packed.dat" -o "$DIR/unpacked.dat" --compression none \
		>"$DIR/text" 2>&1 || { cat "$DIR/text" && return 1; }
	for name in packed unpacked; do
		"$B/fanalyze" report --group process --json "$DIR/$name.json" "$DIR/$name.dat" \
			>"$DIR/$name.txt" || return
		jq -S 'del(.source.file, .tool.command)' "$DIR/$name.json" >"$DIR/$name.tree"
	done
	jq -e '.groups | length > 0' "$DIR/packed.json" &&
		diff "$DIR/packed.tree" "$DIR/unpacked.tree"
}

levels_are_obeyed() {
	record fast --compress=1 && record small --compress=19 &&
		trace-cmd report -i "$DIR/small.dat" 2>&1 | grep -q 'fcap: end ' &&
		"$B/fanalyze" info "$DIR/fast.dat" >"$DIR/text"
}

nonsense_is_refused() {
	local level

	for level in 0 20 -1 fast ''; do
		expect 125 "$B/fcap" record "--compress=$level" -o "$DIR/no.dat" -- \
			touch "$DIR/started" 2>"$DIR/text" || return
		grep -q "compress=$level: give a level from 1 to 19" "$DIR/text" || return
	done
	[[ ! -e $DIR/started && ! -e $DIR/no.dat ]]
}

wait_for_pages() {
	local i

	for ((i = 0; i < 300; i++)); do
		[[ -s $DIR/left && -s $DIR/killed.dat.parts/cpu0 && -s $DIR/killed.dat.parts/marks ]] && return
		sleep 0.02
	done
	echo "nothing was recorded"
	return 1
}

what_a_kill_leaves_is_recovered_compressed() {
	# shellcheck disable=SC2016 # $$ is the command's
	"$B/fcap" record --compress -o "$DIR/killed.dat" --sample 10ms -- \
		"$BASH" -c 'echo $$ >"$0"; exec sleep 20' "$DIR/left" 2>"$DIR/text" &
	PID=$!
	wait_for_pages || return
	kill -KILL $PID
	wait $PID 2>/dev/null
	PID=
	kill "$(<"$DIR/left")"
	"$B/fcap" recover "$DIR/killed.dat.parts" 2>"$DIR/text"
	cat "$DIR/text"
	grep -q '[kM]B compressed to ' "$DIR/text" &&
		"$B/fanalyze" info --json - "$DIR/killed.dat" |
		jq -e '.version == 7 and any(.markers[]; .kind == "cut")'
}

after_test() {
	[[ ! $PID ]] || { kill -KILL "$PID" && wait "$PID"; }
	PID=
}

skip=$(why_not)
echo "1..10"
unless "$skip" "a recording is made with and without --compress" both_are_recorded
unless "$skip" "the last message tells both sizes" both_sizes_are_told
unless "$skip" "the file is less than half as long" it_is_smaller
unless "$skip" "fanalyze info finds the same kinds of things in both" info_agrees
unless "$skip" "trace-cmd reads it in silence, markers too" trace_cmd_reads_it
unless "$skip" "libtracecmd reads the records that we read" libtracecmd_reads_the_same_records
unless "$skip" "its report is that of the same records unpacked" \
	report_is_that_of_the_same_records_unpacked
unless "$skip" "levels from 1 to 19 are taken" levels_are_obeyed
check "anything else is refused before the command starts" nonsense_is_refused
unless "$skip" "what a killed recording left is recovered compressed" \
	what_a_kill_leaves_is_recovered_compressed
