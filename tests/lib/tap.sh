# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the shell tests: TAP lines from commands, and a directory of their own in $DIR.
export LC_ALL=C # what is printed depends on it
COUNT=0
DIR=$(mktemp -d) || exit 1
trap 'after_test 2>/dev/null; rm -rf -- "$DIR"' EXIT

# Runs after each test and at the end; a script that starts things redefines it to end them.
after_test() {
	:
}

# check DESCRIPTION COMMAND...: one test, ok if the command succeeds; its output if not.
check() {
	local text=$1 word="not ok"

	shift
	"$@" >"$DIR/log" 2>&1 && word=ok
	after_test 2>/dev/null
	COUNT=$((COUNT + 1))
	echo "$word $COUNT - $text"
	[[ $word == ok ]] || sed 's/^/# /' "$DIR/log"
}

# unless REASON DESCRIPTION COMMAND...: as check, or skipped if there is a reason.
unless() {
	if [[ ! $1 ]]; then
		check "${@:2}"
		return
	fi
	COUNT=$((COUNT + 1))
	echo "ok $COUNT # SKIP $1 ($2)"
}

# expect STATUS COMMAND...
expect() {
	local status

	"${@:2}"
	status=$?
	((status == $1)) || echo "status $status instead of $1: ${*:2}"
	((status == $1))
}

# is_one_line FILE PREFIX: nothing but one line, which begins with PREFIX and goes on.
is_one_line() {
	local lines

	mapfile -t lines <"$1"
	[[ ${#lines[@]} == 1 && ${lines[0]} == "$2"?* ]] && return
	echo "instead of one line \"$2...\":"
	cat "$1"
	return 1
}

# is_empty FILE
is_empty() {
	[[ -f $1 && ! -s $1 ]] || { echo "not empty:" && cat "$1"; }
	[[ -f $1 && ! -s $1 ]]
}

# holds_only DIRECTORY [NAME]: no other name is in it, and this one is.
holds_only() {
	local names

	names=$(ls -A "$1")
	[[ $names == "${2-}" ]] || echo "in $1: ${names//$'\n'/ }"
	[[ $names == "${2-}" ]]
}
