#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze report on traces of two small KVM guests, in version 6 and in version 7 (zstd).
# tests/data/bed/coresidency.txt has the CPU seconds that another program found in them.
# shellcheck disable=SC2016 # the variables in single quotes are those of jq
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
BED=tests/data/bed
RUNS=(bed-coresched-off bed-coresched-on bed1-coresched-on)
FILES=()
for run in "${RUNS[@]}"; do
	FILES+=("$BED/$run.dat" "$BED/$run-v6.dat")
done
OFF=$BED/bed-coresched-off.dat

# json FILE [OPTION...]: its report in $DIR/json, and nothing on stderr
json() {
	expect 0 "$FANALYZE" report --json - "${@:2}" "$1" >"$DIR/json" 2>"$DIR/err" &&
		is_empty "$DIR/err"
}

# holds CONDITION: in the report that json() made
holds() {
	jq -e "$1" "$DIR/json" >"$DIR/jq" && return
	echo "does not hold: $1"
	head -c 500 "$DIR/jq"
	return 1
}

# The seconds of each vCPU thread, "tid vcpu seconds", by the name of the run.
reference_seconds() {
	awk -v run="$1.dat:" '
		FNR == NR { tid[$1 "/" $3] = $4; next }
		/^[^ ]*\.dat:/ { is_run = $1 == run }
		is_run && /^vcpu cpu seconds:/ {
			for (i = 4; i < NF && $i != "|"; i += 2)
				print tid[$i], substr($i, index($i, "/") + 1), $(i + 1)
		}' "$BED/$1.tids" "$BED/coresidency.txt" | sort -n
}

run_time_is_the_reference() {
	local run=${1##*/}

	run=${run%.dat}
	reference_seconds "${run%-v6}" >"$DIR/reference"
	json "$1" && jq -r '.groups[].threads[] | select(.vcpu != null)
		| "\(.tid) \(.vcpu) \(.run_ns)"' "$DIR/json" | sort -n >"$DIR/ours" || return
	paste "$DIR/reference" "$DIR/ours"
	paste -d ' ' "$DIR/reference" "$DIR/ours" | awk '
		NF != 6 || $1 != $4 || $2 != $5 { bad = 1 }
		{ d = $3 - $6 / 1e9; if (d < 0) d = -d; if (d > 0.0051) bad = 1 }
		END { exit bad || NR < 4 }'
}

vcpus_are_grouped_by_vm() {
	local run=${1##*/}

	run=${run%.dat}
	awk '{ of[$1] = of[$1] " " $4 } END { for (vm in of) print substr(of[vm], 2) }' \
		"$BED/${run%-v6}.tids" | sort >"$DIR/reference"
	json "$1" && jq -r '.groups[] | [.threads[] | select(.vcpu != null) | .tid] | sort
		| map(tostring) | join(" ")' "$DIR/json" | sort | diff "$DIR/reference" -
}

versions_agree() {
	local file

	for file in "$BED/$1.dat" "$BED/$1-v6.dat"; do
		json "$file" && holds ".source.file == \"$file\"" || return
		jq 'del(.source.file, .source.checksum, .tool.command)' "$DIR/json" >"$DIR/${file##*/}" || return
	done
	diff "$DIR/$1.dat" "$DIR/$1-v6.dat"
}

# No thread has more time than there was, and groups are the sums of their threads.
time_is_conserved() {
	json "$1" && holds '(.period.end_ns - .period.start_ns) as $all | $all > 0 and
		([.groups[].threads[] | .run_ns + .wait_ns + (.halted_ns // 0) + .blocked_ns +
			.unsplit_ns - (.unsplit_run_ns // 0) + .unknown_ns
			| . > 0 and . <= $all] | all)' &&
		holds '[.groups[].threads[] | select(.vcpu != null) | .run_ns == (.guest_ns // 0) +
			(.host_ns // 0) + (.poll_ns // 0) + (.vmm_ns // 0) + (.in_kvm_run_ns // 0) +
			(.unsplit_run_ns // 0)] | all' &&
		holds '[.groups[] | .waited_for as $w | .wait_ns == ([$w.groups[]] | add) + $w.self_ns +
			$w.host_ns + $w.throttled_or_contended_ns + $w.forced_idle_ns + $w.idle_ns +
			$w.unknown_ns] | all' &&
		holds '[.groups[] | . as $g |
			("run_ns", "wait_ns", "blocked_ns", "unsplit_ns", "unknown_ns") as $key
			| $g[$key] == ([.threads[][$key]] | add)] | all' &&
		holds '[.groups[] | .vcpu_run_ns ==
			([.threads[] | select(.vcpu != null) | .run_ns] | add)] | all' &&
		holds '([.groups[].run_ns] | add) <=
			.source.cpus * (.period.end_ns - .period.start_ns)' &&
		holds '.period | .windows > 0 and .overlap.from_ns >= .start_ns and
			.overlap.to_ns <= .end_ns and
			.windows * .window_ns <= .overlap.to_ns - .overlap.from_ns'
}

shares_add_up() {
	json "$1" && holds '[.groups[].share.value] | length == 2 and (add - 100 | fabs) < 1e-9' &&
		holds '[.groups[].expected_pct] | (add - 100 | fabs) < 1e-9' &&
		holds '[.groups[] | .share.value - .expected_pct - .deviation.value | fabs < 1e-9]
			| all' &&
		holds '[.groups[] | .share_bounds.lo <= .share.value + 1e-9 and
			.share.value <= .share_bounds.hi + 1e-9] | all' &&
		holds '[.groups[].share.value] | . == (sort | reverse)'
}

# What is due to VMs without weights goes by their vCPUs, which is 3 to 2, and 2 to 2.
# all vCPUs nearly always want to run
due_goes_by_vcpus() {
	json "$1" && holds '([.groups[].vcpus] | add) as $all |
		.period.expected_method == "demand" and
		([.groups[] | .expected_pct - 100 * .vcpus / $all | fabs < 1] | all)'
}

# Those of the groups, Jain's index and the worst pair's ratio.
estimates_are_whole() {
	json "$1" && holds '[.groups[] | .share, .deviation] as $known |
		[.. | objects | select(has("se") or has("lo_adj"))] as $found |
		($found | length) == ($known | length) + 2 and
		([$found[], $known[] | keys == ["df", "flags", "hi", "hi_adj", "level", "lo",
			"lo_adj", "m", "method", "n", "se", "unit", "value"]] | all)' &&
		holds '[.groups[] | .share, .deviation |
			(.value, .se, .lo, .hi, .df, .level | type == "number"),
			(.lo_adj <= .lo and .lo < .value and .value < .hi and .hi <= .hi_adj),
			(.flags | type == "array" and all(type == "string")),
			(.m == 2 and .level + 0 == 0.95 and .method == "pw-ewc")] | all' &&
		holds '.period.windows as $n | [.groups[] | .share, .deviation | .n == $n] | all' &&
		holds '[.groups[] | .share.unit == "percent" and .deviation.unit == "points"] | all'
}

verdicts_are_whole() {
	json "$1" && holds '[.groups[].verdict |
		keys == ["indicative", "margin", "reasons", "word"] and
		(.word | . == null or IN("unfair", "fair", "off", "inconclusive")) and
		(.indicative | type) == "boolean" and .margin == 3 and
		(.reasons | type == "array" and all(type == "string")) and
		(.indicative and .word != null and .reasons != [])] | all'
}

# has_keys PATH KEY...: in every object at the path
has_keys() {
	local IFS=,

	holds "[$1 | keys] | length > 0 and all(. as \$has | (\"${*:2}\" / \",\") - \$has == [])"
}

shape_is_kept() {
	json "$1" && holds '.schema == "fcap-report/1"' &&
		has_keys . schema tool source host period quality groups fairness work scores series \
			flags &&
		has_keys .tool name version command &&
		has_keys .source file checksum kernel clock clock_skew_ns cpus labels &&
		has_keys .host smt cores overcommit &&
		has_keys .period start_ns end_ns overlap window_ns windows expected_method entity_rule &&
		has_keys .period.overlap from_ns to_ns cut_pct &&
		has_keys .quality events lost gaps unknown_ns unknown_pct verdict notes &&
		has_keys '.groups[]' name kind tgid cgroup weight cap_cpus vcpus run_ns vcpu_run_ns \
			guest_ns host_ns poll_ns vmm_ns in_kvm_run_ns wait_ns halted_ns blocked_ns \
			unsplit_ns unknown_ns inferred_ns share expected_pct share_bounds deviation \
			lag_ns verdict steal waited_for starved by_window threads exits flags &&
		has_keys '.groups[].waited_for' groups self_ns host host_ns \
			throttled_or_contended_ns forced_idle_ns idle_ns unknown_ns &&
		has_keys '.groups[].exits[]' reason count total_ns off_cpu_ns p50_ns p99_ns max_ns &&
		has_keys .fairness jain worst_pair starvation_max_ns horizon_ns by_window &&
		has_keys '.groups[].share_bounds' lo hi &&
		has_keys '.groups[].steal' trace_ns counter_ns residual_pct comparable_intervals &&
		has_keys '.groups[].threads[]' tid name vcpu run_ns wait_ns blocked_ns unsplit_ns \
			unknown_ns arrivals migrations &&
		holds '[.. | objects | to_entries[] |
			select(.key | endswith("_ns") and . != "lag_ns") | .value
			| if type == "array" then .[] else . end
			| . == null or (type == "number" and floor == . and . >= 0)] | all'
}

# These recordings have no topology, no cgroups, no samples: null, never 0 and never NaN.
unknown_is_null() {
	json "$1" && holds '.host.smt == null and .host.cores == []' &&
		holds '[.groups[] | .weight == null and .cgroup == null and .steal.compared_trace_ns == null and
			.steal.counter_ns == null and .steal.residual_pct == null] | all' &&
		holds '[.groups[].threads[] | select(.name == "tinykvm") | .vcpu == null]
			| length == 2 and all' || return
	! grep -iwE -e '-?(nan|inf|infinity)' "$DIR/json"
}

text_fits_a_terminal() {
	expect 0 "$FANALYZE" report "$1" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" || return
	LC_ALL=C awk 'length > 80 || /[ \t]$/ || /[^ -~]/ { bad = 1; print NR ": " $0 }
		END { exit bad || NR < 30 }' "$DIR/out"
}

# The numbers of the text are those of the JSON, rounded.
text_tells_the_shares() {
	local name share

	json "$1" && expect 0 "$FANALYZE" report "$1" >"$DIR/out" || return
	while read -r name share; do
		awk -v name="$name" -v share="$share" '
			/^Groups:/ { is_table = 1 }
			!NF { is_table = 0 }
			is_table && $1 == name {
				d = $4 - share
				found = $4 ~ /^[0-9.]+$/ && d * d <= 0.0501 ^ 2
			}
			END { exit !found }' "$DIR/out" && continue
		echo "share $share of $name is not in:" && cat "$DIR/out"
		return 1
	done < <(jq -r '.groups[] | "\(.name) \(.share.value)"' "$DIR/json")
}

json_alone_on_stdout() {
	json "$1" && jq -es 'length == 1 and (.[0] | type) == "object"' "$DIR/json" &&
		[[ $(head -c 1 "$DIR/json") == "{" ]]
}

json_file_beside_the_text() {
	local dir=$DIR/beside

	rm -rf "$dir" && mkdir "$dir" || return
	json "$1" && expect 0 "$FANALYZE" report "$1" >"$DIR/text" || return
	echo "what was there before" >"$dir/report.json"
	expect 0 "$FANALYZE" report --json "$dir/report.json" "$1" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && holds_only "$dir" report.json || return
	diff <(jq 'del(.tool.command)' "$dir/report.json") <(jq 'del(.tool.command)' "$DIR/json") &&
		diff <(sed '/^  by /,$d' "$DIR/text") <(sed '/^  by /,$d' "$DIR/out") &&
		(($(sed '/^  by /,$d' "$DIR/out" | wc -l) > 30))
}

# json_cannot_go_to NAME: told in one line, without a report on stdout
json_cannot_go_to() {
	expect 1 "$FANALYZE" report --json "$1" "$OFF" >"$DIR/out" 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fanalyze: $1: " && is_empty "$DIR/out"
}

json_needs_its_directory() {
	json_cannot_go_to "$DIR/none/report.json" && [[ ! -e $DIR/none ]]
}

json_does_not_replace_a_directory() {
	local dir=$DIR/taken

	rm -rf "$dir" && mkdir -p "$dir/report.json" || return
	json_cannot_go_to "$dir/report.json" && holds_only "$dir" report.json &&
		holds_only "$dir/report.json"
}

# A file may not grow beyond 1 KiB here, which no report is content with.
json_that_breaks_off_is_removed() (
	dir=$DIR/small
	rm -rf "$dir" && mkdir "$dir" || return
	trap '' XFSZ
	ulimit -f 1
	json_cannot_go_to "$dir/report.json" && holds_only "$dir"
)

# --json >(jq ...) and --json /dev/null: what is no regular file is written to, not replaced.
json_goes_into_a_pipe() {
	local pid is_done

	mkfifo "$DIR/pipe" || return
	timeout 10 cat "$DIR/pipe" >"$DIR/piped" &
	pid=$!
	expect 0 "$FANALYZE" report --json "$DIR/pipe" "$OFF" >"$DIR/out" 2>"$DIR/err" &&
		is_done=1
	# a reader that nobody wrote to
	[[ -s $DIR/piped ]] || kill "$pid"
	wait "$pid"
	ls -l "$DIR/pipe"
	[[ ${is_done-} && -p $DIR/pipe ]] && jq -e '.schema == "fcap-report/1"' "$DIR/piped"
}

# narrower intervals, another margin, other groups: an option does what it says
level_sets_the_intervals() {
	json "$OFF" && jq '.groups[0].share | .hi - .lo' "$DIR/json" >"$DIR/wide" || return
	json "$OFF" --level 0.8 && holds '[.groups[].share.level + 0 == 0.8] | all' &&
		holds ".groups[0].share | .hi > .lo and .hi - .lo < $(<"$DIR/wide")"
}

margin_decides_the_verdict() {
	json "$OFF" --margin 50 && holds '[.groups[].verdict | .word == "fair" and .margin == 50] | all' &&
		json "$OFF" --margin 0.1 && holds '[.groups[].verdict | .word != "fair"] | all'
}

process_groups_hold_all_of_them() {
	json "$OFF" --group process && holds '[.groups[].kind == "process"] | all' &&
		holds '[.groups[].threads[].tid] | . - (. - [96, 97, 100]) | unique == [96, 97, 100]' &&
		holds '[.groups[].threads[].tid] | length == (unique | length)'
}

echo 1..$((12 * ${#FILES[@]} + ${#RUNS[@]} + 8))
for file in "${FILES[@]}"; do
	name=${file##*/}
	check "$name: each vCPU thread runs for the time of the reference" \
		run_time_is_the_reference "$file"
	check "$name: vCPU threads are grouped by VM" vcpus_are_grouped_by_vm "$file"
	check "$name: no thread has more time than there was, groups are sums" time_is_conserved "$file"
	check "$name: shares and expected shares sum to 100" shares_add_up "$file"
	check "$name: without weights a share is due by vCPUs" due_goes_by_vcpus "$file"
	check "$name: every estimate has its interval, n and method" estimates_are_whole "$file"
	check "$name: every verdict has a word and reasons" verdicts_are_whole "$file"
	check "$name: the JSON has the shape of fcap-report/1" shape_is_kept "$file"
	check "$name: what is unknown is null" unknown_is_null "$file"
	check "$name: the text fits 80 columns of ASCII" text_fits_a_terminal "$file"
	check "$name: the text tells the shares of the JSON" text_tells_the_shares "$file"
	check "$name: --json - prints one JSON object and nothing else" json_alone_on_stdout "$file"
done
for run in "${RUNS[@]}"; do
	check "$run: versions 6 and 7 give the same report" versions_agree "$run"
done
check "--json FILE writes just that file, beside the same text" json_file_beside_the_text "$OFF"
check "--json in a missing directory fails with one line" json_needs_its_directory
check "--json does not replace a directory" json_does_not_replace_a_directory
check "a JSON file that breaks off is removed" json_that_breaks_off_is_removed
check "--json writes into a pipe and leaves it a pipe" json_goes_into_a_pipe
check "--level sets the width of the intervals" level_sets_the_intervals
check "--margin decides the verdict" margin_decides_the_verdict
check "--group process gives every thread to one process" process_groups_hold_all_of_them
