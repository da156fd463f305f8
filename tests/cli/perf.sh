#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# "perf fcap" and "perf fanalyze": run through perf, they take the same options, end with the same
# status and call themselves so.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TRACE=samples/core-sched/on-1.dat

# installs FOLDER: as make install does, whatever make runs this test
installs() {
	env -u MAKEFLAGS -u MAKELEVEL -u PREFIX -u bindir -u mandir -u plugindir \
		make --no-print-directory install DESTDIR="$1" PREFIX=/opt B="${B#"$ROOT"/}" &&
		PATH=$1/opt/bin:$PATH
}

# shows TEXT COMMAND...: status 0, and TEXT begins a line
shows() {
	expect 0 "${@:2}" >"$DIR/out" && { grep -q "^$1" "$DIR/out" || { cat "$DIR/out"; false; }; }
}

verbs_help_says_its_name() {
	shows "Usage: perf fcap record " perf fcap record --help &&
		shows "Usage: perf fcap check " perf fcap check --help &&
		shows "Usage: perf fanalyze report " perf fanalyze report --help &&
		shows "Usage: perf fanalyze compare " perf fanalyze compare --help
}

own_help_says_its_name() {
	shows "Usage: perf fcap VERB" perf-fcap --help &&
		shows "Usage: perf fanalyze VERB" perf-fanalyze --help &&
		shows "Usage: fcap VERB" fcap --help && shows "Usage: fanalyze VERB" fanalyze --help
}

# perf makes "perf help fcap" of it, which runs man; man finds pages beside the programs
perf_shows_the_page() {
	local name

	for name in fcap fanalyze; do
		MANPAGER=cat MANWIDTH=80 PAGER=cat expect 0 perf "$name" --help >"$DIR/page" || return
		grep -q "perf fcap VERB" "$DIR/page" && grep -q "perf fanalyze VERB" "$DIR/page" || return
	done
}

reports_are_the_same() {
	expect 0 fanalyze report "$TRACE" >"$DIR/plain" &&
		expect 0 perf fanalyze report "$TRACE" >"$DIR/perf" &&
		diff "$DIR/plain" <(sed "s/: perf fanalyze/: fanalyze/" "$DIR/perf") &&
		[[ -s $DIR/plain ]]
}

reports_keep_the_command() {
	expect 0 perf fanalyze report --json - --window 20ms -- "$TRACE" >"$DIR/json" &&
		grep -F "\"perf fanalyze report --json - --window 20ms -- $TRACE\"" "$DIR/json"
}

# 2: usage; 3: the audit found what it looks for (core scheduling was off); 125: fcap's own
statuses_are_kept() {
	expect 2 perf fanalyze report 2>"$DIR/err" && grep "^perf fanalyze report: " "$DIR/err" &&
		expect 3 perf fanalyze audit samples/core-sched/off-1.dat >"$DIR/out" &&
		expect 125 perf fcap record --no-such-option -- true 2>"$DIR/err" &&
		grep "^perf fcap record: .*--no-such-option" "$DIR/err"
}

echo 1..7
no_perf=''
command -v perf >/dev/null || no_perf="perf is not installed"
no_man=$no_perf
command -v man >/dev/null || no_man="man is not installed"

check "make install puts what perf runs" installs "$DIR/dest"
[[ -x $DIR/dest/opt/bin/perf-fcap ]] && PATH=$DIR/dest/opt/bin:$PATH
check "run as perf-NAME a program calls itself \"perf NAME\"" own_help_says_its_name
unless "$no_perf" "the help of verbs says \"perf NAME VERB\"" verbs_help_says_its_name
unless "$no_man" "perf NAME --help shows the manual" perf_shows_the_page
unless "$no_perf" "perf fanalyze report prints what fanalyze report does" reports_are_the_same
unless "$no_perf" "a report keeps the command, options behind -- too" reports_keep_the_command
unless "$no_perf" "the status is kept" statuses_are_kept
