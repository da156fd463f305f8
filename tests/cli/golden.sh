#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Reports on the shipped trace against those that were looked at: text as it is, JSON with its
# numbers to 1e-9. After a change that is meant, GOLDEN_REFRESH=1 writes them anew: look at the
# difference before it is committed.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh"
GOLDEN=$ROOT/tests/data/golden
TRACE=samples/two-vms.dat
cd "$ROOT" || exit 1

# The version and the command are not what is tested.
plain_text() {
	sed 's/^  by       fanalyze .*/  by       fanalyze/'
}

plain_json() {
	jq '.tool.version = null | .tool.command = null'
}

# against NAME: standard input is what golden/NAME holds
against() {
	if [[ ${GOLDEN_REFRESH-} ]]; then
		cat >"$GOLDEN/$1"
	else
		diff "$GOLDEN/$1" -
	fi
}

text_is_golden() {
	"$B/fanalyze" report "${@:2}" "$TRACE" | plain_text | against "$1"
}

# Every number within 1e-9 of the golden one, everything else equal.
json_is_golden() {
	"$B/fanalyze" report --json - "${@:2}" "$TRACE" | plain_json >"$DIR/json" || return
	if [[ ${GOLDEN_REFRESH-} ]]; then
		cp "$DIR/json" "$GOLDEN/$1"
		return
	fi
	jq -en --slurpfile a "$GOLDEN/$1" --slurpfile b "$DIR/json" '
		def leaves: [path(.. | select(type != "object" and type != "array")) as $p |
			{key: ($p | map(tostring) | join("/")), value: getpath($p)}] | from_entries;
		def near($x; $y): if ($x | type) == "number" and ($y | type) == "number"
			then ($x - $y | fabs) <= 1e-9 * ($x | fabs) + 1e-15 else $x == $y end;
		($a[0] | leaves) as $x | ($b[0] | leaves) as $y |
		($x | keys) == ($y | keys) and all($x | keys[]; . as $k | near($x[$k]; $y[$k]))
	' >/dev/null || {
		diff <(jq -S . "$GOLDEN/$1") <(jq -S . "$DIR/json")
		return 1
	}
}

echo "1..4"
check "the text report is as it was looked at" text_is_golden two-vms.txt
check "the JSON report is as it was looked at" json_is_golden two-vms.json
check "a chosen stretch, groups and weights give the text that was looked at" \
	text_is_golden two-vms-chosen.txt --vm A=tids:100,101,102 --vm B=tids:98,99 \
	--weight A=2048 --weight B=1024 --from 500ms --to 2.5s
check "processes give the text that was looked at" \
	text_is_golden two-vms-process.txt --group process
