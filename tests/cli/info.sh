#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze info on recorded traces: its counts are those that trace-cmd's text shows.
# shellcheck disable=SC2016 # the variables in single quotes are those of jq and awk
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
BED=tests/data/bed
OFF=$BED/bed-coresched-off.dat
OFF6=$BED/bed-coresched-off-v6.dat

# events FILE: "NAME COUNT" lines of what fanalyze counts, without the systems
events() {
	expect 0 "$FANALYZE" info --json "$DIR/info.json" "$1" >/dev/null &&
		jq -r '.events[] | "\(.name | sub(".*:"; "")) \(.records)"' "$DIR/info.json" | sort
}

agrees_with_trace_cmd() {
	events "$1" >"$DIR/ours" &&
		trace-cmd report -i "$1" 2>/dev/null |
		sed -nE 's/^.* \[[0-9]+\] .* ?[0-9]+\.[0-9]+: +([a-zA-Z0-9_]+): .*/\1/p' |
			sort | uniq -c | awk '{ print $2, $1 }' | sort >"$DIR/theirs" || return
	[[ -s $DIR/theirs ]] && diff "$DIR/theirs" "$DIR/ours"
}

# says FILE WORD...: the text holds each
says() {
	local word

	expect 0 "$FANALYZE" info "$1" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" || return
	for word in "${@:2}"; do
		grep -qF -- "$word" "$DIR/out" || { echo "no \"$word\" in:" && cat "$DIR/out"; return 1; }
	done
}

fits() {
	expect 0 "$FANALYZE" "$@" >"$DIR/out" || return
	! grep -nE '.{81}' "$DIR/out"
}

# Both versions of one recording hold the same.
versions_agree() {
	local of='{events, range, kernel, clock, word_bytes, markers, limits}'

	expect 0 "$FANALYZE" info --json - "$OFF" >"$DIR/7" &&
		expect 0 "$FANALYZE" info --json - "$OFF6" >"$DIR/6" || return
	jq -e '.version == 7 and .compression == "zstd"' "$DIR/7" &&
		jq -e '.version == 6 and .compression == "none"' "$DIR/6" &&
		diff <(jq "$of" "$DIR/7") <(jq "$of" "$DIR/6")
}

json_adds_up() {
	expect 0 "$FANALYZE" info --json - "$OFF" >"$DIR/json" || return
	jq -e '.schema == "fcap-info/1" and .tool.name == "fanalyze"
		and ([.events[].records] | add) == ([.buffers[].records] | add)
		and ([.events[].in_main] | add) == .buffers[0].records
		and ([.buffers[0].cpus[].records] | add) == .buffers[0].records
		and .cpus_with_data == (.buffers[0].cpus | length)
		and .range.length_ns == .range.last_ns - .range.first_ns
		and ([.events[].records] | . == (sort | reverse))' "$DIR/json"
}

json_beside_text() {
	expect 0 "$FANALYZE" info --json "$DIR/j.json" "$OFF" >"$DIR/out" &&
		grep -q "^Range:" "$DIR/out" && jq -e .schema "$DIR/j.json"
}

# refused_as_by_report FILE: the same sentence and the same status
refused_as_by_report() {
	local status

	"$FANALYZE" report "$1" >"$DIR/out" 2>"$DIR/report"
	status=$?
	((status != 0)) && expect "$status" "$FANALYZE" info "$1" >"$DIR/out" 2>"$DIR/info" &&
		is_empty "$DIR/out" && is_one_line "$DIR/info" "fanalyze: $1: " &&
		diff "$DIR/report" "$DIR/info"
}

cut_files_are_refused() {
	local file part size

	for file in "$OFF" "$OFF6"; do
		size=$(stat -c %s "$file")
		for part in 5 30 60 99; do
			head -c $((size * part / 100)) "$file" >"$DIR/cut.dat" &&
				refused_as_by_report "$DIR/cut.dat" || return
		done
	done
}

other_files_are_refused() {
	: >"$DIR/empty"
	echo "these are no records" >"$DIR/text"
	refused_as_by_report "$DIR/empty" && refused_as_by_report "$DIR/text" &&
		refused_as_by_report "$DIR/none" && refused_as_by_report "$DIR"
}

# The name of the compression stands behind the page size: 3 + 7 + 2 + 1 + 1 + 4 bytes.
lzop_is_refused_by_name() {
	cp -- "$OFF" "$DIR/z.dat" &&
		printf 'lzop' | dd of="$DIR/z.dat" bs=1 seek=18 conv=notrunc status=none &&
		refused_as_by_report "$DIR/z.dat" && grep -q '"lzop".*zstd and zlib' "$DIR/info"
}

usage_error() {
	expect 2 "$FANALYZE" info "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" &&
		grep -qF -- "$1" "$DIR/err"
}

help_is_on_stdout() {
	expect 0 "$FANALYZE" info --help >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" &&
		grep -q -- --json "$DIR/out" && grep -q "Examples:" "$DIR/out"
}

full_disk_is_told() {
	expect 1 "$FANALYZE" info "$OFF" >/dev/full 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fanalyze: "
}

no_trace_cmd=''
command -v trace-cmd >/dev/null || no_trace_cmd="trace-cmd is not installed"
no_full=''
[[ -c /dev/full ]] || no_full="there is no /dev/full"

echo 1..21
for file in "$BED"/*.dat; do
	unless "$no_trace_cmd" "every event of ${file##*/} is counted" agrees_with_trace_cmd "$file"
done
check "both versions of a recording are said to hold the same" versions_agree
check "the numbers of the JSON add up" json_adds_up
check "JSON is written beside the text" json_beside_text
check "the text says who recorded, when and what" says "$OFF" "trace.dat version 7" \
	"compression: zstd" "recorded by: 3.1.6" "kernel: 6.12.117-schedbed" "clock: local" \
	"sched:sched_switch" "Lost events: none" "Range: 3.14"
check "the text says what is missing, and what has it" says "$OFF" "What it cannot answer" \
	"no steal lines; use" "no cpu lines" "trace-cmd record -C mono"
check "the text fits 80 columns" fits info "$OFF"
check "the help fits 80 columns" fits info --help
check "the help is on stdout" help_is_on_stdout
check "cut files are refused as by report" cut_files_are_refused
check "what is no trace is refused as by report" other_files_are_refused
check "another compression is refused by its name" lzop_is_refused_by_name
check "no file is a usage error" usage_error "trace.dat is needed"
check "two files are a usage error" usage_error "one file" "$OFF" "$OFF"
check "an unknown option is a usage error" usage_error --frobnicate --frobnicate "$OFF"
unless "$no_full" "a full disk fails with one line" full_disk_is_told
