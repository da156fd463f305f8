#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# plugin_fcap.so in trace-cmd report: the lines of fcap in words, and no other line another one.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TRACE=samples/core-sched/on-1.dat
export HOME=$DIR # so that nobody's own plugins are loaded
unset TRACEEVENT_PLUGIN_DIR

# plain FILE [OPTION...]: the report without the plugin; one that is installed leaves raw lines
plain() {
	trace-cmd report -O fcap:raw -i "$1" "${@:2}" 2>/dev/null
}

# with FILE [OPTION...]: the report with it; warnings count
with() {
	TRACEEVENT_PLUGIN_DIR=$DIR/plugins trace-cmd report -i "$1" "${@:2}" 2>"$DIR/err" &&
		is_empty "$DIR/err"
}

is_loaded() {
	TRACEEVENT_PLUGIN_DIR=$DIR/plugins trace-cmd list -P | grep -F "$DIR/plugins/plugin_fcap.so" &&
		TRACEEVENT_PLUGIN_DIR=$DIR/plugins trace-cmd list -O >"$DIR/options" || return
	grep -A2 "plugin:.fcap" "$DIR/options" | grep "option:.raw" &&
		grep -A2 "plugin:.fcap" "$DIR/options" | grep "option:.kinds"
}

# Of every pair of lines one of which is another: what was raw is ours, and has not lost its front.
only_ours_change() {
	local file

	for file in samples/core-sched/on-1.dat samples/steal/run-1.dat samples/two-vms.dat; do
		plain "$file" >"$DIR/without" && with "$file" >"$DIR/with" || return
		[[ $(wc -l <"$DIR/without") == $(wc -l <"$DIR/with") ]] || return
		paste -d $'\001' "$DIR/without" "$DIR/with" | awk -F $'\001' -v file="$file" '
			$1 ~ /: print: .*0x0: fcap: / {
				ours++
				front = index($1, "0x0: fcap: ")
				bad += $2 !~ /: print: +fcap [a-z]+/ ||
					substr($1, 1, front - 1) != substr($2, 1, front - 1)
				next
			}
			{ others++; bad += $1 != $2 }
			END { print file ": " ours + 0 " ours, " others " others, " bad + 0 " bad"; exit bad > 0 }
		' >>"$DIR/counts" || { cat "$DIR/counts"; return 1; }
	done
	cat "$DIR/counts"
	grep "on-1.dat: [1-9][0-9]* ours, [1-9][0-9]* others" "$DIR/counts" &&
		grep "run-1.dat: [1-9][0-9]* ours, [1-9][0-9]* others" "$DIR/counts" &&
		grep "two-vms.dat: 0 ours, [1-9][0-9]* others" "$DIR/counts"
}

# holds LINE: the text behind "print:" of the report with the plugin
holds() {
	grep -qF -- "$1" "$DIR/with" || { echo "no \"$1\""; false; }
}

lines_are_in_words() {
	with "$TRACE" >"$DIR/with" && plain "$TRACE" >"$DIR/without" || return
	grep -qF 'fcap: vcpu tid=88 tgid=83 id=0' "$DIR/without" &&
		holds 'fcap vcpu CPU 0/KVM-88: of microvm-83, number 0' || return
	grep -qF 'fcap: host cpu=0 steal=0 unit=10000000 total=418' "$DIR/without" &&
		holds 'fcap host CPU 0: steal 0 ns, in ticks of 10.000 ms, total 4.180 s' || return
	grep -qF 'fcap: end events=4745 bytes=299008 fcap_cpu_ns=453696000' "$DIR/without" &&
		holds 'fcap end: events=4745, 299008 bytes, CPU time of fcap 453.696 ms'
}

options_choose() {
	with "$TRACE" -O fcap:raw >"$DIR/with" && plain "$TRACE" | diff - "$DIR/with" || return
	with "$TRACE" -O fcap:kinds=vcpu,end >"$DIR/with" &&
		sed -nE 's/.*: print: +(0x0: )?(fcap:? [a-z]+).*/\2/p' "$DIR/with" |
			sort -u >"$DIR/kinds" || return
	cat "$DIR/kinds"
	grep -qx 'fcap vcpu' "$DIR/kinds" && grep -qx 'fcap end' "$DIR/kinds" &&
		grep -qx 'fcap: steal' "$DIR/kinds" && [[ $(grep -c '^fcap ' "$DIR/kinds") == 2 ]]
}

fields_are_left_alone() {
	plain "$TRACE" -R >"$DIR/without" && with "$TRACE" -R | diff "$DIR/without" -
}

echo 1..5
why=''
command -v trace-cmd >/dev/null || why="trace-cmd is not installed"
! nm -D "$B/plugin_fcap.so" 2>/dev/null | grep -q __asan ||
	why="the plugin is built with instruments, which trace-cmd is not"
mkdir "$DIR/plugins" && cp "$B/plugin_fcap.so" "$DIR/plugins" || exit 1
unless "$why" "trace-cmd loads the plugin and lists its options" is_loaded
unless "$why" "no line changes but those of fcap" only_ours_change
unless "$why" "those are in words, with names and units" lines_are_in_words
unless "$why" "options leave all lines, or all but some kinds, as they stand" options_choose
unless "$why" "raw fields are shown without it" fields_are_left_alone
