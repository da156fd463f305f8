#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze report --html, compare --html, scores --html: one file that is well-formed, leads nowhere and holds
# every figure that can be drawn; how it looks is for make html-check.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
SCORES=$PWD/samples/scores
OFF=$PWD/tests/data/bed/bed-coresched-off.dat
no_gnuplot=
command -v gnuplot >/dev/null || no_gnuplot="no gnuplot here"
no_xmllint=
command -v xmllint >/dev/null || no_xmllint="no xmllint here"
mkdir "$DIR/empty" "$DIR/tmp"
cp samples/core-sched/{on,off}-[12].dat "$DIR"
cd -- "$DIR" || exit 1

# html STATUS ARGUMENT...: what it printed is in out and err; it leaves no folder behind
html() {
	TMPDIR=$DIR/tmp expect "$1" "$FANALYZE" "${@:2}" >out 2>err &&
		! compgen -G 'tmp/*' && return
	echo "$(<out)$(<err)" # no cat: there may be no PATH
	return 1
}

# html_without_gnuplot STATUS ARGUMENT...
html_without_gnuplot() {
	PATH=$DIR/empty html "$@"
}

# draws FILE NAME...: these figures are in it and no other, in this order
draws() {
	grep -o '<figure id="figure-[a-z_-]*' "$1" | sed 's/.*figure-//' >drawn
	tr ' ' '\n' <<<"${*:2}" | diff - drawn
}

# the figures that plot draws of the same, whatever their names
the_figures_of_plot_are_in_it() {
	html 0 report --html r.html on-1.dat && is_empty err &&
		"$FANALYZE" plot --image svg on-1.dat -o plot >/dev/null &&
		(cd plot && printf '%s\n' *.svg) | sed 's/\.svg$//' | sort >want &&
		[[ $(wc -l <want) -ge 7 ]] &&
		grep -o '<figure id="figure-[a-z_-]*' r.html | sed 's/.*figure-//' | sort |
		diff want - &&
		[[ $(grep -c '<svg role="img"' r.html) == "$(wc -l <want)" ]]
}

the_figures_of_a_comparison_are_in_it() {
	html 0 compare --html c.html --config off off-1.dat off-2.dat --config on on-1.dat \
		on-2.dat && is_empty err && draws c.html gaps runs series
}

# Lines of the text are broken, those of the page are not.
the_answer_is_that_of_the_text() {
	html 0 report --html a.html on-1.dat && "$FANALYZE" report on-1.dat >text &&
		diff -I '^  by  ' text out &&
		sed -n 's|^<p class="answer">\(.*\)</p>$|\1|p' a.html |
		sed "s/&#39;/'/g" >answer && [[ -s answer ]] &&
		[[ "$(tr '\n' ' ' <text)" == "$(tr '\n' ' ' <answer)"* ]]
}

# Of windows, of a summary, and of runs, whose gap has the title of the text.
scores_have_a_page_too() {
	local kind

	html 0 scores --html 2021.html "$SCORES-2021.csv" && is_empty err && draws 2021.html gaps ||
		return
	printf '%s\n' run,config,vm,score 1,a,vm1,10 1,a,vm2,9 2,a,vm1,11 2,a,vm2,9 >runs.csv
	html 0 scores --html runs.html runs.csv && is_empty err && draws runs.html gaps runs series &&
		grep -q '<h3>Gap between VMs: .*<code>between_vm</code></h3>' runs.html || return
	html 0 scores --expected 0.9 --html 2015.html "$SCORES-2015.csv" && is_empty err &&
		draws 2015.html gaps series || return
	for kind in 2015 2021 runs; do
		[[ $no_xmllint ]] || xmllint --noout $kind.html || return
	done
	"$FANALYZE" scores --expected 0.9 "$SCORES-2015.csv" >text &&
		sed -n 's|^<p class="answer">\(.*\)</p>$|\1|p' 2015.html |
		sed "s/&#39;/'/g" >answer && [[ -s answer ]] &&
		[[ "$(tr '\n' ' ' <text)" == "$(tr '\n' ' ' <answer)"* ]]
}

is_well_formed() {
	xmllint --noout r.html && xmllint --noout c.html
}

# Two figures that both have "gnuplot_canvas" would show each other's lines.
ids_are_unique_and_references_lead_to_one() {
	local file

	for file in r.html c.html; do
		grep -oE " id=[\"'][^\"']*" "$file" | sed "s/.*[\"']//" | sort >ids
		! uniq -d ids | grep . && [[ $(wc -l <ids) -gt 20 ]] || return
		grep -oE "(href=[\"']|url\()#[^\"')]*" "$file" | sed 's/.*#//' | sort -u >used
		[[ -s used ]] && ! comm -13 ids used | grep . || return
	done
}

# Namespaces are names, not places.
it_leads_nowhere_and_runs_nothing() {
	! grep -nE '<(script|link|iframe|img|object|embed)|@import| on[a-z]+=' r.html c.html &&
		! sed 's/ xmlns[:a-z]*="[^"]*"//g' r.html c.html | grep -nE 'https?:|//www|src=' &&
		! grep -n "$DIR" r.html c.html
}

the_same_again_is_the_same() {
	cp r.html before.html && html 0 report --html r.html on-1.dat && cmp before.html r.html
}

HOSTILE=$'</td><script>alert(1)</script>&"\'\xff\x1b]]>\xe2\x80\xae\xef\xbf\xbf'
ESCAPED='&lt;/td&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#39;\xFF\x1B]]&gt;'

# On the command line, as the name of a VM, in tables and in figures.
hostile_names_are_text() {
	html 0 report --vm "$HOSTILE=tgid:81" --vm 'b]]><!--=tgid:83' --html h.html on-1.dat &&
		is_empty err && ! grep -n '<script' h.html &&
		! LC_ALL=C grep -nP '[\x00-\x08\x0e-\x1f\xff]' h.html &&
		[[ $(grep -cF "$ESCAPED" h.html) -gt 5 ]] || return
	[[ $no_xmllint ]] || xmllint --noout h.html
}

groups_may_be_processes() {
	html 0 report --group process --html p.html on-1.dat && is_empty err &&
		grep -q '<span>vms.sh</span>' p.html || return
	[[ $no_xmllint ]] || xmllint --noout p.html
}

# No topology: no figure of cores, and the reason where it would stand.
what_cannot_be_drawn_is_said() {
	html 0 report --html off.html "$OFF" && is_empty err &&
		! grep -q figure-cores off.html &&
		grep 'No figure of .*What each core did' off.html |
		grep 'which CPUs are siblings; give --siblings'
}

without_gnuplot_it_is_said_and_the_tables_are_there() {
	html_without_gnuplot 0 report --html n.html on-1.dat &&
		is_one_line err "fanalyze: --html: no figures: gnuplot was not found" &&
		grep -q 'no figures: gnuplot was not found' n.html &&
		! grep -q '<figure' n.html && grep -q '<th scope="row"><span>vm2</span>' n.html
}

# A program of that name that fails: the page says so, too.
a_gnuplot_that_fails_is_said() {
	mkdir -p failing && printf '#!/bin/sh\necho "no more ink" >&2\nexit 1\n' >failing/gnuplot &&
		chmod +x failing/gnuplot &&
		PATH=$DIR/failing:$PATH html 0 report --html f.html on-1.dat &&
		grep -q '^fanalyze: --html: no figure [a-z]*: gnuplot: no more ink$' err &&
		grep -q 'gnuplot: no more ink' f.html && ! grep -q '<figure' f.html
}

a_page_may_go_to_standard_output() {
	html_without_gnuplot 0 report --html - on-1.dat &&
		[[ $(head -1 out) == '<!DOCTYPE html>' && $(tail -1 out) == '</html>' ]]
}

# A link like /dev/stdout must not be replaced by a file, least of all as root.
a_link_stays_a_link() {
	echo old >target && ln -s target link && html_without_gnuplot 0 report --html link on-1.dat &&
		[[ -L link && $(tail -1 target) == '</html>' ]]
}

# refused TEXT ARGUMENT...: status 2, the text in the first line, nothing on standard output
refused() {
	local line

	html 2 "${@:2}" && is_empty out && read -r line <err && echo "$line" &&
		[[ $line == *"$1"* ]]
}

two_forms_on_standard_output_are_refused() {
	refused "cannot both be -" report --html - --json - on-1.dat &&
		refused "cannot both be -" compare --html - --csv - --config a on-1.dat
}

# Nothing half is left, nor is what was there lost.
a_page_that_cannot_be_written_leaves_nothing() {
	html_without_gnuplot 1 report --html none/x.html on-1.dat &&
		grep -q '^fanalyze: none/x.html: cannot write it' err &&
		html_without_gnuplot 1 report --html /dev/full on-1.dat &&
		grep -q '^fanalyze: /dev/full: the page cannot be written: No space' err &&
		[[ ! -e none ]]
}

a_bad_trace_leaves_the_page_alone() {
	echo nonsense >bad.dat && echo kept >kept.html &&
		html 2 report --html kept.html bad.dat && [[ $(<kept.html) == kept ]]
}

# As root everything may be written to, but nothing below a file.
no_folder_for_the_figures_is_said() {
	touch file && TMPDIR=$DIR/file/below expect 0 "$FANALYZE" report --html t.html on-1.dat \
		>out 2>err && is_one_line err "fanalyze: --html: no figures: cannot make a folder" &&
		grep -q 'cannot make a folder' t.html
}

echo 1..20
unless "$no_gnuplot" "the figures of plot are in the page, and no other" \
	the_figures_of_plot_are_in_it
unless "$no_gnuplot" "those of a comparison are in its page" the_figures_of_a_comparison_are_in_it
check "the page begins with the answer of the text, which is printed too" \
	the_answer_is_that_of_the_text
unless "$no_gnuplot" "scores have a page, too" scores_have_a_page_too
unless "$no_xmllint$no_gnuplot" "pages are well-formed" is_well_formed
unless "$no_gnuplot" "ids are unique, and references lead to one" \
	ids_are_unique_and_references_lead_to_one
unless "$no_gnuplot" "a page leads nowhere and runs nothing" it_leads_nowhere_and_runs_nothing
unless "$no_gnuplot" "the same again gives the same bytes" the_same_again_is_the_same
unless "$no_gnuplot" "hostile names are text, in figures too" hostile_names_are_text
unless "$no_gnuplot" "groups may be processes" groups_may_be_processes
unless "$no_gnuplot" "what cannot be drawn is said" what_cannot_be_drawn_is_said
check "without gnuplot: the tables, and a sentence" without_gnuplot_it_is_said_and_the_tables_are_there
check "a gnuplot that fails is said" a_gnuplot_that_fails_is_said
check "--html - is standard output" a_page_may_go_to_standard_output
check "a link stays a link" a_link_stays_a_link
check "two forms on standard output are refused" two_forms_on_standard_output_are_refused
check "--html without a name is refused" refused "file name is empty" report --html '' on-1.dat
check "a page that cannot be written leaves nothing" a_page_that_cannot_be_written_leaves_nothing
check "a file that is no trace leaves the page alone" a_bad_trace_leaves_the_page_alone
check "a folder that cannot be made is said" no_folder_for_the_figures_is_said
