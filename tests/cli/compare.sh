#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze compare: traces and reports of two small KVM guests, and reports of made-up runs.
# shellcheck disable=SC2016 # the variables in single quotes are those of jq
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
OFF=tests/data/bed/bed-coresched-off.dat
ON=tests/data/bed/bed-coresched-on.dat
GOLDEN=tests/data/compare
RUNS=$DIR/runs
mkdir "$RUNS" || exit 1

# make_runs DIRECTORY N CONFIGURATIONS SEED
make_runs() {
	mkdir -p "$1" && awk -v dir="$1" -v n="$2" -v configs="$3" -v seed="$4" \
		-f tests/lib/make_reports.awk
}
make_runs "$RUNS" 6 "off on" 1 || exit 1

# json ARGUMENT...: the comparison in $DIR/json, and nothing on stderr
json() {
	expect 0 "$FANALYZE" compare --json - "$@" >"$DIR/json" 2>"$DIR/err" &&
		is_empty "$DIR/err"
}

# holds CONDITION: in the comparison that json() made
holds() {
	jq -e "$1" "$DIR/json" >"$DIR/jq" && return
	echo "does not hold: $1"
	head -c 500 "$DIR/jq"
	return 1
}

# has_keys PATH KEY...: in every object at the path
has_keys() {
	local IFS=,

	holds "[$1 | keys] | length > 0 and all(. as \$has | (\"${*:2}\" / \",\") - \$has == [])"
}

shape_is_that_of_the_design() {
	json --by core_sched "$RUNS"/*.json && holds '.schema == "fcap-compare/1"' &&
		has_keys . schema tool level margin by paired baseline configurations gaps runs notes &&
		has_keys .tool name version command &&
		has_keys '.configurations[]' label runs total isolation jain groups &&
		has_keys '.configurations[].total' unit mean cpus efficiency forced_idle &&
		has_keys '.configurations[].isolation' isolated shared untested cannot_tell \
			not_applicable not_told word reason level judged_pct worst_pct worst &&
		has_keys '.configurations[].groups[]' name n total mean cpus efficiency share \
			share_window_mean expected_pct deviation forced_idle verdict &&
		has_keys '.gaps[]' name a b config per est p p_adj verdict runs_needed p_min &&
		holds '[.gaps[].name] | unique == (["between_vm", "coresched_change",
			"gap_change_ratio", "gap_change_pp", "share_change_pp",
			"deviation_change_pp", "cpu_time_change", "efficiency_change",
			"forced_idle_change"] | sort)' &&
		holds '[.gaps[] | select(.name == "coresched_change") | .per] ==
			["vm1", "vm2", "total"]' &&
		holds '[.. | objects | select(has("se")) | keys == ["df", "flags", "hi", "hi_adj",
			"level", "lo", "lo_adj", "m", "method", "n", "se", "unit", "value"]] | all' &&
		holds '[.gaps[] | .verdict | keys == ["indicative", "margin", "reasons", "word"]] | all'
}

# The comparison without the names of its files
without_names() {
	jq 'del(.tool.command, .runs[].name) | .notes[] |= sub("\\(.*\\)"; "")' "$DIR/json"
}

# A report that fanalyze wrote counts as its trace does.
traces_and_reports_are_alike() {
	expect 0 "$FANALYZE" report --json "$DIR/on.json" "$ON" >"$DIR/out" &&
		json --config off "$OFF" --config on "$ON" &&
		without_names >"$DIR/traces" &&
		json --config off "$OFF" --config on "$DIR/on.json" &&
		without_names | diff "$DIR/traces" - &&
		holds '.runs | length == 2 and (map(.config) == ["off", "on"])'
}

# One run of each: what can be said of each alone, and no more.
one_run_of_each_says_what_is_missing() {
	json --config off "$OFF" --config on "$ON" &&
		holds '[.gaps[] | select(.name == "cpu_time_change") | .est.lo == null and
			.verdict.word == null and (.est.flags | index("ci_none:one_run") != null)]
			| length == 3 and all' &&
		holds '[.gaps[] | select(.name == "share_change_pp") | .est.lo != null and
			.verdict.indicative] | length == 2 and all' &&
		holds '[.notes[] | select(test("on has one run"))] | length == 1' &&
		expect 0 "$FANALYZE" compare --config off "$OFF" --config on "$ON" >"$DIR/out" &&
		grep -q "five or more of each" <(tr -s ' \n' ' ' <"$DIR/out")
}

# fits ARGUMENT...: no line over 80 columns, nothing but printable ASCII
fits() {
	expect 0 "$FANALYZE" compare "$@" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" || return
	LC_ALL=C awk 'length > 80 || /[ \t]$/ || /[^ -~]/ { bad = 1; print NR ": " $0 }
		END { exit bad || NR < 30 }' "$DIR/out"
}

text_fits_a_terminal() {
	fits --config off "$OFF" --config on "$ON" && fits --by core_sched "$RUNS"/*.json &&
		fits --all --config off "$OFF" --config on "$ON" &&
		fits --all --by core_sched "$RUNS"/*.json
}

# two configurations of two VMs: all of it, with the sign of a loss said once
one_page_is_the_answer() {
	local words

	fits --by core_sched "$RUNS"/*.json && (($(wc -l <"$DIR/out") <= 60)) || return
	for words in "^Isolation: " "^Throughput: score" "^CPU time: " "^Efficiency: " \
		"^Fairness: " "^Gap between VMs: score" "^Forced idle: " "^Runs: " "^Method: 95 %"; do
		grep -q "$words" "$DIR/out" || { echo "nothing begins with $words" && return 1; }
	done
	(($(grep -c "below 0 is a loss" "$DIR/out") == 1)) &&
		(($(grep -c "^  total  .*%.*material" "$DIR/out") == 2)) &&
		fits --config off "$OFF" --config on "$ON" && (($(wc -l <"$DIR/out") <= 60)) &&
		grep -q "^Forced idle: not known of both sides$" "$DIR/out" &&
		fits --siblings "0-1;2-3" --config off "$OFF" --config on "$ON" &&
		grep -q "^Forced idle: % of the time a VM wanted" "$DIR/out"
}

isolation_is_told_by_configuration() {
	make_runs "$DIR/apart" 3 "off on nosmt" 5 &&
		json --by core_sched "$DIR"/apart/*.json && holds '.configurations |
			map({"key": .label, "value": .isolation}) | from_entries |
			.off.shared == 3 and .off.word == "shared" and .off.judged_pct.value > 30 and
			.on.isolated == 3 and .on.level == "vm" and
			.nosmt.not_applicable == 3 and .nosmt.judged_pct.value == null and
			.nosmt.worst_pct == null and .nosmt.reason == "no SMT"' &&
		fits --by core_sched "$DIR"/apart/*.json &&
		grep -q "^  nosmt: not applicable in all runs (no SMT)$" "$DIR/out" || return
	jq '.isolation.verdict.word = "shared" | .isolation.judged_pct = 7 |
		.isolation.tolerance_ns = 60000000' "$DIR/apart/on-2.json" >"$DIR/apart/other.json" &&
		rm "$DIR/apart/on-2.json" && fits --by core_sched "$DIR"/apart/*.json &&
		grep -q "^  on: its runs disagree: isolated in 2 of 3, shared in 1 of 3; " "$DIR/out" &&
		grep -q "worst 7 % (other.json)" <(tr -s ' \n' ' ' <"$DIR/out") &&
		grep -q "50.00 us in 5 runs, 60.00 ms in 1 run" <(tr -s ' \n' ' ' <"$DIR/out")
}

# samples/run-vms.sh labels its runs so
cookies_by_vm_and_by_vcpu_are_compared_with_off() {
	make_runs "$DIR/cookies" 5 "vcpu off vm" 11 && json --by core_sched "$DIR"/cookies/*.json &&
		holds '.baseline == "off" and ([.gaps[] | select(.name == "coresched_change") | .a] ==
			["vcpu", "vcpu", "vcpu", "vm", "vm", "vm"])' &&
		fits --by core_sched "$DIR"/cookies/*.json && grep -q "^vm over off, 5 and 5 runs" "$DIR/out" &&
		grep -q "^vcpu over off, 5 and 5 runs" "$DIR/out"
}

the_answer_comes_first() {
	expect 0 "$FANALYZE" compare --by core_sched "$RUNS"/*.json >"$DIR/out" || return
	head -3 "$DIR/out"
	[[ $(head -2 "$DIR/out" | tr '\n' ' ') == "on over off: the total score changed by -"*" %"* ]] &&
		grep -q "^Of its factors, CPU time changed by " "$DIR/out"
}

# golden NAME [OPTION...]: what it prints is the file of this name; the version is not part of it,
# nor are digits that another C library may round otherwise
golden() {
	(cd "$RUNS" && expect 0 "$FANALYZE" compare --by core_sched ./*.json "${@:2}") |
		sed 's/^\(% by fanalyze \)[^:]*/\1X/; s/^\(  by       fanalyze \)[^:]*/\1X/' |
		awk -F , -v OFS=, '{ for (i = 1; i <= NF; i++)
			if ($i ~ /^-?[0-9]+\.[0-9e+-]*$/) $i = sprintf("%.10g", $i) } 1' >"$DIR/got"
	diff "$GOLDEN/$1" "$DIR/got"
}

csv_is_rectangular() {
	expect 0 "$FANALYZE" compare --by core_sched --csv - "$RUNS"/*.json >"$DIR/csv" || return
	python3 - "$DIR/csv" <<'END'
import csv, sys
rows = list(csv.reader(open(sys.argv[1], newline="")))
assert len(rows) > 30, len(rows)
assert {len(row) for row in rows} == {len(rows[0])}
at = {name: i for i, name in enumerate(rows[0])}
total = [r for r in rows if r[at["name"]] == "coresched_change" and r[at["per"]] == "total"]
assert len(total) == 1 and -12 < float(total[0][at["est.value"]]) < -8, total
END
}

# computed_anew FILE...: an independent program finds the same
computed_anew() {
	json "$@" && python3 tests/lib/compare_check.py "$DIR/json"
}

# Runs of unequal number, one missing, a third configuration, other options.
computed_anew_with_gaps() {
	make_runs "$DIR/three" 5 "off on nosmt" 77 && rm -f "$DIR/three/on-3.json" &&
		computed_anew --by core_sched --level 0.9 --margin 5 "$DIR"/three/*.json &&
		computed_anew --by core_sched --paired block "$DIR"/three/*.json &&
		holds '[.gaps[] | select(.name == "config_change") | .a] == ["nosmt", "nosmt", "nosmt"]' &&
		holds '[.notes[] | select(test("1 of 5 blocks"))] | length == 1'
}

# The check has to be able to fail.
a_wrong_number_is_found() {
	json --by core_sched "$RUNS"/*.json &&
		jq '(.gaps[] | select(.per == "total") | .est.hi) |= . + 1e-6' "$DIR/json" \
			>"$DIR/wrong" || return
	! python3 tests/lib/compare_check.py "$DIR/wrong"
}

# Each of 200 hosts wrote its report.
many_reports_are_compared() {
	make_runs "$DIR/many" 100 "off on" 7 && json --by core_sched "$DIR"/many/*.json &&
		holds '[.configurations[].runs] == [100, 100] and (.runs | length == 200)' &&
		holds '[.gaps[] | select(.name == "coresched_change") | .est.n == 200 and
			.est.value < -4 and .verdict.indicative == false] | all' &&
		fits --by core_sched "$DIR"/many/*.json && grep -q " and 80 more$" "$DIR/out" &&
		fits --all --by core_sched "$DIR"/many/*.json &&
		grep -q "more rows, all of them in the JSON" "$DIR/out"
}

# Files belong to the --config before them, wherever other options stand.
files_belong_to_their_config() {
	json --config b "$RUNS"/off-1.json "$RUNS"/off-2.json --margin 5 "$RUNS"/off-3.json \
		--config a "$RUNS"/on-*.json --config b "$RUNS"/off-4.json &&
		holds '[.configurations[] | {"label": .label, "runs": .runs}] ==
			[{"label": "b", "runs": 4}, {"label": "a", "runs": 6}]' &&
		holds '.margin == 5 and .by == null and .baseline == "b"' &&
		json --baseline a --config b "$RUNS"/off-*.json --config a "$RUNS"/on-*.json &&
		holds '.baseline == "a" and ([.gaps[] | select(.name == "config_change") | .b == "a"] | all)'
}

# made: off and on in turns, so that nothing is confounded; told in another order, all of off first
the_order_of_runs_is_told() {
	local i

	json --by core_sched "$RUNS"/*.json &&
		holds '[.gaps[].est.flags[] | select(. == "confounded_with_time")] == []' || return
	mkdir -p "$DIR/late" || return
	for i in 1 2 3 4 5 6; do
		jq ".source.labels.order = \"$i\"" "$RUNS/off-$i.json" >"$DIR/late/off-$i.json" &&
			jq ".source.labels.order = \"1$i\"" "$RUNS/on-$i.json" >"$DIR/late/on-$i.json" ||
			return
	done
	json --by core_sched "$DIR"/late/*.json &&
		holds '[.gaps[] | select(.name == "coresched_change") | .verdict.indicative and
			(.est.flags | index("confounded_with_time") != null)] | all'
}

files_beside_the_text() {
	local dir=$DIR/beside

	rm -rf "$dir" && mkdir "$dir" &&
		expect 0 "$FANALYZE" compare --by core_sched --json "$dir/c.json" --csv "$dir/c.csv" \
			--tex "$dir/c.tex" "$RUNS"/*.json >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && jq -e '.schema == "fcap-compare/1"' "$dir/c.json" &&
		head -1 "$dir/c.csv" | grep -q '^name,a,b,config,per,' &&
		grep -q '\\toprule' "$dir/c.tex" && grep -q '^on over off: ' "$DIR/out" || return
	# shellcheck disable=SC2012 # the names are known
	[[ $(ls "$dir" | tr '\n' ' ') == "c.csv c.json c.tex " ]]
}

# refused STATUS WORDS ARGUMENT...: with nothing on stdout
refused() {
	expect "$1" "$FANALYZE" compare "${@:3}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" ||
		return
	cat "$DIR/err"
	grep -qF -- "$2" <(head -1 "$DIR/err")
}

wrong_arguments_are_refused() {
	refused 2 "a trace.dat or report is needed" &&
		refused 2 "of which configuration" "$OFF" &&
		refused 2 "of which configuration" "$OFF" --config on "$ON" &&
		refused 2 "--config none: no file follows it" --config none --config on "$ON" &&
		refused 2 "--config none: no file follows it" --config on "$ON" --config none &&
		refused 2 "not both" --by core_sched --config on "$ON" &&
		refused 2 "named twice" --config off "$OFF" --config on "$OFF" &&
		refused 2 "the name is empty" --config "" "$OFF" &&
		refused 2 "can be -" --config off "$OFF" --json - --csv - &&
		refused 2 "--baseline none" --baseline none --config off "$OFF" &&
		refused 2 "no label \"core_sched\"" --by core_sched "$OFF" &&
		refused 2 "both of configuration" --by core_sched --paired core_sched "$RUNS"/*.json &&
		refused 2 "--level" --level 95 --config off "$OFF"
}

wrong_files_are_refused() {
	echo '{"schema": "fcap-info/1"}' >"$DIR/info.json"
	echo '{"schema": "fcap-report/1", "groups": [{"name": 3}]}' >"$DIR/type.json"
	echo '{"schema": "fcap-report/1", "groups": []}' >"$DIR/none.json"
	head -c 3000 "$RUNS/off-1.json" | head -c 600 >"$DIR/cut.json"
	echo "some text" >"$DIR/text"
	refused 2 "this is fcap-info/1" --config off "$DIR/info.json" &&
		refused 2 "at groups[0].name: a string" --config off "$DIR/type.json" &&
		refused 2 "no group of threads" --config off "$DIR/none.json" &&
		refused 2 "no whole JSON" --config off "$DIR/cut.json" &&
		refused 2 "$DIR/text: " --config off "$OFF" --config on "$DIR/text" &&
		refused 2 "$DIR/missing" --config off "$DIR/missing"
}

no_file_of_a_refused_comparison_is_left() {
	mkdir "$DIR/left" && refused 2 "fcap-info/1" --json "$DIR/left/c.json" --config off "$OFF" \
		"$DIR/info.json" && holds_only "$DIR/left"
}

a_full_disk_is_told() {
	expect 1 "$FANALYZE" compare --by core_sched "$RUNS"/*.json --csv - >/dev/full 2>"$DIR/err" &&
		cat "$DIR/err" && is_one_line "$DIR/err" "fanalyze: standard output: "
}

no_python=''
command -v python3 >/dev/null || no_python="python3 is not installed"

echo 1..24
check "the JSON has the keys and gaps of fcap-compare/1" shape_is_that_of_the_design
check "a report counts as its trace does" traces_and_reports_are_alike
check "one run of each has no interval over runs, and says so" one_run_of_each_says_what_is_missing
check "the text fits 80 columns of ASCII" text_fits_a_terminal
check "the answer comes first, with its two factors" the_answer_comes_first
check "one page is the answer" one_page_is_the_answer
check "the isolation of each configuration is told, never as 0" isolation_is_told_by_configuration
check "cookies by VM and by vCPU are compared with off" \
	cookies_by_vm_and_by_vcpu_are_compared_with_off
check "the text is what it was" golden compare.txt
check "so are the tables behind it" golden compare-all.txt --all
check "the CSV is what it was" golden compare.csv --csv -
check "the LaTeX is what it was" golden compare.tex --tex -
unless "$no_python" "the CSV has one number of columns and the right total" csv_is_rectangular
unless "$no_python" "every number is found anew from the runs" \
	computed_anew --by core_sched "$RUNS"/*.json
unless "$no_python" "so it is with blocks, missing runs and three configurations" \
	computed_anew_with_gaps
unless "$no_python" "a wrong number would be found" a_wrong_number_is_found
check "200 reports are compared" many_reports_are_compared
check "files belong to the --config before them" files_belong_to_their_config
check "runs made one configuration after the other are confounded" the_order_of_runs_is_told
check "--json, --csv and --tex FILE come beside the text" files_beside_the_text
check "wrong arguments are refused" wrong_arguments_are_refused
check "wrong files are refused by name" wrong_files_are_refused
check "of a refused comparison no file is left" no_file_of_a_refused_comparison_is_left
check "a full disk is told" a_full_disk_is_told
