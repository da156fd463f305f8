#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A short campaign on the real kernel: labels in the files and in the command, and the comparison.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
export FCAP=$B/fcap FANALYZE=$B/fanalyze
C=$DIR/campaign

no_trace=
if [[ $(id -u) != 0 ]]; then
	no_trace="needs root"
elif [[ ! -d /sys/kernel/tracing/instances ]] &&
	! mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null; then
	no_trace="no tracefs"
fi
no_compare=$no_trace
[[ $no_compare ]] || "$FANALYZE" --help | grep -q '^  compare ' || no_compare="no verb compare"

# shellcheck disable=SC2016 # the inner shell expands it
run_campaign() {
	"$ROOT/samples/campaign.sh" --dir "$C" --runs 2 --label side=a,b -- sh -c '
		echo "$FCAP_LABEL_side $FCAP_LABEL_order $FCAP_LABEL_block" >>"$0"
		"$1" --seconds 500ms --workers 1 >/dev/null' \
		"$DIR/seen" "$ROOT/samples/run-groups.sh" >"$DIR/out" 2>"$DIR/err"
	cat "$DIR/out" "$DIR/err"
	local files=("$C"/run-*.dat)

	((${#files[@]} == 4))
}

commands_found_their_labels() {
	diff - "$DIR/seen" <<'END'
a 1 1
b 2 1
b 3 2
a 4 2
END
}

files_carry_their_labels() {
	"$B/fanalyze" report --json - --group process "$C/run-0003-b.dat" |
		jq -e '.source.labels == {side: "b", order: "3", block: "2"}'
}

the_comparison_names_both_sides() {
	cat "$DIR/out"
	grep -qw a "$DIR/out" && grep -qw b "$DIR/out"
}

echo 1..4
unless "$no_trace" "four runs are recorded" run_campaign
unless "$no_trace" "each command found its labels" commands_found_their_labels
unless "$no_trace" "each file carries its labels" files_carry_their_labels
unless "$no_compare" "the comparison names both sides" the_comparison_names_both_sides
