#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The schemas describe what the verbs write, all of it, in the opinion of somebody else's validator.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
FANALYZE=$B/fanalyze

# valid NAME JSON: a file against the schema of this name
valid() {
	"$FANALYZE" schema "$1" >"$DIR/schema" && /usr/bin/python3 - "$DIR/schema" "$2" <<'END'
import json, sys
import jsonschema
schema, found = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
errors = list(jsonschema.Draft202012Validator(schema).iter_errors(found))
for e in errors[:5]:
	print("/".join(map(str, e.absolute_path)), e.message[:200])
sys.exit(1 if errors else 0)
END
}

invalid() {
	! valid "$@" >"$DIR/said" && grep -q . "$DIR/said" && ! grep -q Traceback "$DIR/said"
}

reports_are_valid() {
	local file n=0

	for file in tests/data/bed/*.dat tests/data/bed-fcap/*.dat; do
		echo "$file"
		"$FANALYZE" report --json "$DIR/json" "$file" >/dev/null || return
		valid report "$DIR/json" || return
		n=$((n + 1))
	done
	[[ $n -gt 4 ]]
}

information_is_valid() {
	local file

	for file in tests/data/bed/*.dat tests/data/bed-fcap/*.dat; do
		echo "$file"
		"$FANALYZE" info --json "$DIR/json" "$file" >/dev/null || return
		valid info "$DIR/json" || return
	done
}

comparisons_are_valid() {
	local file

	for file in samples/scores-*.csv; do
		"$FANALYZE" scores --json "$DIR/json" "$file" >/dev/null && valid compare "$DIR/json" ||
			return
	done
	"$FANALYZE" compare --json "$DIR/json" --config off tests/data/bed/*off*.dat \
		--config on tests/data/bed/*on*.dat >/dev/null && valid compare "$DIR/json"
}

# what is left out, added or of another type is seen: the schema is not a rubber stamp
other_json_is_not_valid() {
	local file change

	file=$(printf '%s\n' tests/data/bed/*off*.dat | head -1)
	"$FANALYZE" report --json "$DIR/json" "$file" >/dev/null && valid report "$DIR/json" || return
	for change in 'del(.groups[0].share.se)' '.groups[1].run_ns = "1"' '.isolation.more = 1' \
		'.schema = "fcap-report/2"' 'del(.quality)' '.series.groups[].share = 1' \
		'.groups[0].verdict.indicative = null'; do
		echo "$change"
		jq "$change" "$DIR/json" >"$DIR/other" || return
		invalid report "$DIR/other" || return
	done
	invalid compare "$DIR/json"
}

# a paragraph for every path in the JSON of a report
the_page_has_every_field() {
	"$FANALYZE" schema report --as man | sed -n 's/^\\fB\(.*\)\\fR.*/\1/p' | sed 's/\\-/-/g' |
		sort >"$DIR/page"
	"$FANALYZE" schema report | jq -r 'def walk_fields: .properties // {} | to_entries[] |
		.key as $k | .value | if .type == "array" and .items.properties then
			"\($k)[]", (.items | walk_fields | "\($k)[].\(.)")
		elif .type == "object" and (.additionalProperties | type) == "object" and
			(.additionalProperties | has("properties")) then
			"\($k){NAME}", (.additionalProperties | walk_fields | "\($k){NAME}.\(.)")
		elif .type == "object" and .properties then $k, (walk_fields | "\($k).\(.)")
		else $k end; walk_fields' | sed 's/[\[{].*[]}]$/&/' | sort >"$DIR/schema"
	[[ $(wc -l <"$DIR/page") -gt 150 ]] && diff <(sed 's/{NAME}$//' "$DIR/page") \
		<(sed 's/{NAME}$//' "$DIR/schema")
}

# of an estimate by their names in the code, of a result by what shipped recordings hold
the_page_has_every_flag() {
	local file

	"$FANALYZE" schema --as man >"$DIR/man" && sed -nE 's/^\\fB([^ ]*)\\fR$/\1/p' "$DIR/man" |
		sed 's/\\-/-/g' | sort -u >"$DIR/page" || return
	{
		sed -n '/^const char \*fan_est_flag_name/,/};/s/^\t\t"\(.*\)",$/\1/p' analyze/stats/est.c
		for file in tests/data/bed*/*.dat; do
			"$FANALYZE" report --json - "$file" | jq -r '.. | .flags? // empty | .[]'
		done
	} | sort -u >"$DIR/flags"
	[[ $(wc -l <"$DIR/flags") -gt 30 ]] && ! comm -23 "$DIR/flags" "$DIR/page" | grep .
}

# all that the reader of JSON knows as unit, method or verdict is explained
the_page_has_every_word() {
	local word

	sed 's/\\-/-/g' "$B/fcap-report.5" >"$DIR/page"
	sed -n '/^static const char \*const words/,/^};/s/^\t"\(.*\)",$/\1/p' \
		analyze/report/read_json_est.c >"$DIR/words"
	[[ $(wc -l <"$DIR/words") -gt 30 ]] || return
	while IFS= read -r word; do
		grep -E "^\\.BR?( |.* )\"?$word( |\$)" "$DIR/page" || { echo "$word" && return 1; }
	done <"$DIR/words"
}

bad_usage_is_refused() {
	expect 2 "$FANALYZE" schema && expect 2 "$FANALYZE" schema rep &&
		expect 2 "$FANALYZE" schema report info && expect 2 "$FANALYZE" schema --as x report
}

no_python=
/usr/bin/python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
	no_python="no python3-jsonschema with draft 2020-12"

echo 1..8
unless "$no_python" "reports are as the schema says" reports_are_valid
unless "$no_python" "what info tells is as the schema says" information_is_valid
unless "$no_python" "comparisons and scores are as the schema says" comparisons_are_valid
unless "$no_python" "other JSON is not" other_json_is_not_valid
check "the page has a paragraph for every field" the_page_has_every_field
check "the page has every flag" the_page_has_every_flag
check "fcap-report(5) has every unit, method and word of a verdict" the_page_has_every_word
check "wrong usage is refused" bad_usage_is_refused
