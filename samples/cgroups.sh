# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# What run-vms.sh and run-groups.sh share; to be sourced.
#   sample_*  options and messages     cg_*  cgroups with a CPU weight     load_*  start and end
# An EXIT trap undoes everything, also after INT, TERM and HUP. SIGKILL to the script cannot be
# caught: workers then run on to the end of their time, and empty cgroups below fcap-NAME-PID remain.

PROG=${0##*/}
COUNT=     # groups (or VMs)
SIZE=      # workers (or vCPUs) in each
DURATION=5s
DURATION_US=
WEIGHTS=() # in cpu.shares numbers, 1024 is the kernel's default
NAMES=()
CORE_SCHED= # off, vm or vcpu; empty: the script does not have the option

CG_MOUNTS=${CG_MOUNTS:-/proc/self/mounts} # a test puts another file here
CG_KIND=none # v1, v2 or none
CG_ROOT=     # the mounted hierarchy in which our groups are made
CG_TOP=      # the group around all of ours
CG_DIR=      # the group made last
CG_DIRS=()   # all of ours, the innermost first
WEIGHT=      # in cpu.weight numbers

GATE_IN=  # workers wait for a line from here ...
GATE_OUT= # ... which the script writes there

sample_say() {
	printf '%s: %s\n' "$PROG" "$1" >&2
}

sample_fail() {
	sample_say "$1"
	exit 1
}

sample_usage() {
	sample_say "$1"
	exit 2
}

# sample_number OPTION VALUE MIN MAX
sample_number() {
	[[ $2 =~ ^[1-9][0-9]{0,8}$ ]] && (($2 >= $3 && $2 <= $4)) && return
	sample_usage "$1 $2: use a whole number from $3 to $4"
}

# Sets DURATION_US from a duration such as 500ms or 1.5s.
sample_duration() {
	local -A unit=([ms]=1000 [s]=1000000 [m]=60000000)
	local fraction factor

	[[ $1 =~ ^([0-9]{1,6})(\.([0-9]{1,6}))?(ms|s|m)$ ]] ||
		sample_usage "--seconds $1: use a time with its unit, such as 5s or 500ms"
	factor=${unit[${BASH_REMATCH[4]}]}
	fraction=${BASH_REMATCH[3]}000000
	DURATION_US=$((10#${BASH_REMATCH[1]} * factor + 10#${fraction:0:6} * factor / 1000000))
	((DURATION_US >= 1000)) || sample_usage "--seconds $1: use 1ms or more"
}

# sample_options COUNT_OPTION SIZE_OPTION ARGUMENT...; the caller defines usage.
sample_options() {
	local count_option=$1 size_option=$2

	shift 2
	while (($#)); do
		case $1 in
		--help)
			usage || exit 1
			exit 0
			;;
		--*=*)
			set -- "${1%%=*}" "${1#*=}" "${@:2}"
			continue
			;;
		"$count_option" | "$size_option" | --weights | --seconds | --names) ;;
		--core-sched) [[ $CORE_SCHED ]] || sample_usage "$1: unknown option; see --help" ;;
		*) sample_usage "$1: unknown option; see --help" ;;
		esac
		[[ ${2-} ]] || sample_usage "$1: needs a value; see --help"
		case $1 in
		"$count_option") COUNT=$2 ;;
		"$size_option") SIZE=$2 ;;
		--weights) IFS=, read -r -a WEIGHTS <<<"$2" ;;
		--seconds) DURATION=$2 ;;
		--names) IFS=, read -r -a NAMES <<<"$2" ;;
		--core-sched) CORE_SCHED=$2 ;;
		esac
		shift 2
	done
}

# sample_defaults NAME_PREFIX: fills in what no option said.
sample_defaults() {
	local i

	if [[ ! $COUNT ]]; then
		COUNT=${#WEIGHTS[@]}
		((COUNT)) || COUNT=${#NAMES[@]}
		((COUNT)) || COUNT=2
	fi
	SIZE=${SIZE:-$(nproc)}
	[[ $COUNT =~ ^[0-9]{1,4}$ ]] || return 0
	((${#WEIGHTS[@]} == 0 && 10#$COUNT == 2)) && WEIGHTS=(128 1152)
	for ((i = ${#WEIGHTS[@]} ? 10#$COUNT : 0; i < 10#$COUNT; i++)); do
		WEIGHTS+=(1024)
	done
	for ((i = ${#NAMES[@]} ? 10#$COUNT : 0; i < 10#$COUNT; i++)); do
		NAMES+=("$1$((i + 1))")
	done
}

# sample_check COUNT_OPTION SIZE_OPTION: usage errors, before anything is started.
sample_check() {
	local weight name
	local -A seen=()

	sample_number "$1" "$COUNT" 1 64
	sample_number "$2" "$SIZE" 1 240
	sample_duration "$DURATION"
	((${#WEIGHTS[@]} == COUNT)) ||
		sample_usage "--weights: ${#WEIGHTS[@]} given for $COUNT; give one each"
	((${#NAMES[@]} == COUNT)) || sample_usage "--names: ${#NAMES[@]} given for $COUNT; give one each"
	for weight in "${WEIGHTS[@]}"; do
		sample_number --weights "$weight" 2 262144
	done
	for name in "${NAMES[@]}"; do
		[[ $name =~ ^[A-Za-z0-9_][A-Za-z0-9._-]{0,63}$ ]] ||
			sample_usage "--names $name: use letters, digits, '.', '_' or '-'"
		[[ ! ${seen[$name]-} ]] || sample_usage "--names $name: given twice"
		seen[$name]=y
	done
}

# Sets CG_KIND and CG_ROOT. Where both versions are mounted only one has the controller.
cg_find() {
	local dir type options v2=

	CG_KIND=none CG_ROOT=
	while read -r _ dir type options _; do
		dir=${dir//\\040/ } # a blank in a path
		case $type,$options, in
		cgroup,*,cpu,*) CG_KIND=v1 CG_ROOT=$dir ;;
		cgroup2,*) v2=$dir ;;
		esac
	done <"$CG_MOUNTS"
	if [[ $CG_KIND == none && $v2 && " $(<"$v2/cgroup.controllers") " == *" cpu "* ]]; then
		CG_KIND=v2 CG_ROOT=$v2
	fi
}

# Finds out where groups can be made; says so if nowhere.
cg_prepare() {
	local problem=

	cg_find
	if [[ $CG_KIND == none ]]; then
		problem="no cgroup hierarchy with the cpu controller is mounted"
	elif [[ ! -w $CG_ROOT ]]; then
		problem="no permission to make cgroups in $CG_ROOT"
	elif [[ $CG_KIND == v2 && " $(<"$CG_ROOT/cgroup.subtree_control") " != *" cpu "* ]] &&
		! cg_write +cpu "$CG_ROOT/cgroup.subtree_control"; then
		problem="the cpu controller cannot be enabled in $CG_ROOT"
	fi
	[[ $problem ]] || return 0
	CG_KIND=none
	sample_say "$problem; going on without weights"
}

cg_write() {
	{ printf '%s\n' "$1" >"$2"; } 2>/dev/null
}

# cg_weight SHARES: sets WEIGHT to the cpu.weight for it, rounded as the kernel does.
cg_weight() {
	WEIGHT=$((($1 * 100 + 512) / 1024))
	((WEIGHT >= 1)) || WEIGHT=1
	((WEIGHT <= 10000)) || WEIGHT=10000
}

# cg_make DIR SHARES
cg_make() {
	local file=cpu.shares weight=$2

	if [[ $CG_KIND == v2 ]]; then
		cg_weight "$2"
		file=cpu.weight weight=$WEIGHT
	fi
	CG_DIRS=("$1" "${CG_DIRS[@]}") # before it exists: a signal may come in between
	mkdir -- "$1" 2>/dev/null || sample_fail "cannot make cgroup $1"
	cg_write "$weight" "$1/$file" || sample_fail "cannot write $weight to $1/$file"
}

# cg_top: one cgroup for all of ours, in CG_TOP, so that theirs can have plain names. It weighs
# what they weigh together: against the rest of the machine they count as if they stood alone.
cg_top() {
	local weight sum=0

	[[ $CG_KIND != none ]] || return 0
	for weight in "${WEIGHTS[@]}"; do
		sum=$((sum + weight))
	done
	((sum <= 262144)) || sum=262144
	CG_TOP=$CG_ROOT/fcap-${NAMES[0]-}-$$
	cg_make "$CG_TOP" "$sum"
	[[ $CG_KIND == v1 ]] || cg_write +cpu "$CG_TOP/cgroup.subtree_control" ||
		sample_fail "cannot enable the cpu controller in $CG_TOP"
}

# cg_create NAME SHARES: a group of its own, in CG_DIR.
cg_create() {
	CG_DIR=
	[[ $CG_KIND != none ]] || return 0
	CG_DIR=$CG_TOP/$1
	cg_make "$CG_DIR" "$2"
}

# cg_enter PID: moves the process into CG_DIR.
cg_enter() {
	[[ ! $CG_DIR ]] || cg_write "$1" "$CG_DIR/cgroup.procs" ||
		sample_fail "cannot move process $1 into cgroup $CG_DIR"
}

# cg_remove DIR: ends what still is in it.
cg_remove() {
	local pid try

	for ((try = 0; try < 100; try++)); do
		[[ -d $1 ]] || return 0
		rmdir -- "$1" 2>/dev/null && return 0
		while read -r pid; do
			kill -KILL "$pid" 2>/dev/null
		done <"$1/cgroup.procs"
		sleep 0.02
	done
	sample_say "cannot remove cgroup $1; try rmdir"
}

# A pipe without a name: nothing to delete. Both ends are descriptors of this shell.
load_make_gate() {
	exec {GATE_OUT}<> <(:) && exec {GATE_IN}</dev/fd/"$GATE_OUT"
}

# load_worker FUNCTION NAME: in a child. End of file means that the script died: then do nothing.
load_worker() {
	exec {GATE_OUT}>&-
	read -r -u "$GATE_IN" _ || exit 1
	exec {GATE_IN}<&-
	"$1" "$2"
}

load_clean() {
	local pids dir try

	trap '' HUP INT TERM # a second signal must not cut this short
	mapfile -t pids < <(jobs -p)
	if ((${#pids[@]})); then
		kill -TERM "${pids[@]}" 2>/dev/null
		for ((try = 0; try < 100; try++)); do
			[[ $(jobs -rp) ]] || break
			sleep 0.02
		done
		kill -KILL "${pids[@]}" 2>/dev/null
		wait
	fi
	for dir in "${CG_DIRS[@]}"; do
		cg_remove "$dir"
	done
}

# load_run FUNCTION WORKERS: starts FUNCTION NAME so many times in the cgroup of each name, all
# let go at once when all are in their cgroups, and waits. Status 1 if one did not end well.
load_run() {
	local i j pid status=0
	local -A owner=()

	cg_prepare
	load_make_gate || sample_fail "cannot make a pipe; is /proc mounted?"
	# From here to load_clean no $( ) and no <( ): bash 5.2 loses a trap that comes within one.
	trap load_clean EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	cg_top
	for ((i = 0; i < COUNT; i++)); do
		cg_create "${NAMES[i]}" "${WEIGHTS[i]}"
		for ((j = 0; j < $2; j++)); do
			load_worker "$1" "${NAMES[i]}" &
			owner[$!]=${NAMES[i]}
			cg_enter "$!"
		done
	done
	for ((i = 0; i < COUNT * $2; i++)); do
		printf 'go\n' >&"$GATE_OUT"
	done
	for pid in "${!owner[@]}"; do
		wait "$pid" && continue
		status=$?
		sample_say "process $pid of ${owner[$pid]} ended with status $status"
	done
	return $((status != 0))
}
