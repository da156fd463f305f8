#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze export: what it writes of real recordings adds up to their reports, can be parsed by
# others, and what cannot be written or makes no sense is said.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
OFF=tests/data/bed/bed-coresched-off.dat
FCAP=tests/data/bed-fcap/21-on-1.dat
TRACES=(tests/data/bed/*.dat "$FCAP")
no_jq=
command -v jq >/dev/null || no_jq="no jq here"
no_unnamed=
case $(stat -f -c %T "$DIR") in
ext2/ext3 | xfs | btrfs | tmpfs) ;;
*) no_unnamed="this file system may know no files without a name" ;;
esac

# export_to FILE STATUS ARGUMENT...: what it says is in $DIR/err
export_to() {
	expect "$2" "$FANALYZE" export "${@:3}" >"$1" 2>"$DIR/err" && return
	cat "$DIR/err"
	return 1
}

# threads_of TRACE: tid, run, wait, blocked and unknown ns of each thread, by the report
threads_of() {
	"$FANALYZE" report --json - "$1" |
		jq -r '.groups[] | .threads[] | [.tid, .run_ns, .wait_ns, .halted_ns + .blocked_ns,
			.unknown_ns] | @tsv' | sort
}

# The spans of those threads, summed in integers.
sums_of() {
	"$FANALYZE" export --what spans --as jsonl "$1" | jq -rn '
		reduce inputs as $s ({}; .[$s.tid | tostring][$s.state] += $s.end_ns - $s.begin_ns) |
		to_entries[] | [.key, .value.run // 0, .value.wait // 0, .value.blocked // 0,
			.value.unknown // 0] | @tsv' | sort
}

spans_add_up_to_the_report() {
	local trace

	for trace in "${TRACES[@]}"; do
		threads_of "$trace" >"$DIR/report" && sums_of "$trace" >"$DIR/sums" || return
		[[ -s $DIR/report ]] || return
		join -t $'\t' -j 1 -o 2.1,2.2,2.3,2.4,2.5 "$DIR/report" "$DIR/sums" |
			diff "$DIR/report" - || { echo "of $trace" && return 1; }
	done
}

# The spans of a CPU, idle and unknown ones included, follow one another from begin to end.
spans_of_a_cpu_leave_no_hole() {
	export_to "$DIR/spans" 0 --what spans "$OFF" || return
	awk -F , 'NR > 1 && $4 != "" && ($3 == "run" || $3 == "idle" || ($3 == "unknown" && $5 == "")) {
			if ($4 in last && last[$4] != $1) { print "a hole before: " $0; bad = 1 }
			last[$4] = $2; n++
		} END { exit bad || n < 100 }' "$DIR/spans"
}

# Cut off in the data of CPU 0: of CPUs 1 to 3 nothing is left, which is unknown from begin to end.
cpus_without_data_are_unknown() {
	head -c 1140000 tests/data/bed/bed-coresched-off-v6.dat >"$DIR/cut.dat" &&
		export_to "$DIR/spans" 0 --what spans --truncated "$DIR/cut.dat" || return
	awk -F , 'NR > 1 && ($3 == "run" || $5 == "") { ns[$4] += $2 - $1 }
		NR > 1 && $4 ~ /[123]/ { n++; bad += $3 != "unknown" || $5 != "" }
		END { exit bad || n != 3 || !ns[0] || ns[0] != ns[1] || ns[0] != ns[2] || ns[0] != ns[3] }' \
		"$DIR/spans"
}

waits_are_the_spans_that_wait() {
	export_to "$DIR/spans" 0 --what spans --as jsonl "$OFF" &&
		export_to "$DIR/waits" 0 --what waits --as jsonl "$OFF" &&
		diff <(jq -c 'select(.state == "wait") | del(.state)' --sort-keys "$DIR/spans") \
			<(jq -c --sort-keys . "$DIR/waits") && [[ -s $DIR/waits ]]
}

# Counts and sums by reason; more than 254 reasons of one account would make the report's "other".
exits_add_up_to_the_report() {
	export_to "$DIR/exits" 0 --what exits --as jsonl "$OFF" &&
		"$FANALYZE" report --json - "$OFF" | jq -c '[.groups[] | .name as $g | .exits[] |
			[$g, .reason, .count, .total_ns, .off_cpu_ns]] | sort[]' >"$DIR/report" &&
		[[ -s $DIR/report ]] &&
		jq -sc '[.[] | select(.group)] | group_by([.group, .reason]) |
			[.[] | [.[0].group, .[0].reason, length, (map(.ns) | add),
				(map(.off_cpu_ns) | add)]] | sort[]' "$DIR/exits" |
		diff "$DIR/report" -
}

# jq 1.7 keeps a number as it is spelt until it is computed with: 75.0 is not 75.
windows_are_those_of_the_report() {
	export_to "$DIR/windows" 0 --what windows --as jsonl "$OFF" &&
		"$FANALYZE" report --json "$DIR/report" "$OFF" >/dev/null &&
		diff <(jq -c '.series as $s | [$s.groups | to_entries[] | .key as $g | .value |
			range($s.t_ns | length) as $i | [$s.t_ns[$i], $g, .share[$i], .expected[$i],
			.lag_ns[$i], .run_ns[$i], .wait_ns[$i]]] | sort[] | map(numbers += 0)' "$DIR/report") \
			<(jq -sc '[.[] | [.begin_ns, .group, .share_pct, .expected_pct, .lag_ns, .run_ns,
			.wait_ns]] | sort[] | map(numbers += 0)' "$DIR/windows") && [[ -s $DIR/windows ]]
}

# Every line of the recorder that info counts, and steal samples with their keys.
markers_are_those_of_info() {
	export_to "$DIR/markers" 0 --what markers --as jsonl "$FCAP" &&
		diff <("$FANALYZE" info --json - "$FCAP" | jq -r '.markers[] | "\(.kind) \(.lines)"' |
			sort) <(jq -sr 'group_by(.kind)[] | "\(.[0].kind) \(length)"' "$DIR/markers" |
			sort) &&
		jq -es 'all(.[] | select(.kind == "steal"); .keys.delay | tonumber >= 0)' \
			"$DIR/markers" >/dev/null
}

# As many fields in every row as in the header, quotes heeded, and as many rows as in JSON.
csv_is_even() {
	local what

	for what in windows spans waits exits markers; do
		export_to "$DIR/csv" 0 --what $what "$FCAP" &&
			export_to "$DIR/jsonl" 0 --what $what --as jsonl "$FCAP" || return
		awk '
			{ line = $0; n = 1; quoted = 0
			  for (i = 1; i <= length(line); i++) {
				c = substr(line, i, 1)
				if (c == "\"") quoted = !quoted
				else if (c == "," && !quoted) n++
			  }
			  if (NR == 1) fields = n
			  if (n != fields || quoted) { print NR ": " line; exit 1 } }' "$DIR/csv" || return
		(($(wc -l <"$DIR/csv") == $(wc -l <"$DIR/jsonl") + 1)) || return
		jq -es "length > 0 and all(.[]; keys_unsorted == $(head -1 "$DIR/csv" |
			jq -R 'split(",")'))" "$DIR/jsonl" >/dev/null || return
	done
}

# A lane a vCPU, named, none for a thread that probed KVM; slices of a lane do not overlap; a
# counter a VM.
perfetto_can_read_it() {
	export_to "$DIR/out" 0 --as perfetto -o "$DIR/perfetto" "$FCAP" && is_empty "$DIR/out" &&
		"$FANALYZE" report --json "$DIR/report" "$FCAP" >/dev/null || return
	jq -e '.traceEvents | length > 100 and all(.[]; (.ph == "M" and (.args.name | type == "string"))
		or (.ph == "X" and (.ts | type == "number") and .ts >= 0 and .dur > 0 and
			(.name | IN("running", "in guest", "waiting", "unknown")))
		or (.ph == "C" and .name == "steal" and (.args.ms | type == "number")))' \
		"$DIR/perfetto" >/dev/null || return
	diff <(jq -r '.groups[] | .name as $g | .threads[] |
			select(.vcpu != null and .name != "probe") | "\($g) \(.tid) vCPU \(.vcpu)"' \
		"$DIR/report" | sort) \
		<(jq -r '[.traceEvents[] | select(.ph == "M")] |
			(map(select(.name == "process_name") | {"\(.pid)": .args.name}) | add) as $p |
			.[] | select(.name == "thread_name") | "\($p["\(.pid)"]) \(.tid) \(.args.name)"' \
			"$DIR/perfetto" | sort) || return
	jq -e '[.traceEvents[] | select(.ph == "X")] | group_by([.pid, .tid]) | all(.[];
		sort_by(.ts) | . as $l | all(range(1; length);
			$l[. - 1].ts + $l[. - 1].dur <= $l[.].ts + 0.0005))' "$DIR/perfetto" >/dev/null ||
		return
	[[ $(jq '[.traceEvents[] | select(.ph == "C") | .pid] | unique | length' "$DIR/perfetto") == \
		$(jq '.groups | length' "$DIR/report") ]]
}

# Slices of running and of the guest are the run time of the vCPU, to the ns.
perfetto_adds_up_to_the_report() {
	export_to "$DIR/perfetto" 0 --as perfetto "$OFF" &&
		diff <("$FANALYZE" report --json - "$OFF" | jq -r '.groups[] | .threads[] |
			select(.vcpu != null) | [.tid, .run_ns, .wait_ns] | @tsv' | sort) \
			<(jq -r '[.traceEvents[] | select(.ph == "X")] | group_by(.tid)[] |
			def ns(f): map(select(f) | .dur * 1000 | round) | add;
			[.[0].tid, ns(.name == "running" or .name == "in guest"), ns(.name == "waiting")] |
			@tsv' "$DIR/perfetto" | sort)
}

options_of_the_analysis_hold() {
	export_to "$DIR/spans" 0 --what spans --from 100ms --to 200ms "$OFF" &&
		awk -F , 'NR > 1 && ($1 < 100000000 || $2 > 200000000) { exit 1 } END { exit NR < 10 }' \
			"$DIR/spans" || return
	export_to "$DIR/named" 0 --what waits --vm me=comm:'tinykvm*' "$OFF" &&
		[[ $(awk -F , 'NR > 1 && $6 != "" { print $6 }' "$DIR/named" | sort -u) == me ]]
}

# A name that matches nothing, in either reading.
names_have_to_match() {
	local what

	for what in windows waits markers; do
		export_to "$DIR/out" 2 --what $what --vm a=tgid:999999 "$OFF" && is_empty "$DIR/out" &&
			is_one_line "$DIR/err" "fanalyze: $OFF: " &&
			export_to "$DIR/out" 2 --what $what --weight nobody=3 "$OFF" &&
			is_empty "$DIR/out" && is_one_line "$DIR/err" "fanalyze: $OFF: --weight nobody" ||
			return
	done
}

what_is_not_recorded_is_said() {
	export_to "$DIR/out" 2 --what markers -o "$DIR/never" "$OFF" && is_empty "$DIR/out" &&
		is_one_line "$DIR/err" "fanalyze: $OFF: it holds no lines of " &&
		[[ ! -e $DIR/never ]] &&
		echo nonsense >"$DIR/bad.dat" && export_to "$DIR/out" 2 --what spans "$DIR/bad.dat" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/bad.dat: "
}

# Cut off in the first page of CPU 0: that is why there are no events, not how it was recorded.
what_is_left_of_a_damaged_file_is_said() {
	local form

	head -c 1131520 tests/data/bed/bed-coresched-off-v6.dat >"$DIR/cut.dat" || return
	for form in "--what windows" "--what spans" "--what exits" "--what markers" "--as perfetto"; do
		# shellcheck disable=SC2086 # words
		export_to "$DIR/out" 2 $form --truncated "$DIR/cut.dat" && is_empty "$DIR/out" &&
			is_one_line "$DIR/err" "fanalyze: $DIR/cut.dat: nothing is left of it that " || return
	done
}

a_full_disk_is_said() {
	local form

	for form in "--what windows" "--what spans" "--what exits --as jsonl" "--as perfetto"; do
		# shellcheck disable=SC2086 # words
		expect 1 "$FANALYZE" export $form "$OFF" >/dev/full 2>"$DIR/err" &&
			is_one_line "$DIR/err" "fanalyze: standard output: it cannot be written: " &&
			expect 1 "$FANALYZE" export $form -o /dev/full "$OFF" 2>"$DIR/err" &&
			is_one_line "$DIR/err" "fanalyze: /dev/full: it cannot be written: " || return
	done
	export_to "$DIR/out" 1 --what spans -o "$DIR/none/x" "$OFF" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/none/x: cannot write it: "
}

a_file_is_complete_or_not_there() {
	mkdir "$DIR/to" && export_to "$DIR/out" 0 --what spans -o "$DIR/to/spans.csv" "$OFF" &&
		is_empty "$DIR/out" && holds_only "$DIR/to" spans.csv &&
		"$FANALYZE" export --what spans "$OFF" | cmp - "$DIR/to/spans.csv"
}

# By a signal in the middle of writing: that of a file that gets too large.
what_is_killed_leaves_no_file() {
	mkdir "$DIR/killed" && (ulimit -c 0 && ulimit -f 4 && cd "$DIR/killed" &&
		expect 153 "$FANALYZE" export --what spans -o spans.csv "$OLDPWD/$OFF") 2>"$DIR/err" &&
		holds_only "$DIR/killed"
}

# usage_error WORD ARGUMENT...: status 2, the word in the first line, nothing else
usage_error() {
	local line

	export_to "$DIR/out" 2 "${@:2}" && is_empty "$DIR/out" || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	[[ $line == "fanalyze export: "*"$1"* ]]
}

bad_usage_is_refused() {
	cp "$OFF" "$DIR/t.dat" && usage_error --what "$OFF" && usage_error --what --what span "$OFF" &&
		usage_error --what --what '' "$OFF" && usage_error --as --what spans --as json "$OFF" &&
		usage_error "without --what" --as perfetto --what spans "$OFF" &&
		usage_error trace.dat --what spans && usage_error "one file" --what spans "$OFF" "$OFF" &&
		usage_error --output --what spans -o '' "$OFF" &&
		usage_error "trace itself" --what spans -o "$DIR/t.dat" "$DIR/t.dat" &&
		cmp "$OFF" "$DIR/t.dat" && usage_error --from --what spans --from 3 "$OFF"
}

help_fits() {
	"$FANALYZE" export --help >"$DIR/out" && grep -q -- --siblings "$DIR/out" &&
		! grep -nE '.{81}' "$DIR/out"
}

echo 1..19
unless "$no_jq" "spans add up to the report, thread by thread" spans_add_up_to_the_report
check "the spans of a CPU leave no hole" spans_of_a_cpu_leave_no_hole
check "CPUs of which nothing is left are unknown" cpus_without_data_are_unknown
unless "$no_jq" "waits are the spans that wait" waits_are_the_spans_that_wait
unless "$no_jq" "exits add up to the report, reason by reason" exits_add_up_to_the_report
unless "$no_jq" "windows are those of the report" windows_are_those_of_the_report
unless "$no_jq" "markers are those that info counts" markers_are_those_of_info
unless "$no_jq" "CSV has as many fields and rows as JSON" csv_is_even
unless "$no_jq" "perfetto: a lane a vCPU, slices that do not overlap" perfetto_can_read_it
unless "$no_jq" "perfetto: slices add up to the report" perfetto_adds_up_to_the_report
check "options of the analysis hold" options_of_the_analysis_hold
check "a name that matches nothing is an error" names_have_to_match
check "what is not recorded is said, and leaves no file" what_is_not_recorded_is_said
check "that nothing is left of a damaged file is said" what_is_left_of_a_damaged_file_is_said
check "a full disk is said" a_full_disk_is_said
check "a file is complete, or not there" a_file_is_complete_or_not_there
unless "$no_unnamed" "what is killed leaves no file" what_is_killed_leaves_no_file
check "bad usage is refused" bad_usage_is_refused
check "export --help fits 80 columns" help_fits
