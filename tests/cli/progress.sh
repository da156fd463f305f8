#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A reading that takes more than a second says on a terminal how far it is, and leaves nothing there.
set -u
B=$(realpath -- "${B:-build}") || exit 1
FANALYZE=$B/fanalyze
SLOW=$B/tests/preload/slow_pread.so
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
V6=tests/data/bed/bed-coresched-off-v6.dat

# on_terminal MS COMMAND...: what it writes to a terminal, $DIR/tty, in which "@" begins a line where
# the terminal is told to erase one; each read of a page or more takes MS longer
on_terminal() {
	local command

	printf -v command '%q ' env "SLOW_PREAD_MS=$1" "LD_PRELOAD=$SLOW" "${@:2}"
	TERM=${TERMINAL:-xterm} timeout 60 script -qec "$command" /dev/null </dev/null >"$DIR/raw" || {
		cat -v "$DIR/raw"
		return 1
	}
	sed 's/\r\x1b\[K/\n@/g; s/\r$//' "$DIR/raw" >"$DIR/tty"
}

# The last of it is that the line is erased, then comes what the verb says.
is_shown_by() {
	on_terminal 70 "$FANALYZE" "$@" "$V6" || return
	head -30 "$DIR/tty"
	grep -qaE "^@reading: [0-9]+ %, [0-9.]+ MB/s, [0-9]+:[0-9][0-9] left" "$DIR/tty" &&
		[[ $(grep -a "^@" "$DIR/tty" | tail -1) != @reading* ]]
}

is_shown() {
	is_shown_by report && is_shown_by info
}

# Nothing but the verb's own words is written
is_silent() {
	! grep -qa -e '^@' -e reading "$DIR/tty" || { cat -v "$DIR/tty" && return 1; }
}

short_ones_are_silent() {
	on_terminal 0 "$FANALYZE" report "$V6" && is_silent && [[ -s $DIR/tty ]]
}

dumb_terminals_get_none() {
	TERMINAL=dumb on_terminal 70 "$FANALYZE" info "$V6" && is_silent
}

# Where only standard output is a terminal.
pipes_get_none() {
	# shellcheck disable=SC2016 # these are for the inner shell
	on_terminal 70 bash -c 'exec "$0" info "$1" 2>"$2"' "$FANALYZE" "$V6" "$DIR/err" &&
		is_silent && is_empty "$DIR/err"
}

# What it writes to the terminal would be mixed with the line.
exports_to_the_terminal_get_none() {
	on_terminal 70 "$FANALYZE" export --what exits "$V6" && is_silent &&
		on_terminal 70 "$FANALYZE" export --what exits -o "$DIR/exits" "$V6" &&
		grep -qa "^@reading" "$DIR/tty" && [[ -s $DIR/exits ]]
}

none=''
command -v script >/dev/null || none="there is no script(1)"
[[ -f $SLOW ]] || none="$SLOW is not built"
echo 1..5
unless "$none" "a long reading shows how far it is, and takes that back" is_shown
unless "$none" "a short one shows nothing" short_ones_are_silent
unless "$none" "a terminal that cannot erase a line gets none" dumb_terminals_get_none
unless "$none" "a pipe gets none" pipes_get_none
unless "$none" "export shows it only where its rows go elsewhere" exports_to_the_terminal_get_none
