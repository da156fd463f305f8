#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion offers the verbs and options of --help, and an option that there is not is answered
# with the one that was meant.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
PATH=$B:$PATH
cd -- "$DIR" && mkdir results && : >report.json || exit 1

# in_bash WORD...: what bash offers for the last one
in_bash() {
	# compopt works only while bash itself completes
	bash -c '. "$1"; shift; compopt() { :; }
		COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _fcap "$1"; printf "%s\n" "${COMPREPLY[@]}"' \
		bash "$ROOT/include/completion/fcap.bash" "$@" | sort
}

# in_zsh TEXT: what zsh offers behind this line
in_zsh() {
	zsh -f -c '
		zmodload zsh/zpty
		zpty shell zsh -f -i
		zpty -w shell "PROMPT= PS2= RPROMPT=; unsetopt zle_bracketed_paste; LISTMAX=1000; COLUMNS=200"
		zpty -w shell "fpath=($1 \$fpath); autoload -U compinit; compinit -u -d $2/dump; echo rea\"\"dy"
		zpty -r -m shell out "*ready*"
		zpty -w -n shell "$3"$'"'\\t\\t'"'
		sleep 2
		zpty -r -t shell out
		print -r -- "$out"
		while zpty -r -t shell out; do print -r -- "$out"; done
		zpty -d shell' zsh "$ROOT/include/completion" "$DIR" "$1" |
		sed 's/\x1b\[[0-9;?]*[A-Za-z]//g' | tr -d '\a\r'
}

offers() {
	local want=$1

	shift
	in_bash "$@" | grep . | tr '\n' ' ' >out
	cat out
	[[ $(<out) == "$want " ]]
}

verbs_are_offered() {
	diff <(in_bash fanalyze '' | grep -v -- -) \
		<(fanalyze --help | awk '/^  [a-z]/ && $1 != "fanalyze" { print $1 }' | sort) &&
		offers "record recover" fcap rec
}

options_are_offered() {
	local program verb

	for program in fcap fanalyze; do
		for verb in $("$program" --complete | cut -f1); do
			diff <(in_bash "$program" "$verb" -- | tr -d =) <("$program" "$verb" --help |
				sed -nE 's/^ +(-., +)?(--[a-z][a-z-]*).*/\2/p' | grep -vx -- --usage |
				sort) || return
		done
	done
}

arguments_are_offered() {
	offers "cgroup comm" fanalyze report --group = c && offers "cgroup comm" fanalyze report --group c &&
		offers "comm" fanalyze report --group = com &&
		offers "cgroup comm process vm" fanalyze report --group = &&
		offers report.json fanalyze report --json rep && offers results fanalyze plot --output r &&
		offers report.json fanalyze report rep
}

zsh_offers_them_too() {
	in_zsh "fanalyze re" >out
	grep -q "fanalyze report" out || { cat -v out && return 1; }
	in_zsh "fanalyze report --gro" >out
	grep -q -- "--group=" out || { cat -v out && return 1; }
	in_zsh "fanalyze export --what wind" >out
	grep -q -- "--what windows" out || { cat -v out && return 1; }
}

# meant STATUS TEXT WORD...: so a command line ends, with this sentence
meant() {
	local status=$1 text=$2

	shift 2
	"$@" >out 2>&1
	[[ $? == "$status" ]] && grep -qxF -- "$text" out && return
	cat out
	return 1
}

the_option_meant_is_named() {
	meant 2 "fanalyze report: there is no option --warmp; did you mean --warmup?" \
		fanalyze report --warmp 1s trace.dat &&
		meant 2 "fanalyze compare: there is no option --confg; did you mean --config?" \
			fanalyze compare --config off a --confg on b &&
		meant 2 "fanalyze report: there is no option --xyzzy" fanalyze report --xyzzy=1 t.dat &&
		meant 125 "fcap record: there is no option --smple; did you mean --sample?" \
			fcap record --smple 1s -- true
}

the_verb_meant_is_named() {
	meant 2 "fanalyze: reprot: no such verb; did you mean report?" fanalyze reprot &&
		meant 125 "fcap: recrod: no such verb; did you mean record?" fcap recrod &&
		meant 2 'fanalyze: xyzzy: no such verb; see "fanalyze --help"' fanalyze xyzzy
}

no_zsh=
command -v zsh >/dev/null || no_zsh="no zsh"

echo 1..6
check "bash: verbs" verbs_are_offered
check "bash: options, those of --help" options_are_offered
check "bash: arguments, files, folders" arguments_are_offered
unless "$no_zsh" "zsh: verbs, options and arguments" zsh_offers_them_too
check "a wrong option is answered with the one meant" the_option_meant_is_named
check "a wrong verb is answered with the one meant" the_verb_meant_is_named
