#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze audit on recordings of a host with SMT, core scheduling off and on: status, text, JSON.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
BED=tests/data/bed FCAP=tests/data/bed-fcap
OFF=$BED/bed-coresched-off.dat ON=$BED/bed-coresched-on.dat ONE=$BED/bed1-coresched-on.dat
# the host was emulated, so that a core takes long to change over
TWO_CORES=(--siblings '0-1;2-3' --tolerance 60ms)
ONE_CORE=(--siblings 0-1 --tolerance 60ms)

# audit STATUS [ARGUMENT...]: text in $DIR/out, JSON in $DIR/json, nothing on stderr
audit() {
	expect "$1" "$FANALYZE" audit --json "$DIR/json" "${@:2}" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && [[ -s $DIR/out ]]
}

# holds CONDITION: in the JSON of the last audit
holds() {
	jq -e "$1" "$DIR/json" >"$DIR/jq" && return
	echo "does not hold: $1"
	jq -c '.isolation | .sentence, .judged, .levels' "$DIR/json"
	return 1
}

# says LINE: the text of the last audit begins with it
says() {
	local line

	read -r line <"$DIR/out"
	[[ $line == "$1" ]] || cat "$DIR/out"
	[[ $line == "$1" ]]
}

# usage_error WORD [ARGUMENT...]
usage_error() {
	local line

	expect 2 "$FANALYZE" audit "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	[[ $line == "fanalyze audit: "*"$1"* ]]
}

wrong_values_are_refused() {
	local value

	for value in 50 0us -1us 1x ''; do
		usage_error --tolerance --tolerance "$value" "$OFF" || return
	done
	for value in -1 101 x 1% ''; do
		usage_error --max-violation --max-violation="$value" "$OFF" || return
	done
	for value in VM guests '' 1; do
		usage_error --between --between="$value" "$OFF" || return
	done
}

one_file_is_needed() {
	usage_error "trace.dat" && usage_error "one file" "$OFF" "$ON" &&
		usage_error --nothing --nothing "$OFF" &&
		expect 2 "$FANALYZE" audit "$DIR/none.dat" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/out" && is_one_line "$DIR/err" "fanalyze: $DIR/none.dat: "
}

# judged_is CO_RUN TRANSITION VIOLATION COUNT PERCENT: ms, within 10 us; percent times 100
judged_is() {
	holds ".isolation | def near(\$ns; \$ms): (\$ns / 1e6 - \$ms | fabs) < 0.01;
		near(.co_run_ns; $1) and near(.transition_ns; $2) and near(.violation_ns; $3) and
		.count == $4 and .unresolved_ns == 0 and (.judged_pct * 100 | round) == $5"
}

off_is_shared() {
	audit 3 "${TWO_CORES[@]}" "$OFF" && judged_is 5974.41 862.52 2616.74 260 4380 &&
		holds '.isolation | .verdict.word == "shared" and .applicable and .reason == null' &&
		says "Core scheduling is not acting as far as the trace shows; cookies are not told."
}

on_is_isolated() {
	audit 0 "${TWO_CORES[@]}" "$ON" && judged_is 5028.20 186.56 11.75 4 23 &&
		holds '.isolation.verdict.word == "isolated"' &&
		says "Core scheduling is acting as far as the trace shows; cookies are not told."
}

one_core_is_isolated() {
	audit 0 "${ONE_CORE[@]}" "$ONE" && judged_is 2978.55 54.45 0 0 0 &&
		holds '.isolation | .cores | length == 1 and .[0].cpus == [0, 1]'
}

# Off is what chance does: three and two vCPUs that all want to run, 48 and 60 %.
chance_is_beside_it() {
	audit 3 "${TWO_CORES[@]}" "$OFF" &&
		holds '.isolation | (.expected_pct - 48 | fabs) < 0.5 and
			(.expected_apart_pct - 60 | fabs) < 0.5 and
			(100 * (.violation_ns + .transition_ns) / .co_run_ns - .expected_apart_pct
				| fabs) < 3' &&
		grep -qF "Transitions included it was 58.24 %; by chance it would be 60.1 %." "$DIR/out"
}

# On an emulated host the default is too short: what is not resolved counts.
a_short_tolerance_leaves_much_unresolved() {
	audit 3 --siblings '0-1;2-3' "$ON" &&
		holds '.isolation | .tolerance_ns == 50000 and .violation_pct < 1 and .judged_pct > 1
			and .unresolved_ns > 100e6' &&
		grep -qF "it is the unresolved time that exceeds the limit" "$DIR/out"
}

the_limit_is_the_users() {
	audit 0 "${TWO_CORES[@]}" --max-violation 43.81 "$OFF" &&
		holds '.isolation.verdict.margin + 0 == 43.81' &&
		audit 3 "${TWO_CORES[@]}" --max-violation 43.79 "$OFF" &&
		audit 3 "${TWO_CORES[@]}" --max-violation 0.2 "$ON"
}

the_level_is_the_users() {
	audit 3 "${TWO_CORES[@]}" --between guest "$OFF" &&
		holds '.isolation | .level == "guest" and .co_run_ns == .levels[1].co_run_ns and
			.co_run_ns < .levels[0].co_run_ns' &&
		grep -qF "Two vCPUs, both in their guests," "$DIR/out" &&
		audit 4 "${TWO_CORES[@]}" --between cookie "$OFF" &&
		says "Cannot tell: cookies are not told."
}

unknown_siblings_are_not_0() {
	audit 4 "$OFF" && holds '.isolation | .verdict.word == "cannot_tell" and .co_run_ns == null and
		.violation_ns == null and .count == null and .levels == [] and .cores == []' &&
		says "Cannot tell: the trace does not say which CPUs are siblings; give --siblings."
}

without_smt_there_is_nothing_to_share() {
	audit 4 --siblings '0;1;2;3' "$OFF" && holds '.isolation | .applicable == false and
		.reason == "no SMT" and .co_run_ns == null' && says "Not applicable: no SMT." &&
		audit 4 samples/two-vms.dat
}

# CPUs i and i + 2 as one core: other pairs, so other numbers
siblings_far_apart_are_taken() {
	audit 3 --siblings '0,2;1,3' --tolerance 60ms "$OFF" &&
		holds '.isolation | [.cores[].cpus] == [[0, 2], [1, 3]] and .co_run_ns > 0 and
			([.first[] | .cpu_b - .cpu_a | fabs] | unique == [2])'
}

versions_agree() {
	local file

	for file in "$OFF" "${OFF%.dat}-v6.dat"; do
		audit 3 "${TWO_CORES[@]}" "$file" || return
		jq .isolation "$DIR/json" >"$DIR/${file##*/}"
	done
	diff "$DIR/bed-coresched-off.dat" "$DIR/bed-coresched-off-v6.dat"
}

# The parts are those of the whole.
sums_agree() {
	audit 3 "${TWO_CORES[@]}" "$OFF" &&
		holds '.isolation | .levels[0].violation_ns == .violation_ns and
			.violation_ns == ([.pairs[].total_ns] | add) and
			.transition_ns == ([.pairs[].transition_ns] | add) and
			.count == ([.pairs[].count] | add) and
			.count == ([.histogram[].count] | add) and
			(.first | length == 10 and (map(.ts_ns) | . == sort)) and
			.longest_ns >= ([.first[].ns] | max)' &&
		holds '[.isolation.cores[] | .idle_ns + .kernel_ns + ([.vms[]] | add) +
			.mixed_ns + .beside_ns + .other_ns + .unknown_ns] + [.period | .end_ns -
			.start_ns] | length == 3 and (unique | length) == 1'
}

# The stamp of the first one is that of an event of its thread, on its CPU.
stamps_are_those_of_trace_cmd() {
	local command

	audit 3 "${TWO_CORES[@]}" "$OFF" || return
	command=$(grep -A 1 '^  trace-cmd report ' "$DIR/out")
	echo "$command"
	bash -c "$command" >"$DIR/events" 2>"$DIR/err" || return
	cat "$DIR/events"
	grep -F " $(awk '/^ *stamp / { getline; print $1 }' "$DIR/out"):" "$DIR/events" |
		grep -E -e "$(jq -r '.isolation.first[0] | "-\(.tid_a) +\\[00\(.cpu_a)\\].*kvm_entry"' \
			"$DIR/json")"
}

text_agrees() {
	audit 3 "${TWO_CORES[@]}" "$OFF" || return
	jq -r '.isolation | "vm \(.count) \(.judged_pct)"' "$DIR/json" >"$DIR/numbers"
	awk 'NR == FNR { count = $2; pct = $3; next }
		$1 == "vm" && $6 == count { d = $NF - pct; found = d * d <= 0.0051 ^ 2 }
		END { exit !found }' "$DIR/numbers" "$DIR/out"
}

text_fits_a_terminal() {
	audit 3 "${TWO_CORES[@]}" "$OFF" || return
	LC_ALL=C awk 'length > 80 || /[ \t]$/ || /[^ -~]/ { bad = 1; print NR ": " $0 }
		END { exit bad || NR < 30 }' "$DIR/out" && (($(wc -l <"$DIR/out") <= 80))
}

json_alone_on_stdout() {
	expect 3 "$FANALYZE" audit --json - "${TWO_CORES[@]}" "$OFF" >"$DIR/out" &&
		jq -es 'length == 1 and .[0].schema == "fcap-report/1"' "$DIR/out"
}

# What cannot be written is no finding.
a_full_disk_is_no_verdict() {
	expect 1 "$FANALYZE" audit "${TWO_CORES[@]}" "$OFF" >/dev/full 2>"$DIR/err" &&
		[[ -s $DIR/err ]]
}

reports_have_the_short_form() {
	"$FANALYZE" report "${TWO_CORES[@]}" "$ON" >"$DIR/out" || return
	grep -A 5 '^Isolation: ' "$DIR/out"
	grep -q '^Isolation: core scheduling is acting as far as' "$DIR/out" &&
		"$FANALYZE" report --siblings '0;1;2;3' "$ON" >"$DIR/out" || return
	grep -q '^  cores    isolation: not applicable: no SMT$' "$DIR/out" &&
		! grep -q '^Isolation' "$DIR/out"
}

# A report as JSON is read again, verdict and all.
json_can_be_read_again() {
	audit 3 "${TWO_CORES[@]}" "$OFF" && cp "$DIR/json" "$DIR/off.json" &&
		audit 0 "${TWO_CORES[@]}" "$ON" && cp "$DIR/json" "$DIR/on.json" &&
		expect 0 "$FANALYZE" compare --config off "$DIR/off.json" --config on "$DIR/on.json" \
			>"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err"
}

groups_without_vcpus_are_open() {
	audit 4 --siblings 0-1 --vm a=comm:sh --vm 'b=comm:kvm-nx*' "$ONE" &&
		says "Cannot tell: no vCPU thread is seen."
}

# Recorded by fcap, so that siblings and cookies are in the file.
cookies_are_told() {
	local run

	for run in 11 21 32 222; do
		audit 3 --tolerance 60ms "$FCAP/$run-off-1.dat" &&
			says "Core scheduling is not acting: no cookies set." &&
			holds '.isolation | .cookies == "none" and .count > 100' &&
			audit 0 --tolerance 60ms "$FCAP/$run-on-1.dat" &&
			says "Core scheduling is acting." &&
			holds '.isolation | .cookies == "apart" and .judged_pct < 0.2 and
				.forced_idle.total_ns > 100e6' ||
			return
	done
}

# One cookie for each VM: the same, but for the time before they were set; or no cookies at all.
cookies_and_vms_agree() {
	audit 0 --tolerance 60ms --between cookie "$FCAP/32-on-1.dat" &&
		holds '.isolation.levels | .[2].co_run_ns > 0.9 * .[0].co_run_ns and
			.[2].co_run_ns <= .[0].co_run_ns and
			.[2].transition_ns > 0.9 * .[0].transition_ns and
			.[2].transition_ns <= .[0].transition_ns' &&
		audit 4 --between cookie "$FCAP/32-off-1.dat" &&
		says "Not put to the test: no core was used by vCPUs with different cookies."
}

what_is_only_slow_is_called_slow() {
	audit 3 "$FCAP/32-on-1.dat" && holds '.isolation | .violation_pct < 1 and .judged_pct > 1' &&
		grep -q '^Core scheduling acts too slowly: ' "$DIR/out"
}

echo 1..25
check "wrong values of its options are usage errors" wrong_values_are_refused
check "one file is needed, and one that is there" one_file_is_needed
check "without core scheduling VMs shared cores: status 3" off_is_shared
check "with core scheduling they did not: status 0" on_is_isolated
check "VMs that take turns on one core are kept apart: status 0" one_core_is_isolated
check "where cookies are told the sentence goes by them" cookies_are_told
check "cookies can be judged in place of VMs" cookies_and_vms_agree
check "what only takes longer than the tolerance is not called inactive" \
	what_is_only_slow_is_called_slow
check "what chance would do stands beside it" chance_is_beside_it
check "time that is not resolved counts against isolation" a_short_tolerance_leaves_much_unresolved
check "--max-violation sets the limit" the_limit_is_the_users
check "--between sets the level" the_level_is_the_users
check "where siblings are unknown nothing is 0: status 4" unknown_siblings_are_not_0
check "without SMT it is not applicable: status 4" without_smt_there_is_nothing_to_share
check "siblings need not be neighbours" siblings_far_apart_are_taken
check "versions 6 and 7 give the same audit" versions_agree
check "pairs, lengths and cores add up" sums_agree
check "its command line shows the event with the stamp" stamps_are_those_of_trace_cmd
check "text and JSON agree" text_agrees
check "the text fits 80 columns and a page or two" text_fits_a_terminal
check "--json - prints the report and nothing else" json_alone_on_stdout
check "a result that cannot be written is no verdict" a_full_disk_is_no_verdict
check "a report has the sentence, or one line beside the method" reports_have_the_short_form
check "its JSON can be compared" json_can_be_read_again
check "groups without vCPUs are nothing to audit" groups_without_vcpus_are_open
