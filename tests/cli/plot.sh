#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze plot: the files it leaves, images of the right kind, and what it says to what it cannot
# do. Images are never compared: they change with fonts and versions.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
OFF=$PWD/tests/data/bed/bed-coresched-off.dat
DATA=$PWD/tests/data/plot
GOLDEN=$DATA/share.gp
no_gnuplot=
command -v gnuplot >/dev/null || no_gnuplot="no gnuplot here"
no_xxhash=
command -v xxh128sum >/dev/null || no_xxhash="no xxh128sum here (package xxhash)"
# what a test may run when it must not find gnuplot: nothing
mkdir "$DIR/empty"

# plot STATUS ARGUMENT...: what it printed is in $DIR/out and $DIR/err
plot() {
	expect "$1" "$FANALYZE" plot "${@:2}" >"$DIR/out" 2>"$DIR/err" && return
	echo "$(<"$DIR/out")$(<"$DIR/err")" # no cat: there may be no PATH
	return 1
}

# plot_without_gnuplot STATUS ARGUMENT...
plot_without_gnuplot() {
	PATH=$DIR/empty plot "$@"
}

# holds DIRECTORY NAME...: these names and no other
holds() {
	local names

	names=$(ls -A "$1")
	[[ ${names//$'\n'/ } == "${*:2}" ]] || echo "in $1: ${names//$'\n'/ }"
	[[ ${names//$'\n'/ } == "${*:2}" ]]
}

# begins FILE TEXT: the magic of its type
begins() {
	local start

	start=$(head -c "${#2}" "$1" | tr -d '\0')
	[[ $start == "$2" ]] || echo "$1 does not begin with $2"
	[[ $start == "$2" ]]
}

are_images() {
	begins "$1/share.svg" '<?xml' && grep -q '</svg>' "$1/share.svg" &&
		begins "$1/share.pdf" '%PDF-' && grep -aq '%%EOF' "$1/share.pdf" &&
		begins "$1/share.png" $'\x89PNG' && grep -aq IEND "$1/share.png"
}

all_files_are_there() {
	plot 0 --figure share "$OFF" -o "$DIR/all" && is_empty "$DIR/err" &&
		holds "$DIR/all" share-groups.tsv share.gp share.pdf share.png share.svg \
			share.tsv &&
		are_images "$DIR/all" &&
		diff "$DIR/out" - <<<"$DIR/all/share.{tsv,gp,svg,pdf,png} $DIR/all/share-groups.tsv"
}

# A line a figure; as words of bash they are the files that there are.
files_are_told_by_figure() {
	local words
	local -a named

	plot 0 --figure share,lag --image svg,tex "$OFF" -o "$DIR/told" && is_empty "$DIR/err" &&
		[[ $(wc -l <"$DIR/out") == 2 ]] || return
	words=$(<"$DIR/out")
	eval "named=($words)"
	diff <(printf '%s\n' "${named[@]}" | sort) <(printf '%s\n' "$DIR/told"/* | sort)
}

without_gnuplot_no_image_is_told() {
	plot_without_gnuplot 0 --figure lag "$OFF" -o "$DIR/untold" &&
		[[ $(<"$DIR/out") == "$DIR/untold/lag.{tsv,gp}" ]]
}

# Every row has as many fields as the header; windows and groups are those of the report.
the_tables_hold_the_report() {
	local d=$DIR/tables

	plot_without_gnuplot 0 --figure share "$OFF" -o "$d" &&
		"$FANALYZE" report --json "$DIR/report.json" "$OFF" >/dev/null &&
		awk -F '\t' '/^# t_s/ { n = NF } n && NF != n { exit 1 }' "$d/share.tsv" &&
		diff <(jq -r '.series.t_ns | length' "$DIR/report.json") \
			<(grep -vc '^#' "$d/share.tsv") &&
		diff <(jq -r '.groups[] | .name' "$DIR/report.json") \
			<(grep -v '^#' "$d/share-groups.tsv" | cut -f 1) &&
		diff <(jq -r '.groups[] | .share | .lo, .value, .hi' "$DIR/report.json" |
			LC_ALL=C xargs printf '%.4f\n') \
			<(grep -v '^#' "$d/share-groups.tsv" | awk '{ print $4; print $3; print $5 }')
}

# The script says where the figure comes from, and names nothing of this machine.
the_script_can_be_traced_back() {
	local d=origin

	(cd "$DIR" && cp "$OFF" t.dat && plot_without_gnuplot 0 t.dat -o $d) || return
	grep -qx '# command:  fanalyze plot t.dat -o origin' "$DIR/$d/share.gp" &&
		grep -qx '# trace:    t.dat' "$DIR/$d/share.gp" &&
		grep -q 'pw-ewc, n=' "$DIR/$d/share.gp" &&
		! grep -nF -e "$DIR" -e "$PWD" "$DIR/$d"/*
}

the_same_again_gives_the_same_bytes() {
	plot_without_gnuplot 0 "$OFF" -o "$DIR/again" && cp -r "$DIR/again" "$DIR/before" &&
		plot_without_gnuplot 0 "$OFF" -o "$DIR/again" &&
		diff -r "$DIR/before" "$DIR/again"
}

# With nothing but the script and its tables, in another place, without a word.
the_script_works_alone() {
	mkdir "$DIR/moved" && plot_without_gnuplot 0 --figure share "$OFF" -o "$DIR/alone" || return
	mv "$DIR/alone"/* "$DIR/moved" && (cd "$DIR/moved" && gnuplot share.gp) >"$DIR/said" 2>&1 &&
		is_empty "$DIR/said" && are_images "$DIR/moved"
}

the_script_takes_other_formats() {
	plot_without_gnuplot 0 --figure share "$OFF" -o "$DIR/other" &&
		(cd "$DIR/other" && gnuplot -e "formats='png'" share.gp) &&
		holds "$DIR/other" share-groups.tsv share.gp share.png share.tsv
}

# The names in it hold quotes, a backslash, a tab and a # in front; one window is a gap.
gnuplot_takes_weird_names() {
	mkdir "$DIR/weird" && cp "$GOLDEN" "$DIR/weird" || return
	printf '# t_s\n1.0\t70\t60\t30\t40\n1.1\tNaN\t60\tNaN\t40\n1.2\t61\t60\t39\t40\n' \
		>"$DIR/weird/share.tsv"
	printf "it's \\\\x22a\\\\x22\t60\t65\t62\t68\n\\\\x23b\t40\t35\tNaN\tNaN\n" \
		>"$DIR/weird/share-groups.tsv"
	# the names hold more than ASCII, of which gnuplot complains in other locales
	(cd "$DIR/weird" && LC_ALL=C.UTF-8 gnuplot share.gp) >"$DIR/said" 2>&1 && is_empty "$DIR/said" &&
		are_images "$DIR/weird" && grep -qF "it's \"a\"\\\\x09" "$DIR/weird/share.svg"
}

only_the_formats_asked_for() {
	plot 0 --figure share --image png,svg "$OFF" -o "$DIR/some" && is_empty "$DIR/err" &&
		holds "$DIR/some" share-groups.tsv share.gp share.png share.svg share.tsv
}

groups_may_be_processes() {
	plot 0 --group process "$OFF" -o "$DIR/process" &&
		(($(grep -vc '^#' "$DIR/process/share-groups.tsv") >= 2)) && are_images "$DIR/process"
}

without_gnuplot_a_note_and_the_script() {
	plot_without_gnuplot 0 --figure share "$OFF" -o "$DIR/none" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/none: gnuplot: not found" &&
		holds "$DIR/none" share-groups.tsv share.gp share.tsv
}

without_gnuplot_a_format_cannot_be_had() {
	plot_without_gnuplot 1 --figure share --image svg "$OFF" -o "$DIR/wanted" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/wanted: gnuplot: not found" &&
		holds "$DIR/wanted" share-groups.tsv share.gp share.tsv
}

# Images of other data must not stay beside the new tables.
old_images_go() {
	mkdir "$DIR/old" && echo old >"$DIR/old/share.svg" &&
		plot_without_gnuplot 0 --figure share "$OFF" -o "$DIR/old" &&
		holds "$DIR/old" share-groups.tsv share.gp share.tsv
}

# root may write anywhere: a file in the way stops it too
a_directory_that_cannot_be_made() {
	echo kept >"$DIR/file" && plot 1 "$OFF" -o "$DIR/file/below" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/file/below: cannot make" &&
		plot 1 "$OFF" -o "$DIR/file" && is_one_line "$DIR/err" "fanalyze: $DIR/file: " &&
		[[ $(<"$DIR/file") == kept ]]
}

# A directory with the name of a file of the figure: the rename fails, nothing half is left.
a_file_that_cannot_be_written() {
	mkdir -p "$DIR/blocked/share.gp" && plot 1 --figure share "$OFF" -o "$DIR/blocked" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/blocked: cannot write share.gp: " &&
		holds "$DIR/blocked" share-groups.tsv share.gp share.tsv
}

a_bad_trace_makes_no_directory() {
	echo nonsense >"$DIR/bad.dat" && plot 2 "$DIR/bad.dat" -o "$DIR/bad" &&
		is_one_line "$DIR/err" "fanalyze: $DIR/bad.dat: " && [[ ! -e $DIR/bad ]]
}

FIGURES="share lag fairness time waited cores timeline waits latency gaps runs series"

# the_list_names NAME...: in this order, each with what it shows
the_list_names_the_figures() {
	"$FANALYZE" plot --list >"$DIR/list" && cut -d ' ' -f 1 "$DIR/list" >"$DIR/names" &&
		diff <(tr ' ' '\n' <<<"$FIGURES") "$DIR/names" &&
		! grep -nEv '^[a-z]+ +[A-Z].{20}' "$DIR/list" && ! grep -nE '.{81}' "$DIR/list"
}

# golden NAME ARGUMENT...: the tables and scripts are those of tests/data/plot/NAME, if they were
# made from the directory of the test, so that no path is in them. NEW_GOLDEN=1 makes them anew.
golden() {
	local want=$DATA/$1

	(cd "$DIR" && plot_without_gnuplot 0 "${@:2}" -o "$1") || return
	if [[ ${NEW_GOLDEN:-} ]]; then
		rm -rf "$want" && cp -r "$DIR/$1" "$want"
	fi
	diff -r "$want" "$DIR/$1"
}

golden_of_a_trace() {
	cp samples/core-sched/on-1.dat "$DIR" && golden on-1 on-1.dat
}

golden_of_a_comparison() {
	local run

	for run in off-1 off-2 on-1 on-2; do
		cp "samples/core-sched/$run.dat" "$DIR" || return
	done
	(cd "$DIR" && "$FANALYZE" compare --json compare.json --config off off-1.dat off-2.dat \
		--config on on-1.dat on-2.dat >/dev/null) && golden compare compare.json
}

golden_of_scores() {
	cp samples/scores-2015.csv "$DIR" || return
	(cd "$DIR" && "$FANALYZE" scores --expected 0.9 --json scores.json scores-2015.csv >/dev/null) &&
		golden scores scores.json
}

# the checksum that stands in tables, scripts and the report is the one that others compute
the_checksum_can_be_verified() {
	local file=samples/core-sched/on-1.dat sum

	sum=$(xxh128sum "$file") && sum=xxh128:${sum%% *} &&
		grep -qx "# checksum: $sum" "$DIR/on-1/lag.tsv" &&
		grep -qx "# checksum: $sum" "$DIR/on-1/lag.gp" &&
		grep -q "^# run: .*, on-1.dat, $sum, " "$DIR/compare/runs.tsv" &&
		"$FANALYZE" report --json "$DIR/sum.json" "$file" >"$DIR/out" &&
		grep -qx "  checksum $sum" "$DIR/out" &&
		diff <(jq -r .source.checksum "$DIR/sum.json") - <<<"$sum"
}

# every_image DIRECTORY NAME...: all four kinds of each figure
every_image() {
	local name

	for name in "${@:2}"; do
		begins "$1/$name.svg" '<?xml' && grep -q '</svg>' "$1/$name.svg" &&
			begins "$1/$name.pdf" '%PDF-' && begins "$1/$name.png" $'\x89PNG' &&
			grep -q 'end{picture}' "$1/$name-tex.tex" && begins "$1/$name-tex.pdf" '%PDF-' ||
			return
	done
}

every_figure_is_rendered() {
	local formats=svg,pdf,png,tex

	plot 0 --image $formats samples/core-sched/on-1.dat -o "$DIR/every" &&
		is_empty "$DIR/err" &&
		every_image "$DIR/every" share lag fairness time waited cores timeline waits latency &&
		plot 0 --image $formats "$DIR/compare.json" -o "$DIR/every" &&
		is_empty "$DIR/err" && every_image "$DIR/every" gaps runs series
}

# gnuplot is quiet about all of them, and in another place
every_script_works_alone() {
	local set script

	for set in on-1 compare scores; do
		cp -r "$DIR/$set" "$DIR/alone-$set" || return
		for script in "$DIR/alone-$set"/*.gp; do
			(cd "$DIR/alone-$set" && gnuplot -e "formats='svg'" "$script") >"$DIR/said" 2>&1 &&
				is_empty "$DIR/said" && [[ -s ${script%.gp}.svg ]] || return
		done
	done
}

# A second time the same bytes, of SVG and PNG too.
images_are_the_same_again() {
	local file

	for file in samples/core-sched/on-1.dat "$DIR/compare.json" "$DIR/scores.json"; do
		rm -rf "$DIR/same" "$DIR/same-before"
		plot 0 --image svg,png "$file" -o "$DIR/same" && mv "$DIR/same" "$DIR/same-before" &&
			plot 0 --image svg,png "$file" -o "$DIR/same" &&
			diff -r "$DIR/same-before" "$DIR/same" || return
	done
}

# What of the tables is not a comment is the same; the command is not.
a_report_draws_as_its_trace() {
	"$FANALYZE" report --json "$DIR/on.json" samples/core-sched/on-1.dat >/dev/null &&
		plot_without_gnuplot 0 "$DIR/on.json" -o "$DIR/from-json" &&
		diff -r -I '^# command:' -I '^# trace:' "$DIR/on-1" "$DIR/from-json"
}

# quiet_and_drawn NAME FILTER JSON FIGURE...: what jq makes of the report or comparison is drawn
# without a word of gnuplot's, as these figures and no others
quiet_and_drawn() {
	local script

	jq "$2" "$DIR/$3.json" >"$DIR/$1.json" &&
		plot_without_gnuplot 0 "$DIR/$1.json" -o "$DIR/$1" &&
		diff <(printf '%s.gp\n' "${@:4}" | sort) <(cd "$DIR/$1" && ls -- *.gp) || return
	for script in "$DIR/$1"/*.gp; do
		(cd "$DIR/$1" && gnuplot -e "formats='svg png tex'" "$script") >"$DIR/said" 2>&1 &&
			is_empty "$DIR/said" && [[ -s ${script%.gp}.svg && -s ${script%.gp}-tex.pdf ]] ||
			return
	done
}

# The series, groups and threads cut to the first one, of one window.
ONE='.groups |= .[:1] | .series.groups |= (to_entries | .[:1] | from_entries) | .series.t_ns |= .[:1] |
	.series.groups[] |= map_values(if type == "array" then .[:1] else . end) |
	.groups[].threads |= .[:1] | .histograms |= (to_entries | .[:1] | from_entries) |
	.isolation.cores |= .[:1] | .fairness.by_window |= .[:1]'
# Nobody ran in any window, nothing is owed, and no wait took any time but one.
ZERO='.series.groups[] |= (.share |= map(0) | .lag_ns |= map(0)) |
	.groups[] |= (.share.value = 0 | .share.lo = 0 | .share.hi = 0 | .run_ns = 0) |
	.fairness.by_window[] |= (.rms_pp = 0 | .jain = 1) |
	.histograms[] |= (.waits = {upto_ns: [0], count: [1]} | .vcpus[].waits = .waits) |
	.groups[].threads[].wait |= (map_values(0) | .max = 1)'
# Names in which gnuplot could see a format, and LaTeX what not.
HARD='def hard: if . == "vm1" then "50%g_&#{1}" elif . == "vm2" then "100 %\\^~$" else . end;
	(.. | strings) |= hard | (.series.groups, .histograms, .occupancy.cpus[]?.groups) |= with_entries(.key |= hard)'
read -ra OF_A_TRACE <<<"${FIGURES% gaps*}"
read -ra OF_RUNS <<<"gaps${FIGURES#*gaps}"

little_of_a_trace_is_drawn() {
	quiet_and_drawn one "$ONE" on "${OF_A_TRACE[@]}" &&
		quiet_and_drawn bare '.groups[].share |= (.lo = null | .hi = null | .method = null)' \
			on "${OF_A_TRACE[@]}" &&
		quiet_and_drawn zero "$ZERO" on "${OF_A_TRACE[@]}" &&
		quiet_and_drawn hard "$HARD" on "${OF_A_TRACE[@]}" &&
		grep -qF '50%g_&amp;#{1}' "$DIR/hard/time.svg" &&
		quiet_and_drawn bin '.period.end_ns = .occupancy.bin_ns | .occupancy |=
			walk(if type == "array" and length > 99 then .[:1] else . end)' \
			on "${OF_A_TRACE[@]}" &&
		quiet_and_drawn equal '.groups[].threads[].wait |= map_values(1000) |
			.histograms[].waits = {upto_ns: [1000], count: [7]}' on "${OF_A_TRACE[@]}"
}

# One run of one configuration, one VM; then without an interval; then with scores of 0.
little_of_a_comparison_is_drawn() {
	quiet_and_drawn one-run '.runs |= .[:1] | .configurations |= .[:1] | .gaps |= .[:1] |
			.configurations[].groups |= .[:1] | .runs[].groups |= .[:1]' compare "${OF_RUNS[@]}" &&
		quiet_and_drawn no-interval '(.. | objects | select(has("lo_adj"))) |=
			(.lo = null | .hi = null | .lo_adj = null | .hi_adj = null)' compare "${OF_RUNS[@]}" &&
		quiet_and_drawn no-score '.runs[].groups[].score = 0 | .gaps[].est.value = 0 |
			.configurations[].groups[].mean |= (.value = 0 | .lo = 0 | .hi = 0)' \
			compare "${OF_RUNS[@]}" &&
		quiet_and_drawn one-window '.windows |= .[:1] | .windows[] |= (.at |= .[:1] | .share = [0])' \
			scores gaps series
}

no_wake_ups_are_no_waits() {
	jq '.groups[].threads[].wait |= map_values(0) | .groups[].wait_ns = 0 |
		.histograms[] |= (.waits = {upto_ns: [], count: []} | .vcpus = [])' "$DIR/on.json" \
		>"$DIR/awake.json" && plot_without_gnuplot 0 "$DIR/awake.json" -o "$DIR/awake" &&
		grep -q 'no figure waits: no thread' "$DIR/err" &&
		grep -q 'no figure waited: no group' "$DIR/err" &&
		grep -q 'no figure latency: no thread' "$DIR/err" &&
		[[ ! -e $DIR/awake/waits.gp && ! -e $DIR/awake/latency.gp && -s $DIR/awake/time.gp ]]
}

only_the_figures_asked_for() {
	plot_without_gnuplot 0 --figure waits,lag "$OFF" -o "$DIR/two" &&
		holds "$DIR/two" lag.gp lag.tsv waits.gp waits.tsv
}

a_figure_that_cannot_be_drawn_is_said() {
	plot_without_gnuplot 0 --figure cores,lag "$OFF" -o "$DIR/left" &&
		grep -q "no figure cores: what its cores did is not known" "$DIR/err" &&
		holds "$DIR/left" lag.gp lag.tsv &&
		plot 2 --figure cores "$OFF" -o "$DIR/never" &&
		is_one_line "$DIR/err" "fanalyze: $OFF: no figure cores: " && [[ ! -e $DIR/never ]] &&
		plot 2 --figure gaps "$OFF" -o "$DIR/never" && grep -q 'fanalyze compare' "$DIR/err"
}

# 120 mm are 4.724 inches, of 96 pixels
width_is_that_of_the_image() {
	plot_without_gnuplot 0 --width 120 --figure lag "$OFF" -o "$DIR/width" &&
		grep -q '^width = 4.72441 ' "$DIR/width/lag.gp" &&
		plot_without_gnuplot 0 --width 2col --figure lag "$OFF" -o "$DIR/width" &&
		grep -q '^width = 7 ' "$DIR/width/lag.gp"
}

bad_looks() {
	local word

	for word in '' 3col 59 501 -80 nan 80mm; do
		usage_error --width --width "$word" "$OFF" -o "$DIR/never" || return
	done
	for word in '' shares 'share,' ,lag Share; do
		usage_error --figure --figure "$word" "$OFF" -o "$DIR/never" || return
	done
}

# usage_error WORD ARGUMENT...: status 2, the word in the first line, no directory
usage_error() {
	local line

	plot 2 "${@:2}" && is_empty "$DIR/out" && [[ ! -e $DIR/never ]] || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	[[ $line == "fanalyze plot: "*"$1"* ]]
}

bad_formats() {
	local format

	for format in '' gif 'svg,' ',svg' SVG 'svg png' svgz; do
		usage_error --image --image "$format" "$OFF" -o "$DIR/never" || return
	done
}

help_names_every_option() {
	local option

	"$FANALYZE" plot --help >"$DIR/out" || return
	cat "$DIR/out"
	for option in --output --image --figure --list --width --group --level --margin; do
		grep -qF -- "$option" "$DIR/out" || return
	done
	! grep -nE '.{81}' "$DIR/out"
}

echo 1..39
unless "$no_gnuplot" "tables, script and all images are there and named" all_files_are_there
unless "$no_gnuplot" "a line a figure tells of its files" files_are_told_by_figure
check "without gnuplot no image is told of" without_gnuplot_no_image_is_told
check "the tables hold the windows and groups of the report" the_tables_hold_the_report
check "the script says what the figure comes from, without paths" the_script_can_be_traced_back
check "the same again gives the same bytes" the_same_again_gives_the_same_bytes
unless "$no_gnuplot" "the script works alone" the_script_works_alone
unless "$no_gnuplot" "the script takes other formats" the_script_takes_other_formats
unless "$no_gnuplot" "gnuplot takes names with quotes and backslashes" gnuplot_takes_weird_names
unless "$no_gnuplot" "--image chooses the images" only_the_formats_asked_for
unless "$no_gnuplot" "groups may be processes" groups_may_be_processes
check "without gnuplot: a note, and the script" without_gnuplot_a_note_and_the_script
check "without gnuplot --image fails" without_gnuplot_a_format_cannot_be_had
check "images of other data do not stay" old_images_go
check "a directory that cannot be made is said" a_directory_that_cannot_be_made
check "a file that cannot be written is said" a_file_that_cannot_be_written
check "a file that is no trace makes no directory" a_bad_trace_makes_no_directory
check "plot without -o is refused" usage_error "-o DIR" "$OFF"
check "plot without a file is refused" usage_error trace.dat -o "$DIR/never"
check "plot with two files is refused" usage_error "one file" "$OFF" "$OFF" -o "$DIR/never"
check "bad formats are refused" bad_formats
check "bad analysis options are refused" usage_error --level --level 2 "$OFF" -o "$DIR/never"
check "--list names the figures and what they show" the_list_names_the_figures
check "tables and scripts of a trace are the expected ones" golden_of_a_trace
check "tables and scripts of a comparison are the expected ones" golden_of_a_comparison
check "tables and scripts of scores are the expected ones" golden_of_scores
unless "$no_xxhash" "the checksum is that of xxh128sum" the_checksum_can_be_verified
unless "$no_gnuplot" "every figure is rendered in every format" every_figure_is_rendered
unless "$no_gnuplot" "every script works alone" every_script_works_alone
unless "$no_gnuplot" "the same again gives the same images" images_are_the_same_again
check "a report in JSON draws as its trace does" a_report_draws_as_its_trace
unless "$no_gnuplot" "little of a trace is drawn without a warning" little_of_a_trace_is_drawn
unless "$no_gnuplot" "little of a comparison is drawn without a warning" little_of_a_comparison_is_drawn
check "without wake-ups there are no waits, and the rest" no_wake_ups_are_no_waits
check "--figure chooses the figures" only_the_figures_asked_for
check "what cannot be drawn is said, and the rest drawn" a_figure_that_cannot_be_drawn_is_said
check "--width is that of the image" width_is_that_of_the_image
check "bad widths and figures are refused" bad_looks
check "plot --help names every option in 80 columns" help_names_every_option
