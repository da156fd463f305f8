#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Files that went through trace-cmd convert and split: fanalyze finds the same in them. Nothing is
# recorded: trace-cmd record and extract change or read the buffers of the whole machine.
# shellcheck disable=SC2016 # the variables in single quotes are those of jq
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
FCAP7=samples/core-sched/on-1.dat # by fcap, version 7, with marker lines
TC7=samples/two-vms.dat           # by trace-cmd, version 7
TC6=tests/data/bed/bed-coresched-off-v6.dat

# tc COMMAND...: trace-cmd, quietly; it says nothing of an error but by its status
tc() {
	trace-cmd "$@" >"$DIR/tc" 2>&1 || { cat "$DIR/tc"; false; }
}

# numbers FILE: all that the report says but for the names of files
numbers() {
	expect 0 "$FANALYZE" report --json - "$1" | jq -S 'del(.tool, .source.file, .source.checksum)'
}

# same_numbers FILE FILE
same_numbers() {
	numbers "$1" >"$DIR/a" && numbers "$2" >"$DIR/b" && [[ -s $DIR/a ]] && diff "$DIR/a" "$DIR/b"
}

# is_version FILE VERSION COMPRESSION
is_version() {
	"$FANALYZE" info --json - "$1" |
		jq -e --arg v "$2" --arg c "$3" '(.version | tostring) == $v and .compression == $c'
}

# converts FILE: there and back again, markers and all
converts() {
	tc convert -i "$1" -o "$DIR/6" --file-version 6 && is_version "$DIR/6" 6 none &&
		tc convert -i "$DIR/6" -o "$DIR/7" --file-version 7 --compression zstd &&
		is_version "$DIR/7" 7 zstd &&
		tc convert -i "$DIR/7" -o "$DIR/plain" --file-version 7 --compression none &&
		is_version "$DIR/plain" 7 none || return
	same_numbers "$1" "$DIR/6" && same_numbers "$1" "$DIR/7" && same_numbers "$1" "$DIR/plain"
}

# counts FILE: events and when they were, of the main buffer
counts() {
	"$FANALYZE" info --json - "$1" |
		jq -S '{range, events: [.events[] | select(.in_main > 0) | [.name, .in_main]]}'
}

# split FILE NAME [OPTION...]: one part of it in $DIR/NAME.1, as trace-cmd 3.1 calls it, 3.3 only where
# there are several
split() {
	rm -f "$DIR/$2" "$DIR/$2".[0-9]*
	tc split -i "$1" -o "$DIR/$2" "${@:3}" || return
	[[ -e $DIR/$2.1 ]] || mv -- "$DIR/$2" "$DIR/$2.1"
}

# All of it: what trace-cmd wrote is the same, but for the names that are in no file of split.
split_keeps_all_events() {
	local file

	for file in "$TC7" "$TC6" "$FCAP7"; do
		split "$file" whole && counts "$file" >"$DIR/a" &&
			counts "$DIR/whole.1" >"$DIR/b" && diff "$DIR/a" "$DIR/b" || return
	done
}

# ran FILE: how long each vCPU thread ran in all
ran() {
	expect 0 "$FANALYZE" report --json - "$1" | jq -S \
		'[.groups[].threads[] | select(.vcpu != null) | {tid, run_ns}] | sort_by(.tid)'
}

split_keeps_the_times_of_threads() {
	local file

	for file in "$TC7" "$TC6"; do
		split "$file" whole && ran "$file" >"$DIR/a" &&
			ran "$DIR/whole.1" >"$DIR/b" && [[ $(jq length "$DIR/a") -gt 1 ]] &&
			diff "$DIR/a" "$DIR/b" || return
	done
}

# trace-cmd split leaves the buffer fcap out (until 3.3), from a file of either version
split_loses_the_markers_and_info_says_so() {
	local file

	tc convert -i "$FCAP7" -o "$DIR/6" --file-version 6 || return
	"$FANALYZE" info "$FCAP7" >"$DIR/out" && ! grep "no steal lines" "$DIR/out" || return
	for file in "$FCAP7" "$DIR/6"; do
		split "$file" part 5.5 6.5 && expect 0 "$FANALYZE" info "$DIR/part.1" \
			>"$DIR/out" && tr -s ' \n' '  ' <"$DIR/out" >"$DIR/line" || return
		# trace-cmd 3.3 keeps it, as far as it is of this time
		grep -q '^fcap ' "$DIR/out" && grep -qE '^ *[1-9][0-9]*  steal$' "$DIR/out" && continue
		for word in "no steal lines" "no cpu lines" "no cg lines" "no task lines"; do
			grep -qF "$word" "$DIR/line" || { cat "$DIR/out"; return 1; }
		done
		expect 0 "$FANALYZE" report "$DIR/part.1" >"$DIR/out" && grep "CPU 0/KVM#1" "$DIR/out" ||
			return
	done
}

# A part holds the records that trace-cmd itself shows in it.
parts_hold_what_trace_cmd_shows() {
	local part n=0

	tc split -i "$TC7" -o "$DIR/part" -m 100 -r || return
	for part in "$DIR"/part.[0-9]*; do
		n=$((n + 1))
		trace-cmd report -i "$part" 2>/dev/null | grep -c '\[[0-9]*\] ' >"$DIR/a"
		"$FANALYZE" info --json - "$part" | jq '[.events[].records] | add' >"$DIR/b"
		diff "$DIR/a" "$DIR/b" || { echo "of $part" && return 1; }
	done
	echo "$n parts"
	((n > 2))
}

# Files of other people, as far as this trace-cmd can open them (not without zlib).
others_convert_and_split() {
	local file n=0

	for file in "$FCAP_TRACE_CORPUS"/*.dat; do
		trace-cmd convert -i "$file" -o "$DIR/6" --file-version 6 >"$DIR/tc" 2>&1 || continue
		n=$((n + 1))
		tc convert -i "$DIR/6" -o "$DIR/7" --file-version 7 --compression zstd &&
			split "$file" whole && counts "$file" >"$DIR/a" || return
		for changed in "$DIR/6" "$DIR/7" "$DIR/whole.1"; do
			counts "$changed" | diff "$DIR/a" - || { echo "of $file" && return 1; }
		done
	done
	echo "$n files"
	((n > 5))
}

echo 1..8
why=''
command -v trace-cmd >/dev/null || why="trace-cmd is not installed"
[[ $why ]] || command -v jq >/dev/null || why="jq is not installed"
corpus=$why
[[ -d ${FCAP_TRACE_CORPUS-} ]] || corpus="FCAP_TRACE_CORPUS names no folder"
unless "$why" "a file of fcap is the same in every version, marker lines too" converts "$FCAP7"
unless "$why" "so is one of trace-cmd in version 7" converts "$TC7"
unless "$why" "and in version 6" converts "$TC6"
unless "$why" "split keeps all events of the main buffer" split_keeps_all_events
unless "$why" "and with them how long each vCPU ran" split_keeps_the_times_of_threads
unless "$why" "if split loses marker lines, info tells which are missing" \
	split_loses_the_markers_and_info_says_so
unless "$why" "each part holds what trace-cmd shows in it" parts_hold_what_trace_cmd_shows
unless "$corpus" "files of others are the same converted and split" others_convert_and_split
