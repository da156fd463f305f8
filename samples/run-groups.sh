#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Groups of spinning processes with different CPU weights: for machines without KVM, and guests.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
# shellcheck source=samples/cgroups.sh
. "$HERE/cgroups.sh" || exit 1
CHUNK=5000 # loops between two looks at the clock, a few ms
NOW_US=
MONOTONIC_US=

usage() {
	cat <<'END'
Usage: run-groups.sh [OPTION...]
Runs groups of processes that only spin, each group in a cgroup of its own.

  --groups N       number of groups (2)
  --workers N      processes in each group (the number of CPUs)
  --weights A,B    CPU weight of each group as a cpu.shares number, 2 to 262144; where the
                   machine has cgroup v2, cpu.weight is set to A*100/1024 (128,1152 for two
                   groups, else 1024 each)
  --seconds TIME   how long, with a unit: 5s, 500ms (5s)
  --names A,B      names of the groups (group1,group2,...)
  --help           this text

Environment: FCAP_FD, a descriptor to which each process writes fcap-work lines once a second,
with t and dt only where /proc/timer_list can be read. Exit status: 0 done, 1 failed, 2 usage.
END
}

# Realtime is good enough to end by, and costs no system call that matters.
read_clock() {
	NOW_US=${EPOCHREALTIME//[.,]/}
}

# CLOCK_MONOTONIC: bash cannot ask for it, but the kernel prints it to root.
read_monotonic() {
	local words

	MONOTONIC_US=
	[[ -r /proc/timer_list ]] || return
	while read -r -a words; do
		if [[ ${words[0]-} == now ]]; then
			MONOTONIC_US=$((words[2] / 1000))
			return
		fi
	done </proc/timer_list
}

# report NAME LOOPS LAST_US: LOOPS were done since LAST_US.
report() {
	local stamp='' dt

	[[ ${FCAP_FD-} ]] || return 0
	read_monotonic
	if [[ $MONOTONIC_US && $3 ]]; then
		dt=$((MONOTONIC_US - $3))
		printf -v stamp ' t=%d.%06d dt=%d.%06d' $((MONOTONIC_US / 1000000)) \
			$((MONOTONIC_US % 1000000)) $((dt / 1000000)) $((dt % 1000000))
	fi
	printf 'fcap-work vm=%s n=%d%s unit=loops\n' "$1" "$2" "$stamp" >&"$FCAP_FD"
}

spin() {
	local end next loops=0 reported=0 last_us i

	read_clock
	read_monotonic
	last_us=$MONOTONIC_US
	end=$((NOW_US + DURATION_US))
	next=$((NOW_US + 1000000))
	while ((NOW_US < end)); do
		for ((i = 0; i < CHUNK; i++)); do :; done
		loops=$((loops + CHUNK))
		read_clock
		if ((NOW_US >= next || NOW_US >= end)); then
			report "$1" $((loops - reported)) "$last_us" || exit 1
			last_us=$MONOTONIC_US reported=$loops next=$((NOW_US + 1000000))
		fi
	done
	printf '%s process %d: %d loops\n' "$1" "$BASHPID" "$loops"
}

sample_options --groups --workers "$@"
sample_defaults group
sample_check --groups --workers
if [[ ${FCAP_FD-} ]] && ! { [[ $FCAP_FD =~ ^[0-9]+$ ]] && : >&"$FCAP_FD"; } 2>/dev/null; then
	sample_usage "FCAP_FD=$FCAP_FD is not an open descriptor; unset it"
fi
load_run spin "$SIZE"
