#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record and recover on arguments that cannot be meant: refused before anything is recorded,
# so without root, too.
set -u
FCAP=$(realpath -- "${B:-build}/fcap") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
mkdir "$DIR/in" && cd "$DIR/in" || exit 1

# refused WORDS ARGUMENT...: with status 125 and a sentence, and no file is left
refused() {
	expect 125 "$FCAP" "${@:2}" >../out 2>../err || return
	cat ../err
	is_empty ../out && head -1 ../err | grep -qF -- "$1" && [[ ! $(ls -A) ]]
}

nothing_to_record_is_told() {
	refused "record: what shall be recorded? fcap record -- CMD" record &&
		refused "record: what shall be recorded? fcap record -- CMD" record -o x.dat --
}

times_need_units() {
	local value

	for value in 5 -5s 0s '' x; do
		refused "--duration $value: give a time from 1ms on, with its unit" \
			record --duration "$value" && refused "--sample $value: give a duration" \
			record --sample "$value" -- true || return
	done
}

standard_output_is_refused() {
	refused "-o -: a trace.dat is not written from its begin to its end" record -o - -- true &&
		refused "-o -: a trace.dat" record --output=- --duration 1s &&
		refused "-o -: a trace.dat" recover -o - trace.dat.parts
}

what_excludes_each_other_is_told() {
	refused "--pid and a command exclude each other" record --pid 1 -- true &&
		refused "--when needs --events=trigger" record --when 'steal>20%/1s' -- true &&
		refused "--events=trigger needs a limit" record --events trigger -- true
}

echo 1..4
check "nothing to record is told" nothing_to_record_is_told
check "times need units" times_need_units
check "a recording to standard output is refused" standard_output_is_refused
check "what excludes each other is told" what_excludes_each_other_is_told
