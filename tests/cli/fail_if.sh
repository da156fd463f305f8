#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --fail-if of report, audit, compare and scores: exit status and sentences, for checks by machines.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TRACE=samples/two-vms.dat
OFF=tests/data/bed/bed-coresched-off.dat
RUNS=$DIR/runs
mkdir "$RUNS" && awk -v dir="$RUNS" -v n=6 -v configs="off on" -v seed=1 \
	-f tests/lib/make_reports.awk || exit 1
"$FANALYZE" report --json "$DIR/report.json" "$TRACE" >"$DIR/report.txt" || exit 1
VM=$(jq -r '.groups[0].name' "$DIR/report.json")
SHARE=$(jq -r '.groups[0].share.value' "$DIR/report.json")

# ends STATUS ARGUMENT...: with what is on stdout and stderr in $DIR/out, $DIR/err
ends() {
	expect "$1" "$FANALYZE" "${@:2}" >"$DIR/out" 2>"$DIR/err" || { cat "$DIR/err" && return 1; }
}

# says WORDS...: the one line on stderr has them all
says() {
	local words

	is_one_line "$DIR/err" "fanalyze: --fail-if \"" || return
	for words; do
		grep -qF -- "$words" "$DIR/err" || { echo "not: $words" && cat "$DIR/err" && return 1; }
	done
}

# The report is as without the option, but for the command that it tells.
report_is_there() {
	diff <(sed '/^  by  /,$d' "$DIR/report.txt") <(sed '/^  by  /,$d' "$DIR/out")
}

holds_is_3() {
	ends 3 report --fail-if "groups[$VM].share.value > 0" "$TRACE" && report_is_there &&
		says "groups[$VM].share.value > 0\" holds: it is ${SHARE:0:8}"
}

holds_not_is_0() {
	ends 0 report --fail-if "groups[$VM].share.value <= 0" "$TRACE" && report_is_there &&
		is_empty "$DIR/err"
}

# the trace tells of no work
null_is_4() {
	ends 4 report --fail-if 'work[vm1].rate.value < 3' "$TRACE" && report_is_there &&
		says "work[vm1].rate.value does not exist in this result"
}

every_condition_is_told() {
	ends 3 report --fail-if 'work[vm1].rate.value < 3' --fail-if 'groups[0].share.value > 0' \
		--fail-if 'groups[1].share.value < 0' --fail-if 'groups[1].share.value > 0' "$TRACE" &&
		(($(wc -l <"$DIR/err") == 3)) && (($(grep -c " holds: it is " "$DIR/err") == 2)) &&
		(($(grep -c " cannot be judged: " "$DIR/err") == 1))
}

# Before the trace is read: it is not even there.
usage_error() {
	ends 2 report --json "$DIR/json" --fail-if "$1" "$DIR/none.dat" && is_empty "$DIR/out" &&
		head -1 "$DIR/err" && grep -qF -- "$2" "$DIR/err" && [[ ! -e $DIR/json ]]
}

unknown_paths_name_the_nearest_field() {
	usage_error 'nix > 3' 'no "nix"; fanalyze schema lists what there is' &&
		usage_error 'groups[vm1].devation.value > 3' 'did you mean "deviation"?' &&
		usage_error 'fairnes.jain.value < 0.9' 'did you mean "fairness"?' &&
		usage_error 'groups[vm1].share < 3' 'did you mean "groups[vm1].share.value"?'
}

what_is_no_condition_is_refused() {
	usage_error '' "PATH OP NUMBER is needed" && usage_error 'quality.lost' "PATH OP NUMBER" &&
		usage_error 'quality.lost > few' "a number is needed after >" &&
		usage_error 'max(groups) > 3' 'no "max(groups)"'
}

unknown_names_tell_what_there_is() {
	ends 2 report --fail-if 'groups[nobody].share.value > 3' "$TRACE" && report_is_there &&
		says "there is no \"nobody\" in groups, but " "$VM"
}

json_alone_stays_alone() {
	ends 3 report --json - --fail-if 'quality.lost >= 0' "$TRACE" && says "holds" &&
		jq -e '.schema == "fcap-report/1"' "$DIR/out"
}

# OFF: its own status is 3 with the siblings told, and 4 without
audit_keeps_its_own_status() {
	ends 3 audit --siblings '0-1;2-3' "$OFF" && is_empty "$DIR/err" &&
		ends 3 audit --siblings '0-1;2-3' --fail-if 'isolation.violation_pct < 0' "$OFF" &&
		is_empty "$DIR/err" &&
		ends 3 audit --siblings '0-1;2-3' --fail-if 'isolation.violation_pct > 1' "$OFF" &&
		says "isolation.violation_pct > 1\" holds" &&
		ends 4 audit "$OFF" && is_empty "$DIR/err" &&
		ends 3 audit --fail-if 'quality.events > 0' "$OFF" && says "holds" &&
		ends 4 audit --fail-if 'isolation.violation_pct > 1' "$OFF" && says "does not exist" &&
		ends 2 audit --fail-if 'groups[nobody].vcpus > 1' "$OFF"
}

# The first gap of the made-up runs is between the VMs without core scheduling.
comparisons_have_conditions() {
	ends 3 compare --by core_sched --fail-if 'configurations[on].runs == 6' \
		--fail-if 'gaps[0].est.n > 1000' "$RUNS"/*.json &&
		says "configurations[on].runs == 6\" holds: it is 6" &&
		ends 2 compare --by core_sched --fail-if 'configuration[on].runs == 6' "$RUNS"/*.json &&
		grep -q 'did you mean "configurations"?' "$DIR/err" &&
		ends 2 compare --by core_sched --fail-if 'gaps[between_vm].est.value > 0' \
			"$RUNS"/*.json && says "choose one by its number"
}

scores_have_conditions() {
	ends 3 scores --fail-if 'gaps[0].est.value > -1000' samples/scores-2021.csv && says "holds" &&
		ends 0 scores --fail-if 'gaps[0].est.value < -1000' samples/scores-2021.csv &&
		is_empty "$DIR/err"
}

# What could not be done is no finding.
refusals_go_first() {
	ends 2 report --fail-if 'quality.lost >= 0' "$DIR/none.dat" &&
		! grep -q "fail-if" "$DIR/err" || return
	[[ -c /dev/full ]] || return 0
	expect 1 "$FANALYZE" report --fail-if 'quality.lost >= 0' "$TRACE" >/dev/full 2>"$DIR/err" &&
		! grep -q "fail-if" "$DIR/err"
}

echo 1..13
check "a condition that holds is status 3 and one sentence" holds_is_3
check "one that does not hold is status 0" holds_not_is_0
check "a value that does not exist is status 4" null_is_4
check "each condition has its sentence, and what holds goes before what is open" \
	every_condition_is_told
check "an unknown path is refused before the analysis, with the nearest field" \
	unknown_paths_name_the_nearest_field
check "what is no condition is refused before the analysis" what_is_no_condition_is_refused
check "an unknown name is refused with the names that are there" unknown_names_tell_what_there_is
check "JSON on standard output stays alone" json_alone_stays_alone
check "audit keeps its own status" audit_keeps_its_own_status
check "compare has conditions" comparisons_have_conditions
check "scores has conditions" scores_have_conditions
check "what the system or the file refuses goes first" refusals_go_first
check "a condition may have no blanks, and a bracket any name" \
	ends 3 report --vm 'a > b=tgid:96' --vm c=tgid:97 --fail-if 'groups[a > b].run_ns>0' "$TRACE"
