#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Colour and characters beyond ASCII: where they are, and where they are not.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TRACE=samples/two-vms.dat
OFF=tests/data/bed/bed-coresched-off.dat
ON=tests/data/bed/bed-coresched-on.dat
ESC=$'\033'
unset NO_COLOR

# on_terminal FILE ARGUMENT...: what fanalyze writes to a terminal goes to the file; its status
on_terminal() {
	python3 - "$1" "$FANALYZE" "${@:2}" <<'END'
import os, pty, sys
said = b""
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], ["fanalyze"] + sys.argv[3:])
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    said += data
open(sys.argv[1], "wb").write(said.replace(b"\r\n", b"\n"))  # no read may end between the two
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
END
}

# What a terminal shows of the text, without the progress that stderr may show before.
shown() {
	sed -e "s/$ESC\[[0-9;]*m//g" -e "s/.*$ESC\[K//" -e 's/.*\r//' "$1"
}

has_colour() {
	grep -q "$ESC\[[0-9;]*m" "$1" || { cat -v "$1" && return 1; }
}

has_none() {
	! grep "$ESC\[[0-9;]*m" "$1"
}

a_terminal_gets_colour() {
	TERM=xterm on_terminal "$DIR/out" report "$TRACE" && has_colour "$DIR/out" &&
		"$FANALYZE" report "$TRACE" >"$DIR/plain" && has_none "$DIR/plain" &&
		diff "$DIR/plain" <(shown "$DIR/out" | grep -v '^  green: ')
}

a_terminal_may_not_want_it() {
	TERM=xterm NO_COLOR=1 on_terminal "$DIR/out" report "$TRACE" && has_none "$DIR/out" &&
		TERM=dumb on_terminal "$DIR/out" report "$TRACE" && has_none "$DIR/out" &&
		TERM=xterm on_terminal "$DIR/out" report --color=never "$TRACE" &&
		has_none "$DIR/out" &&
		TERM=xterm NO_COLOR='' on_terminal "$DIR/out" report "$TRACE" && has_colour "$DIR/out"
}

other_forms_get_none() {
	TERM=xterm on_terminal "$DIR/out" report --csv - "$TRACE" && has_none "$DIR/out" &&
		"$FANALYZE" report --color=always --json - "$TRACE" >"$DIR/out" && has_none "$DIR/out"
}

# fits STATUS ARGUMENT...: in colour as without, and no line shows more than 80 columns
fits() {
	expect "$1" "$FANALYZE" "${@:2}" >"$DIR/plain" && has_none "$DIR/plain" &&
		expect "$1" "$FANALYZE" "${@:2}" --color always >"$DIR/out" && has_colour "$DIR/out" &&
		sed -i '/^ *by  /,$d; /^  green: /d' "$DIR/plain" "$DIR/out" &&
		diff "$DIR/plain" <(shown "$DIR/out") && ! grep -nE '.{81}' "$DIR/plain"
}

all_verbs_have_it() {
	fits 0 report "$OFF" && fits 3 audit --siblings '0-1;2-3' "$OFF" &&
		fits 0 compare --siblings '0-1;2-3' --config off "$OFF" --config on "$ON" &&
		fits 0 compare --all --config off "$OFF" --config on "$ON" &&
		fits 0 scores --expected 0.9 samples/scores-2015.csv
}

# A character of UTF-8 is one column: as long as the line in ASCII.
utf8_is_by_the_locale() {
	local locale

	"$FANALYZE" report "$TRACE" >"$DIR/ascii" && ! LC_ALL=C grep -n '[^ -~]' "$DIR/ascii" || return
	for locale in C.UTF-8 en_US.UTF-8; do
		[[ $(LC_ALL=$locale locale charmap 2>/dev/null) == UTF-8 ]] || continue
		LC_ALL=$locale "$FANALYZE" report "$TRACE" >"$DIR/utf8" &&
			diff "$DIR/ascii" <(LC_ALL=$locale sed 'y/▁▂▃▄▅▆▇/_.-=+*#/' "$DIR/utf8") &&
			grep -q "^  ▁▂▃▄▅▆▇  from " "$DIR/utf8" || return
	done
}

wrong_words_are_refused() {
	local word

	for word in '' yes Always 1; do
		expect 2 "$FANALYZE" report "--color=$word" "$TRACE" >"$DIR/out" 2>"$DIR/err" &&
			is_empty "$DIR/out" && grep -q "auto, always or never is needed" "$DIR/err" || return
	done
}

no_pty=''
python3 -c 'import os, pty; pty.openpty(); os.waitstatus_to_exitcode' 2>"$DIR/pty" ||
	no_pty="python3 has no terminals here"
no_utf8=''
[[ $(LC_ALL=C.UTF-8 locale charmap 2>/dev/null) == UTF-8 ]] || no_utf8="no locale C.UTF-8"

echo 1..6
unless "$no_pty" "a terminal gets colour, a file does not, and else they are the same" \
	a_terminal_gets_colour
unless "$no_pty" "NO_COLOR, TERM=dumb and --color=never say no" a_terminal_may_not_want_it
unless "$no_pty" "CSV and JSON have no colour" other_forms_get_none
check "all verbs have colour, and keep to 80 columns" all_verbs_have_it
unless "$no_utf8" "characters beyond ASCII are for locales that have them" utf8_is_by_the_locale
check "other words of --color are refused" wrong_words_are_refused
