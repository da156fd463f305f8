#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What fanalyze says to wrong arguments, and to the questions for help.
set -u
FANALYZE=$(realpath -- "${B:-build}/fanalyze") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
OFF=tests/data/bed/bed-coresched-off.dat

# usage_error WORD [ARGUMENT...]: status 2 and a first line on stderr with the word
usage_error() {
	local line

	expect 2 "$FANALYZE" "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	# "fanalyze: ..." or "fanalyze VERB: ...", a sentence without a full stop
	[[ $line =~ ^fanalyze(\ [a-z]+)?:\ .*[^.]$ && $line == *"$1"* ]]
}

no_verb_shows_the_usage() {
	expect 2 "$FANALYZE" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" &&
		grep -q "^Usage: fanalyze " "$DIR/err" && grep -q "report" "$DIR/err"
}

# bad_values OPTION VALUE...: each as OPTION VALUE and as OPTION=VALUE
bad_values() {
	local value

	for value in "${@:2}"; do
		usage_error "$1" report "$1" "$value" "$OFF" &&
			usage_error "$1" report "$1=$value" "$OFF" || return
	done
}

# good_values OPTION VALUE...
good_values() {
	local value

	for value in "${@:2}"; do
		expect 0 "$FANALYZE" report "$1" "$value" "$OFF" >"$DIR/out" 2>"$DIR/err" &&
			is_empty "$DIR/err" && [[ -s $DIR/out ]] || return
	done
}

# answers WORD ARGUMENT...: status 0, on stdout alone, with the word
answers() {
	expect 0 "$FANALYZE" "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" || return
	cat "$DIR/out"
	grep -qF -- "$1" "$DIR/out"
}

# fits ARGUMENT...: what is answered has no line over 80 columns
fits() {
	expect 0 "$FANALYZE" "$@" >"$DIR/out" || return
	! grep -nE '.{81}' "$DIR/out"
}

help_names_every_option() {
	local option

	for option in --json --group --level --margin; do
		answers "$option" report --help || return
	done
}

version_is_a_number() {
	answers "fanalyze " --version && [[ $(<"$DIR/out") =~ ^fanalyze\ [0-9]+\.[0-9]+[0-9.]*$ ]]
}

# A usage error is found before anything is written.
nothing_is_written() {
	mkdir "$DIR/json" &&
		usage_error --level report --json "$DIR/json/report.json" --level 2 "$OFF" &&
		usage_error --level report --level 2 --json "$DIR/json/report.json" "$OFF" &&
		usage_error "one file" report --json "$DIR/json/report.json" "$OFF" "$OFF" &&
		holds_only "$DIR/json"
}

# by either program
help_is_help() {
	local word

	for word in -h help; do
		answers "Usage: fanalyze VERB" "$word" || return
		expect 0 "${FANALYZE%/*}/fcap" "$word" >"$DIR/out" &&
			grep -q "^Usage: fcap VERB" "$DIR/out" || return
	done
}

siblings_that_are_not_there_are_refused() {
	expect 2 "$FANALYZE" report --siblings 800-801 "$OFF" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/out" && is_one_line "$DIR/err" "fanalyze: $OFF: --siblings: " &&
		grep -q "none of these CPUs, but 0-3" "$DIR/err"
}

echo 1..25
check "no verb shows the usage with status 2" no_verb_shows_the_usage
check "an unknown verb is refused by its name" usage_error frobnicate frobnicate "$OFF"
check "a file in place of the verb is refused by its name" usage_error "$OFF" "$OFF"
check "an option in place of the verb is refused by its name" usage_error --json --json x
check "an unknown option is refused by its name" usage_error --frobnicate report --frobnicate "$OFF"
check "report without a file is refused" usage_error trace.dat report
check "report with two files is refused" usage_error "one file" report "$OFF" "$OFF"
check "an option without its value is refused" usage_error --json report "$OFF" --json
check "bad values of --level are refused" \
	bad_values --level 0 0.5 1 1.0 95 95% -0.95 nan inf ninety '' 0.95x '0.95 x'
check "bad values of --margin are refused" bad_values --margin -1 100.1 1e9 nan inf three '' 3x
check "bad values of --group are refused" bad_values --group vms VM '' vm,process
check "good values of --level are taken" good_values --level 0.51 0.9 0.999
check "good values of --margin are taken" good_values --margin 0 0.5 100
check "good values of --group are taken" good_values --group vm process
check "bad values of --siblings are refused" bad_values --siblings "" x "0-1;" "0-1;1-2" "1-0" 0-9000
check "good values of --siblings are taken" good_values --siblings 0-1 "0,2;1,3"
check "siblings of which the trace has none are refused" siblings_that_are_not_there_are_refused
check "the usage is told by -h and help, too" help_is_help
check "a file may be named before its options" answers fcap-report/1 report "$OFF" --json -
check "a usage error is found before anything is written" nothing_is_written
check "fanalyze --help names the verbs on stdout" answers "  report " --help
check "fanalyze report --help names every option on stdout" help_names_every_option
check "fanalyze --help fits 80 columns" fits --help
check "fanalyze report --help fits 80 columns" fits report --help
check "fanalyze --version is one line" version_is_a_number
