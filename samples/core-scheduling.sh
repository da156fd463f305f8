#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Does core scheduling keep two VMs apart on this host, and what does it cost them? Records them in
# turns without and with cookies, then compares, audits and draws; all of it in one directory.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
export FCAP=${FCAP:-$HERE/../build/fcap}
export FANALYZE=${FANALYZE:-$HERE/../build/fanalyze}
CORETAG=${CORETAG:-$HERE/../build/samples/coretag}
DIR=core-scheduling
CONFIGS=off,vm
RUNS=5
VM_OPTIONS=(--seconds 10s)
OPTIONS=() # of fanalyze
DEMO=
RUNS_GIVEN=()
FILES=()

usage() {
	cat <<'END'
Usage: core-scheduling.sh [OPTION...]
Records VMs in turns without core scheduling (off) and with a cookie for each VM (vm) or each vCPU
(vcpu), and says what that changed and whether it kept them apart. Everything goes to one
directory: the traces, compare.txt, compare.json, audit.txt, figures of the comparison, and a report
and figures of the first run of each configuration.

  --runs N         runs of each configuration, 2 to 999 (5); with fewer than 4 no interval is narrow
  --configs A,B    of off, vm and vcpu, two or more (off,vm)
  --seconds TIME   how long a run is, with a unit (10s)
  --vms N          number of VMs (2)
  --vcpus N        vCPUs of each (the number of CPUs)
  --tolerance TIME longest switching transient that the audit takes for one (50us; a host that
                   is emulated, or short of CPUs itself, needs 60ms)
  --dir DIR        where everything goes (core-scheduling); started again with the same options it
                   makes the runs that are not there yet
  --demo           no recording: the recordings that come with the sources, of an emulated host
  --help           this text

Environment: FCAP, FANALYZE, CORETAG: the programs (those in build/). Exit status: 0 done; 1 this
host cannot do it, with the reason, or something failed; 2 usage.
END
}

say() {
	printf 'core-scheduling.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

refuse() {
	say "$1; see --help"
	exit 2
}

take_configs() {
	local value
	local -A seen=()

	[[ $1 =~ ^(off|vm|vcpu)(,(off|vm|vcpu))+$ ]] ||
		refuse "--configs $1: use two or more of off, vm and vcpu"
	for value in ${1//,/ }; do
		[[ ! ${seen[$value]-} ]] || refuse "--configs $1: $value is there twice"
		seen[$value]=1
	done
	CONFIGS=$1
}

take_options() {
	while (($#)); do
		case $1 in
		--help)
			usage || exit 1
			exit 0
			;;
		--demo)
			DEMO=1
			shift
			continue
			;;
		--*=*)
			set -- "${1%%=*}" "${1#*=}" "${@:2}"
			continue
			;;
		--runs | --configs | --seconds | --vms | --vcpus | --tolerance | --dir) ;;
		*) refuse "$1: unknown option" ;;
		esac
		[[ ${2-} ]] || refuse "$1: needs a value"
		[[ $1 == --dir || $1 == --tolerance ]] || RUNS_GIVEN+=("$1")
		case $1 in
		--runs) RUNS=$2 ;;
		--configs) take_configs "$2" ;;
		--tolerance) OPTIONS=(--tolerance "$2") ;;
		--dir) DIR=$2 ;;
		*) VM_OPTIONS+=("$1" "$2") ;;
		esac
		shift 2
	done
	[[ $RUNS =~ ^([2-9]|[1-9][0-9]{1,2})$ ]] ||
		refuse "--runs $RUNS: use a whole number from 2 to 999"
	[[ ! $DEMO || ${#RUNS_GIVEN[@]} == 0 ]] ||
		refuse "--demo: ${RUNS_GIVEN[0]} is about recording, and nothing is recorded"
}

check_host() {
	local why

	[[ -x $FANALYZE ]] || fail "$FANALYZE: not found; run make, or set FANALYZE to the program"
	[[ ! $DEMO ]] || return 0
	[[ -x $CORETAG ]] || fail "$CORETAG: not found; run make, or set CORETAG to the program"
	why=$("$CORETAG" check 2>&1) || fail "${why#coretag: }; --demo shows what would come out"
}

# What came with the sources was recorded where an emulated CPU may stand still for a while.
take_demo() {
	FILES=("$HERE"/core-sched/*.dat)
	[[ -e ${FILES[0]} ]] || fail "$HERE/core-sched: the recordings are missing"
	((${#OPTIONS[@]})) || OPTIONS=(--tolerance 60ms)
}

# The comparison that a campaign ends with is made below, with our options.
record() {
	local status

	# shellcheck disable=SC2016 # the run's own label
	"$HERE/campaign.sh" --dir "$DIR/runs" --runs "$RUNS" --label "core_sched=$CONFIGS" -- \
		bash -c 'exec "$0" --core-sched "$FCAP_LABEL_core_sched" "$@"' \
		"$HERE/run-vms.sh" "${VM_OPTIONS[@]}" >"$DIR/campaign.txt"
	status=$?
	FILES=("$DIR"/runs/run-*.dat)
	[[ -e ${FILES[0]} ]] || exit 1
	((status == 0 || status == 3)) || exit 1
}

# One line a run: what the audit says.
audit() {
	local file answer status

	for file in "${FILES[@]}"; do
		answer=$("$FANALYZE" audit "${OPTIONS[@]}" --json - "$file")
		status=$?
		((status == 0 || status == 3 || status == 4)) || exit 1
		printf '%s: %s\n' "${file##*/}" "$(sentence <<<"$answer")"
	done >"$DIR/audit.txt"
}

# The sentence of the isolation in a report on stdin; each key stands on a line of its own.
sentence() {
	sed -n '/^ *"isolation": {/,$s/^ *"sentence": "\(.*\)",*$/\1/p' | head -n 1
}

# The first run of each configuration, which the name of the file tells.
show_first() {
	local config file
	local -A seen=()

	for file in "${FILES[@]}"; do
		[[ ${file##*/} =~ (off|on|vcpu|vm) ]] || continue
		config=${BASH_REMATCH[1]}
		[[ ! ${seen[$config]-} ]] || continue
		seen[$config]=1
		"$FANALYZE" report "${OPTIONS[@]}" "$file" >"$DIR/report-$config.txt" || exit 1
		"$FANALYZE" plot "${OPTIONS[@]}" -o "$DIR/figures-$config" "$file" >&2 ||
			say "no figure of $file"
	done
}

take_options "$@"
check_host
mkdir -p -- "$DIR" || exit 1
if [[ $DEMO ]]; then
	take_demo
else
	record
fi
audit
show_first
"$FANALYZE" compare "${OPTIONS[@]}" --by core_sched --json "$DIR/compare.json" "${FILES[@]}" \
	>"$DIR/compare.txt" || exit 1
"$FANALYZE" plot -o "$DIR/figures" "$DIR/compare.json" >&2 || say "no figure of the comparison"
cat -- "$DIR/compare.txt" || exit 1
echo
echo "All of it is in $DIR:"
echo "  compare.txt, compare.json, audit.txt, report-*.txt, figures*/"
