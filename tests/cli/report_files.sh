#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# --csv and --tex of report and audit: beside the text and in place of it.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TRACE=samples/two-vms.dat
OFF=tests/data/bed/bed-coresched-off.dat

files_beside_the_text() {
	local dir=$DIR/$1

	mkdir "$dir" && "$FANALYZE" "$1" --siblings '0-1;2-3' "$OFF" >"$DIR/text"
	"$FANALYZE" "$1" --siblings '0-1;2-3' --csv "$dir/r.csv" --tex "$dir/r.tex" \
		--json "$dir/r.json" "$OFF" >"$DIR/out" 2>"$DIR/err"
	is_empty "$DIR/err" && diff <(sed '/^ *by  /,$d' "$DIR/text") <(sed '/^ *by  /,$d' "$DIR/out") &&
		head -1 "$dir/r.csv" | grep -q '^source.file,' && grep -q '\\toprule' "$dir/r.tex" &&
		jq -e '.schema == "fcap-report/1"' "$dir/r.json" &&
		[[ $(cd "$dir" && echo *) == "r.csv r.json r.tex" ]]
}

in_place_of_the_text() {
	expect 0 "$FANALYZE" report --csv - "$TRACE" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && (($(wc -l <"$DIR/out") == 3)) &&
		expect 0 "$FANALYZE" report --tex - "$TRACE" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && head -1 "$DIR/out" | grep -q '^% by fanalyze ' &&
		tail -1 "$DIR/out" | grep -q '^\\end{tabular}$'
}

# Numbers of the CSV are those of the JSON, to the last digit, by their names.
csv_is_the_json() {
	expect 0 "$FANALYZE" report --csv "$DIR/r.csv" --json "$DIR/r.json" "$1" >"$DIR/out" || return
	python3 - "$DIR/r.csv" "$DIR/r.json" <<'END'
import csv, json, re, sys
rows = list(csv.DictReader(open(sys.argv[1], newline="")))
groups = json.load(open(sys.argv[2]))["groups"]
assert len(rows) == len(groups) > 1
checked = 0
for row, group in zip(rows, groups):
    assert None not in row and None not in row.values()
    for name, cell in row.items():
        if re.match(r"(source|tool|quality)\.", name):
            continue
        at = group
        for key in re.sub(r"(share_bounds\...)_pct", r"\1", name).split("."):
            at = at[key]
        if at is None or at == []:
            assert cell == "" or name == "verdict.indicative", (name, cell)
        elif isinstance(at, bool):
            assert cell == ("true" if at else "false"), (name, cell)
        elif isinstance(at, (int, float)):
            assert float(cell) == at, (name, cell, at)
            checked += 1
        elif isinstance(at, list):
            assert cell == "; ".join(at), (name, cell, at)
        else:
            assert cell == at, (name, cell, at)
assert checked > 50, checked
END
}

refused() {
	expect 2 "$FANALYZE" report "${@:2}" "$TRACE" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/out" && grep -qF -- "$1" "$DIR/err"
}

only_one_goes_to_standard_output() {
	refused "can be -" --csv - --tex - && refused "can be -" --json - --csv - &&
		refused "the file name is empty" --csv "" && refused "the file name is empty" --tex=
}

# a line of LaTeX around it, as a paper has
latex_takes_it() {
	"$FANALYZE" audit --siblings '0-1;2-3' --tex "$DIR/audit.tex" "$OFF" >"$DIR/out"
	expect 0 "$FANALYZE" report --tex "$DIR/report.tex" "$TRACE" >"$DIR/out" || return
	printf '%s\n' '\documentclass{article}\usepackage{booktabs}\begin{document}' \
		'\input{report.tex}' '\input{audit.tex}' '\end{document}' >"$DIR/paper.tex"
	(cd "$DIR" && pdflatex -halt-on-error -interaction=batchmode paper.tex) && [[ -s $DIR/paper.pdf ]]
}

no_latex=''
command -v pdflatex >/dev/null && kpsewhich booktabs.sty >/dev/null || no_latex="no LaTeX with booktabs"

echo 1..7
check "report writes CSV, LaTeX and JSON beside the text" files_beside_the_text report
check "so does audit" files_beside_the_text audit
check "one of them in place of the text is alone" in_place_of_the_text
check "the CSV of a recording has the numbers of the JSON" csv_is_the_json "$TRACE"
check "and so has that of another" csv_is_the_json "$OFF"
check "two on standard output are refused, and empty names" only_one_goes_to_standard_output
unless "$no_latex" "LaTeX takes the tables" latex_takes_it
