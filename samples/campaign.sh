#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Many recorded runs of a command under the values of a label, in the order ABBA, then the
# comparison. One trace a run; started again, it goes on where it was stopped.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
FCAP=${FCAP:-$HERE/../build/fcap}
FANALYZE=${FANALYZE:-$HERE/../build/fanalyze}
RUNS=10
DIR=campaign
KEY=
VALUES=()
COMMAND=()
DONE_S=0 # time that the runs made now took, and their number
DONE=0
STOPPED= # by a signal, which the command may have answered with a run cut short

usage() {
	cat <<'END'
Usage: campaign.sh --label KEY=A,B [OPTION...] -- COMMAND [ARG...]
Records COMMAND once for each value of a label in every block, in turn forwards and backwards
(A B, B A, A B, ...), so that what drifts with time does not favour a value; then compares them.

  --label KEY=A,B  the label and its values, two or more; COMMAND finds the value of the run in
                   FCAP_LABEL_KEY, and is to act on it
  --runs N         blocks, that is, runs of each value, 1 to 999 (10)
  --dir DIR        where the traces go, run-NNNN-VALUE.dat (campaign); started again with the same
                   label and command it makes the runs that are not there yet, also with a
                   larger N
  --help           this text

An A/A campaign, in which COMMAND does the same for both values (--label side=1,2), shows what
differs by chance alone: the 95th percentile of its differences is the margin for --margin.

Environment: FCAP and FANALYZE, the programs (those in build/). On a terminal a line before each
run says when the last one will end. Exit status: that of fanalyze compare; 1 a run failed; 2 usage.
END
}

say() {
	printf 'campaign.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

refuse() {
	say "$1; see --help"
	exit 2
}

# take_label KEY=A,B
take_label() {
	local list=${1#*=} value
	local -A seen=()

	[[ $1 =~ ^[A-Za-z_][A-Za-z0-9_]{0,63}=.+$ ]] ||
		refuse "--label $1: use KEY=A,B, the key of letters, digits and '_'"
	[[ $list != *, ]] || refuse "--label $1: a value is empty"
	KEY=${1%%=*}
	[[ $KEY != order && $KEY != block ]] || refuse "--label $1: $KEY is the campaign's own label"
	IFS=, read -r -a VALUES <<<"$list"
	((${#VALUES[@]} >= 2)) || refuse "--label $1: two values or more make a campaign"
	for value in "${VALUES[@]}"; do
		[[ $value =~ ^[A-Za-z0-9_.+-]{1,64}$ ]] ||
			refuse "--label $1: \"$value\" is not of letters, digits and _ . + -"
		[[ ! ${seen[$value]-} ]] || refuse "--label $1: $value is there twice"
		seen[$value]=1
	done
}

take_options() {
	while (($#)); do
		case $1 in
		--help)
			usage || exit 1
			exit 0
			;;
		--)
			COMMAND=("${@:2}")
			return
			;;
		--*=*)
			set -- "${1%%=*}" "${1#*=}" "${@:2}"
			continue
			;;
		--label | --runs | --dir) ;;
		*) refuse "$1: unknown option (the command stands after --)" ;;
		esac
		[[ ${2-} && $2 != -- ]] || refuse "$1: needs a value"
		case $1 in
		--label) take_label "$2" ;;
		--runs) RUNS=$2 ;;
		--dir) DIR=$2 ;;
		esac
		shift 2
	done
}

check_options() {
	[[ $KEY ]] || refuse "--label KEY=A,B is needed"
	[[ $RUNS =~ ^[1-9][0-9]{0,2}$ ]] || refuse "--runs $RUNS: use a whole number from 1 to 999"
	((${#COMMAND[@]})) || refuse "a command is needed, after --"
	[[ -x $FCAP ]] || fail "$FCAP: not found; run make, or set FCAP to the program"
	[[ -x $FANALYZE ]] || fail "$FANALYZE: not found; run make, or set FANALYZE to the program"
}

# What makes two campaigns one: traces of another one must not be taken for ours.
check_dir() {
	local ours

	printf -v ours '%s\n' "label $KEY=$(IFS=, && echo "${VALUES[*]}")" \
		"command$(printf ' %q' "${COMMAND[@]}")"
	mkdir -p -- "$DIR" || exit 1
	if [[ ! -e $DIR/campaign ]]; then
		printf '%s' "$ours" >"$DIR/campaign" || exit 1
	elif [[ $(<"$DIR/campaign") != "${ours%$'\n'}" ]]; then
		fail "$DIR holds another campaign ($(tr '\n' ';' <"$DIR/campaign")); use another --dir"
	fi
}

# is_done FILE: it is there, and can be read to its end
is_done() {
	[[ -s $1 ]] || return
	"$FANALYZE" info "$1" >/dev/null 2>&1 && return
	say "$1 cannot be read: made anew"
	return 1
}

# progress NUMBER TEXT LEFT: LEFT runs, this one among them, are still to be made
progress() {
	local end=

	[[ -t 2 ]] || return 0
	if ((DONE)); then
		printf -v end ', ends about %(%F %H:%M)T' $((EPOCHSECONDS + $3 * DONE_S / DONE))
	fi
	say "run $1 of $((RUNS * ${#VALUES[@]})), $2$end"
}

# record FILE VALUE NUMBER BLOCK
record() {
	local begin=$EPOCHSECONDS status

	"$FCAP" record -o "$DIR/unfinished.dat" --label "$KEY=$2" --label "order=$3" \
		--label "block=$4" -- "${COMMAND[@]}" >&2
	status=$?
	[[ ! $STOPPED ]] || status=stopped
	if [[ $status != 0 ]]; then
		rm -f -- "$DIR/unfinished.dat"
		fail "run $3 ($KEY=$2) ended with status $status; start again to go on with it"
	fi
	mv -- "$DIR/unfinished.dat" "$1" || exit 1
	DONE=$((DONE + 1)) DONE_S=$((DONE_S + EPOCHSECONDS - begin))
}

# Sets FILES, OF_VALUE and OF_BLOCK: all runs in their order.
FILES=() OF_VALUE=() OF_BLOCK=()
plan() {
	local block i value n=0 count=${#VALUES[@]}

	for ((block = 1; block <= RUNS; block++)); do
		for ((i = 0; i < count; i++)); do
			value=${VALUES[block % 2 ? i : count - 1 - i]}
			FILES[n]=$(printf '%s/run-%04d-%s.dat' "$DIR" $((n + 1)) "$value")
			OF_VALUE[n]=$value OF_BLOCK[n]=$block
			n=$((n + 1))
		done
	done
}

make_runs() {
	local n missing=()

	for n in "${!FILES[@]}"; do
		is_done "${FILES[n]}" || missing+=("$n")
	done
	((${#missing[@]} == ${#FILES[@]})) ||
		say "$((${#FILES[@]} - ${#missing[@]})) of ${#FILES[@]} runs are there already"
	for n in "${!missing[@]}"; do
		progress $((missing[n] + 1)) "$KEY=${OF_VALUE[missing[n]]}" $((${#missing[@]} - n))
		record "${FILES[missing[n]]}" "${OF_VALUE[missing[n]]}" $((missing[n] + 1)) \
			"${OF_BLOCK[missing[n]]}"
	done
}

trap 'STOPPED=1' INT TERM HUP
take_options "$@"
check_options
check_dir
plan
make_runs
exec "$FANALYZE" compare --by "$KEY" "${FILES[@]}"
