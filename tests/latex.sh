#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sets papers in two columns with LaTeX: every figure, as .tex and as .pdf, one column and two wide,
# and the tables of compare and scores; VMs have names that mean something to LaTeX. Nothing may be
# missing, stick out or be complained of.
# Usage: tests/latex.sh; environment: B (build), PAPERS (a directory where the papers stay).
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
KEEP=
[[ ${PAPERS-} ]] && KEEP=$(realpath -m -- "$PAPERS")
cd -- "${BASH_SOURCE[0]%/*}/.." || exit 1

usage() {
	sed -n 's/^# //; 3,6p' -- tests/latex.sh
}

if [[ ${1-} == --help ]]; then
	usage
	exit 0
fi
if (($#)); then
	echo "latex.sh: $1: it takes no arguments; see --help" >&2
	exit 2
fi
for program in pdflatex gnuplot jq; do
	if ! command -v "$program" >/dev/null; then
		echo "latex.sh: $program: not found; tests/deps.sh latex installs it" >&2
		exit 1
	fi
done
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
RUNS=$PWD/samples/core-sched
SCORES=$PWD/samples/scores-2015.csv

# make_inputs: a report whose VMs have hard names, a comparison, scores, and their tables
make_inputs() {
	"$FANALYZE" report --json - "$RUNS/on-1.dat" |
		jq '(.. | strings) |= (if . == "vm1" then "a_b&50%#1" elif . == "vm2" then "$x^{~}\\2" else . end) |
			(.histograms, .occupancy.cpus[].groups) |= with_entries(.key |= (if . == "vm1" then "a_b&50%#1" else "$x^{~}\\2" end)) |
			.series.groups |= with_entries(.key |= (if . == "vm1" then "a_b&50%#1" else "$x^{~}\\2" end))' \
			>"$DIR/report.json" &&
		"$FANALYZE" compare --json "$DIR/compare.json" --tex "$DIR/compare.tex" \
			--config off "$RUNS"/off-*.dat --config on "$RUNS"/on-*.dat >/dev/null &&
		"$FANALYZE" scores --expected 0.9 --json "$DIR/scores.json" --tex "$DIR/scores.tex" \
			"$SCORES" >/dev/null
}

# a page 7 inches wide, of two columns of 3.4
head_of() {
	cat <<-'END'
		\documentclass[twocolumn]{article}
		\usepackage[letterpaper,textwidth=7in,textheight=9in]{geometry}
		\usepackage{graphicx,color,booktabs}
		\setlength{\columnsep}{0.2in}
		\begin{document}
	END
}

# put_figure ENVIRONMENT DIRECTORY NAME: once as .tex, once as .pdf
put_figure() {
	printf '\\graphicspath{{%s/}}\n' "$2"
	printf '\\begin{%s}\\centering\\input{%s/%s-tex.tex}\\end{%s}\n' "$1" "$2" "$3" "$1"
	printf '\\begin{%s}\\centering\\includegraphics{%s/%s.pdf}\\end{%s}\n\\clearpage\n' "$1" "$2" "$3" "$1"
}

# put_tables FILE: each tabular in a line of its own
put_tables() {
	printf '\\begin{table*}\\centering\\footnotesize\n'
	sed 's/^\\end{tabular}$/&\n\n\\medskip/' "$1"
	printf '\\end{table*}\n\\clearpage\n'
}

# put_paper WIDTH
put_paper() {
	local environment=figure set gp

	[[ $1 == 1col ]] || environment='figure*'
	head_of
	for set in report compare scores; do
		for gp in "$DIR/$1/$set"/*.gp; do
			gp=${gp##*/}
			put_figure "$environment" "$set" "${gp%.gp}"
		done
	done
	put_tables "$DIR/compare.tex"
	put_tables "$DIR/scores.tex"
	printf '\\end{document}\n'
}

# draw_all WIDTH: every figure that --list names is drawn from one of the three
draw_all() {
	local set

	for set in report compare scores; do
		"$FANALYZE" plot --width "$1" --image pdf,tex "$DIR/$set.json" -o "$DIR/$1/$set" \
			>/dev/null || return
	done
	diff <("$FANALYZE" plot --list | cut -d ' ' -f 1 | sort) \
		<(cd "$DIR/$1" && printf '%s\n' ./*/*.gp | sed 's|.*/||; s/\.gp$//' | sort -u)
}

# sets WIDTH: LaTeX makes the paper and complains of nothing
sets() {
	put_paper "$1" >"$DIR/$1/paper.tex" || return
	(cd "$DIR/$1" && pdflatex -interaction=nonstopmode -halt-on-error paper.tex) >"$DIR/said" 2>&1 || {
		grep -A5 '^!' "$DIR/said"
		return 1
	}
	! grep -nE -A2 '^(Over|Under)full|Warning: .*(not found|undefined|too large)|Missing character' \
		"$DIR/$1/paper.log"
}

# takes_in_all WIDTH: the picture of each figure, and the one below its text
takes_in_all() {
	local gp name

	for gp in "$DIR/$1"/*/*.gp; do
		name=${gp#"$DIR/$1/"}
		name=${name%.gp}
		# the log breaks its lines anywhere
		tr -d '\n' <"$DIR/$1/paper.log" >"$DIR/flat"
		if ! grep -qF "<$name.pdf" "$DIR/flat" || ! grep -qF "${name##*/}-tex.pdf" "$DIR/flat"; then
			echo "$name is not in the paper"
			return 1
		fi
	done
	[[ $(head -c 5 "$DIR/$1/paper.pdf") == %PDF- ]]
}

echo 1..7
check "reports, comparisons and scores are there, with tables" make_inputs
for width in 1col 2col; do
	check "$width: every figure is drawn as .pdf and .tex" draw_all "$width"
	check "$width: LaTeX sets them and the tables without a complaint" sets "$width"
	check "$width: all are in the paper" takes_in_all "$width"
done
if [[ $KEEP ]]; then
	mkdir -p "$KEEP" && cp -r "$DIR/1col" "$DIR/2col" "$KEEP"
fi
