#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# perf fcap record on the real kernel: the command's options and its status get through.
set -u
B=$(realpath -- "${B:-build}") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1

# Status 7, and everything behind -- in the file as it was typed.
command_and_status_get_through() {
	expect 7 perf fcap record -o "$DIR/t.dat" --sample 50ms -- \
		sh -c 'exit 7' -v --output x -- y >"$DIR/out" 2>"$DIR/err" || return
	grep '^fcap: wrote' "$DIR/err" && expect 0 "$B/fanalyze" info "$DIR/t.dat" >"$DIR/info" &&
		grep -x 'command: sh -c exit 7 -v --output x -- y' "$DIR/info"
}

# perf takes 127 for its own failure; the manual says so
what_cannot_be_found_is_1() {
	expect 1 perf fcap record -o "$DIR/n.dat" -- "$DIR/none" >"$DIR/out" 2>"$DIR/err" &&
		grep "^fcap: $DIR/none: " "$DIR/err"
}

echo 1..2
why=''
[[ $(id -u) == 0 ]] || why="needs root"
[[ -d /sys/kernel/tracing/instances ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
	why=${why:-"no tracefs"}
command -v perf >/dev/null || why="perf is not installed"
mkdir "$DIR/bin" && ln -s "$B/fcap" "$DIR/bin/perf-fcap" || exit 1
PATH=$DIR/bin:$PATH
unless "$why" "options behind -- and the status are kept" command_and_status_get_through
unless "$why" "a command that is not found ends with perf's own status" what_cannot_be_found_is_1
