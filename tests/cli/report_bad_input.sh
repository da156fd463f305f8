#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze report on files that are no trace, or a part of one, and with nowhere to print.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
V6=tests/data/bed/bed-coresched-off-v6.dat
V7=tests/data/bed/bed-coresched-off.dat
IN=$DIR/in
JSON=$DIR/json
mkdir "$IN" "$JSON" || exit 1
: >"$IN/empty"
echo "these are not the records that you are looking for" >"$IN/text"
printf '%s\n' "version https://git-lfs.github.com/spec/v1" \
	"oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393" \
	"size 335376" >"$IN/lfs"
printf 'PERFILE2%0104d' 0 >"$IN/perf"
echo '{"schema": "fcap-report/1", "tool": {"name": "fanalyze"}}' >"$IN/json"
head -c 5000 /dev/zero >"$IN/zeros"

# is_refused FILE [WORD]: status 2, one line about the file (with the word), and nothing else
is_refused() {
	expect 2 "$FANALYZE" report "$1" >"$DIR/out" 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fanalyze: $1: " && is_empty "$DIR/out" || return
	expect 2 "$FANALYZE" report --json "$JSON/report.json" "$1" >"$DIR/out" 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fanalyze: $1: " && is_empty "$DIR/out" &&
		holds_only "$JSON" || return
	expect 2 "$FANALYZE" report --json - "$1" >"$DIR/out" 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fanalyze: $1: " && is_empty "$DIR/out" || return
	cat "$DIR/err"
	grep -qiF -- "${2-$1}" "$DIR/err"
}

# is_refused_at SIZE FILE: what is left of it
is_refused_at() {
	head -c "$1" "$2" >"$IN/cut" && (($(stat -c %s "$IN/cut") == $1)) &&
		is_refused "$IN/cut" || return
	# beyond its header a file is a trace, though not all of it
	(($1 < 12)) || is_refused "$IN/cut" "cut off"
}

# noise_is_survived SIZE FILE: another byte after a good header may well go unnoticed, or be
# refused; it must neither crash the reader nor leave half a report.
noise_is_survived() {
	local seed=$RANDOM size=$1 at byte status try

	echo "seed $seed"
	RANDOM=$seed
	for ((try = 0; try < 20; try++)); do
		at=$((12 + (RANDOM << 15 | RANDOM) % (size - 12)))
		byte=$(printf '\\x%02x' $((RANDOM % 256)))
		echo "$byte at $at"
		cp -- "$2" "$IN/noise" && printf '%b' "$byte" |
			dd of="$IN/noise" bs=1 seek=$at conv=notrunc status=none || return
		"$FANALYZE" report --json "$JSON/report.json" "$IN/noise" >"$DIR/out" 2>"$DIR/err"
		status=$?
		case $status in
		0) is_empty "$DIR/err" && jq -e .schema "$JSON/report.json" ;;
		1 | 2) is_one_line "$DIR/err" "fanalyze: $IN/noise: " && is_empty "$DIR/out" &&
			holds_only "$JSON" ;;
		*) echo "status $status" && cat "$DIR/err" && false ;;
		esac || return
		rm -f -- "$JSON/report.json"
	done
}

# rest_is_analysed VERB...: of a file that ends among the data of its second CPU
rest_is_analysed() {
	head -c "$CUT" "$V6" >"$IN/cut"
	expect 2 "$FANALYZE" "$@" "$IN/cut" >"$DIR/out" 2>"$DIR/err" &&
		grep -q -- "--truncated analyses what comes before" "$DIR/err" &&
		expect 0 "$FANALYZE" "$@" --truncated "$IN/cut" >"$DIR/out" 2>"$DIR/err" || return
	cat "$DIR/out" "$DIR/err"
	[[ -s $DIR/out ]] || [[ -f $DIR/plot/share.tsv ]]
}

# What it says comes before all numbers; of what is not for reading, on the standard error.
rest_is_told() {
	rest_is_analysed report && head -1 "$DIR/out" | grep -q "^The file is not whole" &&
		is_empty "$DIR/err" &&
		rest_is_analysed info && head -1 "$DIR/out" | grep -q "^The file is not whole" &&
		rest_is_analysed export --what windows && grep -q "the file is not whole" "$DIR/err" &&
		grep -q "CPUs (2, 3)" "$DIR/err" && rest_is_analysed export --what spans &&
		grep -q "the file is not whole" "$DIR/err" &&
		rest_is_analysed plot --figure share -o "$DIR/plot" &&
		grep -q "the file is not whole" "$DIR/err"
}

# Two of four CPUs are missing: who shared a core with whom cannot be told.
rest_is_no_verdict() {
	head -c "$CUT" "$V6" >"$IN/cut"
	expect 4 "$FANALYZE" audit --truncated "$IN/cut" >"$DIR/out" 2>"$DIR/err" &&
		head -1 "$DIR/out" | grep -q "^The file is not whole" &&
		rest_is_analysed report --json - &&
		jq -e '.quality | .cut_cpu == 1 and .cut_ns > 0 and .missing_cpus == [2, 3] and
			(.notes[0] | startswith("the file is not whole"))' "$DIR/out"
}

# full_disk_is_told ARGUMENT...: on stdout
full_disk_is_told() {
	expect 1 "$FANALYZE" "$@" >/dev/full 2>"$DIR/err" && is_one_line "$DIR/err" "fanalyze: " &&
		grep -q "No space left" "$DIR/err"
}

closed_stdout_is_told() {
	expect 1 "$FANALYZE" report "$V7" >&- 2>"$DIR/err" && is_one_line "$DIR/err" "fanalyze: "
}

# places FILE: sizes to cut it to; the last place is short of its last few hundred bytes
places() {
	local size part

	size=$(stat -c %s "$1")
	echo 1 9 15
	for part in 1 8 20 35 50 80; do
		echo $((size * part / 100))
	done
	echo $((size - 300))
}

CUT=$(($(stat -c %s $V6) * 78 / 100))
no_full=''
[[ -c /dev/full ]] || no_full="there is no /dev/full"

echo 1..39
check "an empty file is refused" is_refused "$IN/empty" empty
check "a text is refused" is_refused "$IN/text" trace.dat
check "a report is refused, and its verbs told" is_refused "$IN/json" "compare and plot"
check "zeros are refused" is_refused "$IN/zeros" trace.dat
check "a Git LFS pointer is refused, and the way to the file told" \
	is_refused "$IN/lfs" "git lfs pull"
check "a perf.data is refused by its name" is_refused "$IN/perf" perf.data
check "a missing file is refused" is_refused "$IN/none" "no such file"
check "a directory is refused" is_refused "$IN"
check "a device is refused" is_refused /dev/null
for file in "$V6" "$V7"; do
	for place in $(places "$file"); do
		check "${file##*/} cut off at $place is refused" is_refused_at "$place" "$file"
	done
done
check "version 6 without its last byte is refused" is_refused_at $(($(stat -c %s $V6) - 1)) $V6
check "version 7 without its last byte is refused" is_refused_at $(($(stat -c %s $V7) - 1)) $V7
check "version 6 with a byte of noise ends in a report or a sentence" \
	noise_is_survived "$(stat -c %s $V6)" $V6
check "version 7 with a byte of noise ends in a report or a sentence" \
	noise_is_survived "$(stat -c %s $V7)" $V7
check "with --truncated what comes before a cut is analysed, and that is said" rest_is_told
check "an audit of which CPUs are missing has no verdict" rest_is_no_verdict
unless "$no_full" "a text report on a full disk fails with one line" full_disk_is_told report $V7
unless "$no_full" "a JSON report on a full disk fails with one line" \
	full_disk_is_told report --json - $V7
unless "$no_full" "help on a full disk fails with one line" full_disk_is_told report --help
check "a closed stdout fails with one line" closed_stdout_is_told
