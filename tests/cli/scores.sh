#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze scores on the samples, whose text was looked at, and on files that it refuses.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1

# scores ARGUMENT...: the text, without the version and the command
scores() {
	"$FANALYZE" scores "$@" | sed '/^  by       fanalyze/,$d'
}

the_table_of_2015_is_judged() {
	scores --expected 0.9 samples/scores-2015.csv >"$DIR/got"
	diff - "$DIR/got" <<'END'
off (VM1): the group due 90 % got 85.32 % [81.10, 89.53] of the work: off,
whether by more than 3 points is open (indicative).
on (VM2): the group due 90 % got 28.31 % [9.71, 46.91] of the work: unfair, off
by more than 3 points (indicative).
on over off: the share changed by -57.0 points [-75.1, -38.9]: material at a
margin of 3 points (indicative).
In brackets: 95 % intervals within the one run of each; other runs may differ,
and as each configuration ran in a VM of its own, the change may be the VM's.

Shares of the work of all windows together; off by: share minus due, in points;
interval and +/-: 95 %, within the run
          share %        interval  due %  off by    +/-  verdict
off: VM1    85.32  81.10 to 89.53   90.0   -4.68   4.22  off *
on: VM2     28.31   9.71 to 46.91   90.0  -61.69  18.60  unfair *
off: VM1: * indicative: one run, fewer than 120 windows, effective sample size
  below 10
on: VM2: * indicative: one run, fewer than 120 windows, windows of unequal work
on over off: * indicative: one run, fewer than 120 windows, effective sample
  size below 10, windows of unequal work, each configuration was measured in a
  VM of its own, so that the change may be the VM's
off: Jain's index 0.956 [0.880, 0.997] (1: each got the same part of its due;
  0.5: one got all)
on: Jain's index 0.544 [0.518, 0.608] (1: each got the same part of its due;
  0.5: one got all)

Windows: the share in each, %
          windows  lowest  median  highest  zero  uneven    r1   ESS     G
off: VM1       29    77.0    86.0     90.0     0       0  0.39   6.4  46.6
on: VM2        30     0.0    36.5     54.0     2       4  0.40  16.1  52.0
zero: with a share of 0; uneven: with less than half or more than one and a half
  times the median work, so hardly of equal length
r1: how alike neighbours are (1: the same; 0: not at all; below 0: opposed);
  ESS: so many independent windows would tell as much
G: the level shifted within the run if it is above 40.1 (with fewer than 120
  windows, above 68.6)
off: VM1: 862151 of work in all; outliers: 2 mild, 0 severe; mean of the
  windows, each counting alike: 85.31 % [81.11, 89.51]
off: VM1: windows taken as independent would give [84.04, 86.58] for this mean,
  3.3 times too narrow
on: VM2: 1203665 of work in all; outliers: 0 mild, 0 severe; mean of the
  windows, each counting alike: 33.23 % [17.54, 48.93]
on: VM2: windows taken as independent would give [27.19, 39.28] for this mean,
  2.6 times too narrow
on over off, by these means: -52.1 points [-67.2, -36.9]

Notes
  - windows taken as independent would give -58.2 to -45.9 points for on over
    off (VM2 over VM1): too narrow, for contrast alone
  - one run each: windows are looks at the same run and do not replace more runs
  - shares are whole percents; the benchmark of 2015 cuts fractions off (a
    printed 85 is 85.00 to 85.99), which makes its shares about half a point too
    low; they are taken as printed

How it was computed
  interval pw-ewc on the residuals of the ratio of sums, df = 3 (VM1); changes:
           both errors together, Satterthwaite
  margin   3 points
END
}

the_pair_of_2021_is_a_summary() {
	scores samples/scores-2021.csv >"$DIR/got"
	diff - "$DIR/got" <<'END'
No interval possible: summary only.
  off: a gap of 2 %, without the runs behind it
  on: a gap of 18 %, without the runs behind it

What can be said, and what is needed
  - if scores vary by 3 % from run to run (an assumption), one run of two equal
    VMs shows a gap of 3.4 % on average and one above 8.5 % in 5 % of the cases
  - off: 2 % can come from nothing, if it is of one run
  - on: 18 % is more than such noise makes in one run
  - needed: the score of each VM in each run (a table with run, config, vm,
    score), from runs in the order ABBA
  - with that noise a change from 2 % to 18 % takes 3 runs of each configuration
    to be seen (fewer than 5 give no firm verdict)
  - a change of the margin, 3 %, takes 33
END
}

# The benchmark's own lines, made of the table: the same numbers, only the VMs have other names.
lines_of_the_benchmark_give_the_same() {
	awk -F, '$2 == "off" { print $4 "% " $5 }' samples/scores-2015.csv >"$DIR/VM1.log"
	awk -F, '$2 == "on" { print $4 "% " $5 }' samples/scores-2015.csv >"$DIR/VM2.log"
	scores --expected 0.9 samples/scores-2015.csv >"$DIR/table" &&
		scores --expected 0.9 --config off "$DIR/VM1.log" --config on "$DIR/VM2.log" \
			>"$DIR/lines" && [[ -s $DIR/lines ]] && diff "$DIR/table" "$DIR/lines"
}

# Group by group, as the later benchmark prints them: here each gets what it was due.
later_lines_are_read() {
	local i

	for ((i = 0; i < 30; i++)); do
		echo "  $((9 + i % 3)).0 ( $((i % 3 - 1)).0)   $((91 - i % 3)).0 ( $((1 - i % 3)).0)   100"
	done >"$DIR/guest.log"
	scores "$DIR/guest.log" >"$DIR/got"
	cat "$DIR/got"
	grep -q '^guest/group1 got 10.00 % \[9.90, 10.10\] where 10 % was due: fair' "$DIR/got" &&
		grep -q '^guest/group2 got 90.00 % \[89.90, 90.10\] where 90 % was due: fair' \
			"$DIR/got"
}

# long CONFIG RUN A B: two lines of a table of runs
long() {
	echo "$2,$1,vm1,$3"
	echo "$2,$1,vm2,$4"
}

# The runs of tests/data/stats; the numbers are those of its references.
runs_are_compared() {
	{
		echo run,config,vm,score
		while IFS=, read -r config run a b; do
			[[ $config == config ]] || long "$config" "$run" "$a" "$b"
		done <tests/data/stats/runs_scores.csv
	} >"$DIR/runs.csv"
	scores --json "$DIR/json" "$DIR/runs.csv" >"$DIR/got" || return
	head -4 "$DIR/got"
	jq -e '.schema == "fcap-compare/1" and
		([.gaps[] | select(.name == "between_vm") | .est.value * 10 | round] == [8, 225]) and
		([.gaps[] | select(.per == "total") | .est | .value, .lo, .hi | . * 10 | round] ==
			[-122, -132, -111])' "$DIR/json"
}

json_csv_and_tex_are_written() {
	scores --expected 0.9 --json "$DIR/j" --csv "$DIR/c" --tex "$DIR/t" \
		samples/scores-2015.csv >"$DIR/got" && [[ -s $DIR/got ]] || return
	jq -e '.configurations[0].groups[0].share.value * 100 | round == 8532' "$DIR/j" &&
		jq -e '[.windows[].zero_windows] == [0, 2]' "$DIR/j" &&
		grep -q '^share,,,on,VM2,,28.3114529374867' "$DIR/c" &&
		grep -q '^VM2 over VM1 & .*material' "$DIR/t" && ! grep 'CPU time' "$DIR/t" && ! grep -q null "$DIR/c" "$DIR/t"
}

# Its shares are of work; the answer is that of the text.
a_page_is_written() {
	"$FANALYZE" scores --expected 0.9 --html "$DIR/page" samples/scores-2015.csv >"$DIR/got" &&
		grep -q 'the group due 90 % got 85.32 %' "$DIR/page" &&
		grep -q '>Change of the share of the work, in points' "$DIR/page" &&
		! grep 'share of CPU time' "$DIR/page"
}

# refused WORDS FILE_TEXT [ARGUMENT...]: status 2 and one line with the words
refused() {
	printf '%b' "$2" >"$DIR/bad.csv"
	expect 2 "$FANALYZE" scores "${@:3}" "$DIR/bad.csv" >"$DIR/out" 2>"$DIR/err" || return
	is_empty "$DIR/out" && is_one_line "$DIR/err" "fanalyze: " && grep -qF -- "$1" "$DIR/err" &&
		return
	cat "$DIR/err"
	return 1
}

bad_files_are_refused_with_their_line() {
	refused "bad.csv:3: the value of score is missing" 'run,vm,score\n1,a,2\n2,a,\n' &&
		refused "bad.csv:2: score: \"many\" is not" 'run,vm,score\n1,a,many\n' &&
		refused "bad.csv:3: run 1 has a score of a already" 'run,vm,score\n1,a,2\n1,a,3\n' &&
		refused "bad.csv:2: a share of 140 %" 'window,vm,share_pct\n1,a,140\n' &&
		refused "bad.csv:1: the header names neither" 'name,value\na,2\n' &&
		refused "bad.csv:2: not a line like" '85% 29683\nhello\n' &&
		refused "bad.csv:1: a NUL byte" 'run\0' &&
		refused "bad.csv: it holds no values" ''
}

what_is_not_there_is_named() {
	expect 2 "$FANALYZE" scores /no/such.csv 2>"$DIR/err" || return
	[[ $(<"$DIR/err") == "fanalyze: /no/such.csv: No such file or directory" ]] || return
	expect 2 "$FANALYZE" scores "$DIR" 2>"$DIR/err" || return
	[[ $(<"$DIR/err") == "fanalyze: $DIR: this is a directory, not a table of scores" ]]
}

names_that_match_nothing_are_refused() {
	local table='window,vm,score\n1,a,2\n1,b,3\n'

	refused "--expected c=...: no VM" "$table" --expected c=0.5 &&
		refused "--weight c=...: no VM" "$table" --weight c=5 &&
		refused "--weight: b has none" "$table" --weight a=5 &&
		refused "--baseline x: no configuration" "$table" --baseline x
}

# usage WORD ARGUMENT...
usage() {
	expect 2 "$FANALYZE" scores "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" &&
		head -1 "$DIR/err" | grep -qF -- "$1"
}

wrong_arguments_are_refused() {
	local t=samples/scores-2015.csv value

	usage "file of scores" || return
	for value in 0 1.1 -0.5 90% nan '' x; do
		usage --expected --expected "$value" $t &&
			usage --expected --expected "VM1=$value" $t || return
	done
	for value in 5 a= =5 a=0 a=-1 a=x; do
		usage --weight --weight "$value" $t || return
	done
	usage "--config b: no file follows" --config a $t --config b || return
	usage --level --level 95 $t && usage --margin --margin -1 $t &&
		usage exclude --expected 0.9 --weight VM1=1 $t && usage --config --config '' $t
}

# fit FILE: its longest verdict, "inconclusive *", is in a row that has room for it
fit() {
	"$FANALYZE" scores --expected 0.86 "$1" >"$DIR/got"
	cat "$DIR/got"
	grep -qE '^.{66}  inconclusive \*$|^.{10,64}  inconclusive \*$' "$DIR/got" &&
		! grep -nE '.{81}' "$DIR/got"
}

lines_fit() {
	fit samples/scores-2015.csv &&
		sed 's/VM1/a-guest-of-thirty-two-characters/' samples/scores-2015.csv >"$DIR/long.csv" &&
		fit "$DIR/long.csv" && grep -q '^off: a-guest-of-thirty-two-characters$' "$DIR/got"
}

echo 1..12
check "the table of 2015 is judged" the_table_of_2015_is_judged
check "the pair of 2021 is a summary" the_pair_of_2021_is_a_summary
check "the benchmark's own lines give the same" lines_of_the_benchmark_give_the_same
check "its later lines are read" later_lines_are_read
check "scores of runs are compared" runs_are_compared
check "JSON, CSV and LaTeX are written" json_csv_and_tex_are_written
check "a page is written" a_page_is_written
check "bad files are refused with their line" bad_files_are_refused_with_their_line
check "a file that is not there is named" what_is_not_there_is_named
check "names that match nothing are refused" names_that_match_nothing_are_refused
check "wrong arguments are refused" wrong_arguments_are_refused
check "no line of the samples is over 80 columns" lines_fit
