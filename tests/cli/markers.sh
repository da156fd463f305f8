#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap-marker(5) knows every kind and key of marker that the code writes, that the plugin shows and
# that shipped recordings hold, and no other.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
FANALYZE=$B/fanalyze
PAGE=capture/fcap-marker.5

# pairs: "KIND KEY" of every paragraph of the page; a label's key is label.*
pairs() {
	awk '/^\.SH / { is_in = $0 == ".SH KINDS" } !is_in { next }
		/^\.SS / { kind = $2 } tag { print kind, $0 } { tag = $0 == ".TP" }' "$PAGE" |
		sed -E 's/"[^"]*identifying[^"]*"//; s/ \.B[IR]? / /; s/[",]//g; s/label\. KEY/label.*/' |
		awk '{ for (i = 2; i <= NF; i++) print $1, $i }' | LC_ALL=C sort
}

kinds_of_page() {
	awk '/^\.SH / { is_in = $0 == ".SH KINDS" } is_in && /^\.SS / { print $2 }' "$PAGE" | sort
}

# kinds_of_code: what a line begins with, and the two that a workload names itself
kinds_of_code() {
	{
		grep -ohE 'cap_emit_begin\([^"]*"[a-z_]+"' capture/*.c
		grep -ohE 'fcap_marker_is\(m, "[a-z]+"' capture/workpipe.c
	} | sed 's/.*"\(.*\)"/\1/' | sort -u
}

# keys_of_code: in calls, and in the tables of machine.c, topology.c and the work of a workload
keys_of_code() {
	{
		grep -ohE 'cap_emit_(str|u64|i64)\([^,]+, "[a-z_]+"' capture/*.c
		sed -nE 's/^\t\{ ("[a-z0-9_]+"), .*(true|false) \},$/\1/p' capture/machine.c
		sed -n '/computed\[[A-Z]*\] = /,/;/p' capture/machine.c | grep -oE '"[a-z_]+"'
		sed -nE 's/^\t\t\{ ("[a-z]+"), "[a-z_]+" \},.*/\1/p' capture/topology.c
		grep -hE '_keys\[\] = |facts\[\] = ' capture/workpipe.c capture/guest_lines.c |
			grep -oE '"[a-z_]+"'
	} | sed 's/.*"\(.*\)"/\1/' | sort -u
}

kinds_agree() {
	[[ $(kinds_of_code | wc -l) -gt 15 ]] && diff <(kinds_of_code) <(kinds_of_page)
}

keys_agree() {
	keys_of_code >"$DIR/code"
	[[ $(wc -l <"$DIR/code") -gt 70 ]] &&
		diff "$DIR/code" <(pairs | cut -d ' ' -f 2 | grep -v '^label' | sort -u)
}

# what the plugin has words for
plugin_agrees() {
	sed -nE 's/^\t\{ "([a-z]+)", "([a-z_]+)", .*/\1 \2/p' analyze/plugin/words.c |
		LC_ALL=C sort >"$DIR/plugin"
	[[ $(wc -l <"$DIR/plugin") -gt 30 ]] && ! LC_ALL=C comm -23 "$DIR/plugin" <(pairs) | grep .
}

recordings_agree() {
	local file

	for file in tests/data/bed-fcap/*.dat samples/two-vms.dat; do
		"$FANALYZE" export --what markers --as jsonl "$file" | jq -r '.kind as $k |
			.keys | keys[] | "\($k) \(.)"' || return
	done | sed 's/ label\..*/ label.*/' | LC_ALL=C sort -u >"$DIR/found"
	[[ $(wc -l <"$DIR/found") -gt 40 ]] && ! LC_ALL=C comm -23 "$DIR/found" <(pairs) | grep .
}

no_jq=
command -v jq >/dev/null || no_jq="jq is not installed"

echo 1..4
check "the page has every kind that fcap writes, and no other" kinds_agree
check "the page has every key that fcap writes, and no other" keys_agree
check "what the plugin has words for is in the page" plugin_agrees
unless "$no_jq" "every key of a shipped recording is in the page, with its kind" recordings_agree
