#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Traces that other people recorded, with figures that were computed from trace-cmd's text without
# our code: each NAME.dat in FCAP_TRACE_CORPUS=FOLDER that has a NAME.oracle.tsv. A NAME.dat
# without one is no trace and must be refused.
# shellcheck disable=SC2016 # the variables in single quotes are those of jq and awk
set -u
B=$(realpath -- "${B:-build}") || exit 1
FANALYZE=$B/fanalyze
TALLY=$B/tests/corpus/tally
SECOND_OPINION=$B/tests/unit/records_libtracecmd
CORPUS=${FCAP_TRACE_CORPUS-}
[[ ! $CORPUS ]] || CORPUS=$(realpath -- "$CORPUS") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1

# Values of "key=value" columns in an oracle, by name: a row may lack what another has.
columns='function column(key, i) {
	for (i = 2; i <= NF; i++)
		if (index($i, key "=") == 1) return substr($i, length(key) + 2)
}'

# oracle NAME PROGRAM: awk on the figures
oracle() {
	awk -F'\t' -v OFS='\t' "$columns $2" "$CORPUS/$1.oracle.tsv" | sort
}

# same WHAT: both files say the same, and something
same() {
	[[ -s $DIR/theirs ]] || { echo "the oracle tells nothing of $1" && return 1; }
	diff "$DIR/theirs" "$DIR/ours"
}

# Records of each event and CPU, the first and last stamp of the file and of each CPU. Event
# systems are left out: the text has only names.
counts_agree() {
	oracle "$1" '$1 == "event" { print "event", $2, $3 }
		$1 == "file" { print "file", column("records"), column("first_ns"), column("last_ns") }
		$1 == "cpu" { print "cpu", $2, column("records"), column("first_ns"), column("last_ns") }
	' >"$DIR/theirs"
	expect 0 "$FANALYZE" info --json - "$CORPUS/$1.dat" >"$DIR/info.json" || return
	jq -r '(.events[] | ["event", (.name | sub(".*:"; "")), .records]),
		["file", .buffers[0].records, .range.first_ns, .range.last_ns],
		(.buffers[0].cpus[] | ["cpu", .cpu, .records, .first_ns, .last_ns]) | @tsv' \
		"$DIR/info.json" | sort >"$DIR/ours"
	same records
}

# tally NAME KIND: the rows of this kind that our own code makes
tally() {
	expect 0 "$TALLY" "$CORPUS/$1.dat" >"$DIR/tally" || return
	grep -P "^$2\t" "$DIR/tally" | sort
}

# Time on CPU between two switches of one CPU, for each thread, and for each CPU idle.
runs_agree() {
	oracle "$1" '$1 == "run" { print "run", column("tid"), column("run_ns"), column("intervals") }
		$1 == "cpu" && column("first_switch_ns") != "-" {
			print "switches", $2, column("first_switch_ns"), column("last_switch_ns") }
		$1 == "file" { print "lost", column("lost_marks") }' >"$DIR/theirs"
	tally "$1" '(run|switches|lost)' >"$DIR/ours" && same runs
}

# Time from a kvm_entry to the kvm_exit that follows, for each thread.
guest_time_agrees() {
	oracle "$1" '$1 == "guest" { print "guest", column("tid"), column("guest_ns"),
			column("entries"), column("exits") }
		$1 == "file" { print "lost", column("lost_marks") }' >"$DIR/theirs"
	tally "$1" '(guest|lost)' >"$DIR/ours" && same guests
}

# Of the states that the file's own table gives, R and R+ mean that the thread was left waiting.
states_agree() {
	oracle "$1" '$1 == "prev_state" && $2 ~ /^R\+?$/ { runnable += $3; next }
		$1 == "prev_state" { other += $3 }
		END { print "left", runnable + 0, other + 0 }' >"$DIR/theirs"
	tally "$1" left >"$DIR/ours" && same states
}

# refused NAME WORD...: status 2, one line about the file that holds each word
refused() {
	local word

	expect 2 "$FANALYZE" report "$CORPUS/$1.dat" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/out" && is_one_line "$DIR/err" "fanalyze: $CORPUS/$1.dat: " || return
	for word in "${@:2}"; do
		grep -qF -- "$word" "$DIR/err" || { cat "$DIR/err" && return 1; }
	done
}

# A report says at least what the figures say of closed runs: beginning and end come on top.
# Without a switch nothing can be reported, and the event is named.
refused_by() {
	expect 2 "$FANALYZE" "$@" >"$DIR/out" 2>"$DIR/err"
}

# nobody can tell shares without switches; guest time is that of the oracle, to the nanosecond
has_guest_time_only() {
	refused_by plot --figure share -o "$DIR/figures" "$CORPUS/$1.dat" &&
		grep -q "does not tell who ran" "$DIR/err" &&
		expect 0 "$FANALYZE" report --json - "$CORPUS/$1.dat" >"$DIR/json" || return
	oracle "$1" '$1 == "guest" { print column("tid"), column("guest_ns") }' |
		jq -e -R -s --slurpfile report "$DIR/json" '
			([$report[0].groups[].threads[] | {key: (.tid | tostring), value: .guest_ns}]
				| from_entries) as $ours
			| ([$report[0].groups[] | .share.value, .run_ns, .wait_ns] | all(. == null)) and
			(split("\n") | map(select(. != "") | split("\t"))
				| length > 0 and all($ours[.[0]] == (.[1] | tonumber)))' >/dev/null
}

is_reported_or_refused() {
	local name=$1

	if grep -qP '^event\tkvm_entry\t' "$CORPUS/$name.oracle.tsv" &&
		! grep -qP '^event\tsched_switch\t' "$CORPUS/$name.oracle.tsv"; then
		has_guest_time_only "$name"
		return
	fi
	if ! grep -qP '^event\tsched_switch\t' "$CORPUS/$name.oracle.tsv"; then
		refused "$name" sched_switch "trace-cmd record -e sched"
		return
	fi
	expect 0 "$FANALYZE" report "$CORPUS/$name.dat" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && grep -q "^How it was computed" "$DIR/out" &&
		expect 0 "$FANALYZE" report --json - "$CORPUS/$name.dat" >"$DIR/json" || return
	oracle "$name" '$1 == "run" && column("tid") !~ /^0@/ {
		print column("tid"), column("run_ns") }' |
		jq -e -R -s --slurpfile report "$DIR/json" '
			([$report[0].groups[].threads[] | {key: (.tid | tostring), value: .run_ns}]
				| from_entries) as $ours
			| split("\n") | map(select(. != "") | split("\t"))
			| map(select(($ours[.[0]] // 0) < (.[1] | tonumber)))
			| . == [] or ("too short: \(.)" | halt_error)'
}

# Record for record: stamps, CPUs, events, threads, bytes.
is_read_as_libtracecmd_reads_it() {
	FCAP_TEST_TRACE=$CORPUS/$1.dat CMOCKA_MESSAGE_OUTPUT=TAP "$SECOND_OPINION" >"$DIR/tap"
	grep -q "^ok .*the_named_trace_is_read_as_libtracecmd_reads_it" "$DIR/tap" && return
	cat "$DIR/tap"
	return 1
}

# why_no_second_opinion NAME: the reason, if there is one. trace-cmd may be built without zlib.
why_no_second_opinion() {
	if ! [[ -x $SECOND_OPINION ]]; then
		echo "$SECOND_OPINION is not built"
	elif head -c 64 "$CORPUS/$1.dat" | grep -qa zlib &&
		! trace-cmd report "$CORPUS/$1.dat" >/dev/null 2>&1; then
		echo "libtracecmd here cannot read zlib"
	fi
}

no_trace_is_refused() {
	if grep -qF "version https://git-lfs" "$CORPUS/$1.dat"; then
		refused "$1" "Git LFS pointer" "git lfs pull"
	else
		refused "$1"
	fi
}

if [[ ! $CORPUS ]]; then
	echo 1..1
	unless "FCAP_TRACE_CORPUS is not set" "traces of other people" false
	exit
fi
shopt -s nullglob
traces=() others=()
for file in "$CORPUS"/*.dat; do
	name=$(basename -- "$file" .dat)
	if [[ -f ${file%.dat}.oracle.tsv ]]; then
		traces+=("$name")
	else
		others+=("$name")
	fi
done
echo 1..$((6 * ${#traces[@]} + ${#others[@]} + 1))
check "there are traces in FCAP_TRACE_CORPUS" test "${#traces[@]}" -gt 0
for name in "${traces[@]}"; do
	check "$name: records and stamps" counts_agree "$name"
	check "$name: time on CPU of each thread" runs_agree "$name"
	check "$name: time in the guest of each thread" guest_time_agrees "$name"
	check "$name: threads that left a CPU runnable" states_agree "$name"
	unless "$(why_no_second_opinion "$name")" "$name: the same records as libtracecmd" \
		is_read_as_libtracecmd_reads_it "$name"
	check "$name: a report, or which event it lacks" is_reported_or_refused "$name"
done
for name in "${others[@]}"; do
	check "$name: refused" no_trace_is_refused "$name"
done
