#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The test bed: records VMs on an emulated host with SMT and core scheduling, with this project's
# fcap, and sees that fanalyze tells "off" from "on". Prints TAP.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
ROOT=$(realpath -- "$HERE/../..") || exit 1
B=$(realpath -m -- "${B:-$ROOT/build}") || exit 1
CACHE=${FCAP_BED:-${XDG_CACHE_HOME:-$HOME/.cache}/fcap-bed}
FANALYZE=$B/fanalyze
SAMPLES=$ROOT/samples
RUNS=4
TIME=3s
RESULTS=$B/bed
RECORDED=
SETUPS=()
COUNT=0
FAILED=0

usage() {
	cat <<'END'
Usage: bed.sh [OPTION...] [SETUP...]
Builds the bed's kernel once (tests/bed/kernel.sh), boots it under qemu, records real KVM guests
in it without and with core-scheduling cookies, and checks what fanalyze says about the traces.
A SETUP names the vCPUs of each VM: 11 and 21 share one core of two threads, 32 and 222 two
cores; each takes about RUNS times 15 seconds. The SETUP steal is another: two QEMU guests that
share two CPUs, one of them booted with no-steal-acc, each with two groups of processes that are
due 10 and 90 % of it; it needs a second kernel and takes some minutes. Without a name: all.

  --runs N         recordings without and with cookies, each, 2 to 99 (4)
  --seconds TIME   how long the VMs run in each, with a unit (3s); steal takes four times that
  --dir DIR        where the recordings go: SETUP-off-N.dat and SETUP-on-N.dat, steal.dat
                   (build/bed)
  --recorded       check the recordings that are in DIR, and make none
  --help           this text

Environment: B, where the programs are (build); FCAP_BED, the cache of the kernel
(~/.cache/fcap-bed). Exit status: 0 all checks passed, 1 not, 2 usage.
END
}

say() {
	printf 'bed.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

refuse() {
	say "$1; see --help"
	exit 2
}

take_options() {
	while (($#)); do
		case $1 in
		--help)
			usage
			exit
			;;
		--recorded)
			RECORDED=y
			shift
			continue
			;;
		--runs | --seconds | --dir) [[ ${2-} ]] || refuse "$1: needs a value" ;;
		11 | 21 | 32 | 222 | steal)
			[[ " ${SETUPS[*]} " == *" $1 "* ]] || SETUPS+=("$1")
			shift
			continue
			;;
		*) refuse "$1: no such option or set-up" ;;
		esac
		case $1 in
		--runs) RUNS=$2 ;;
		--seconds) TIME=$2 ;;
		--dir) RESULTS=$2 ;;
		esac
		shift 2
	done
	[[ $RUNS =~ ^([2-9]|[1-9][0-9])$ ]] ||
		refuse "--runs $RUNS: use a whole number from 2 to 99"
	[[ $TIME =~ ^[1-9][0-9]{0,2}s$ ]] || refuse "--seconds $TIME: use a time such as 3s"
	((${#SETUPS[@]})) || SETUPS=(11 21 32 222 steal)
}

# needs PROGRAM...
needs() {
	local program

	for program in "$@"; do
		command -v "$program" >/dev/null ||
			fail "$program: not found; \"tests/deps.sh bed\" and make bed install what is needed"
	done
}

# record CORES SETUP...: one boot for all set-ups on so many cores
record() {
	local log=$RESULTS/boot-$1

	(($# > 1)) || return 0
	say "recording ${*:2} on an emulated host of $1 SMT core(s), see $log"
	"$HERE/boot.sh" --cores "$1" --timeout $((120 + ($# - 1) * RUNS * 60)) \
		--program "$B/fcap" --program "$B/samples/microvm" --program "$B/samples/coretag" \
		--file "$HERE/vms.sh" "$log" "$HERE/cores.sh" "$RUNS" "$TIME" "${@:2}" ||
		fail "the recording failed: $(tail -n 1 "$log/log" 2>/dev/null)"
	mv -- "$log"/*.dat "$RESULTS" || exit 1
}

# One core: of four emulated CPUs on two real ones, too many would be late.
record_steal() {
	local log=$RESULTS/boot-steal seconds=$((${TIME%s} * 4)) path files=()

	say "recording two guests that account for steal, see $log"
	for path in "$CACHE/bzImage-guest" /usr/share/seabios/bios-256k.bin \
		/usr/share/qemu/kvmvapic.bin /usr/share/qemu/linuxboot_dma.bin; do
		files+=(--file "$path")
	done
	"$SAMPLES/initramfs.sh" "$WORK/guest.gz" "$SAMPLES/steal-init.sh" "$B/fcap-guest" \
		"$B/samples/spin" || exit 1
	"$HERE/boot.sh" --cores 1 --memory 2048 --timeout $((600 + seconds * 4)) \
		--program "$B/fcap" --program "$FANALYZE" \
		--program "$(command -v qemu-system-x86_64)" "${files[@]}" \
		--file "$WORK/guest.gz" --file "$SAMPLES/steal-accounting.sh" "$log" "$HERE/steal.sh" "$seconds" ||
		fail "the recording failed: $(tail -n 1 "$log/log" 2>/dev/null)"
	mv -- "$log/run-1.dat" "$RESULTS/steal.dat" && mv -- "$log"/run-1-vm?.lines "$RESULTS" ||
		exit 1
}

record_all() {
	local setup one=() two=()

	for setup in "${SETUPS[@]}"; do
		rm -f -- "$RESULTS/$setup"-*.dat "$RESULTS/$setup.dat"
		case $setup in
		11 | 21) one+=("$setup") ;;
		32 | 222) two+=("$setup") ;;
		steal) record_steal ;;
		esac
	done
	record 1 "${one[@]}"
	record 2 "${two[@]}"
}

# check DESCRIPTION COMMAND...: a line of TAP; what the command said stands below it
check() {
	local text=$1 word=ok output

	output=$("${@:2}" 2>&1) || word="not ok"
	[[ $word == ok ]] || FAILED=1
	COUNT=$((COUNT + 1))
	echo "$word $COUNT - $text"
	[[ ! $output ]] || echo "# ${output//$'\n'/$'\n'# }"
}

# report_all: what fanalyze says of each recording, for the checks
report_all() {
	local setup file

	for setup in "${SETUPS[@]}"; do
		for file in "$RESULTS/$setup"[-.]*dat; do
			[[ -f $file ]] || fail "$RESULTS: no recording of set-up $setup"
			"$FANALYZE" report --json "$WORK/${file##*/}.json" "$file" >/dev/null || exit 1
		done
	done
}

# holds FILE CONDITION [TEXT]: of the JSON in it
holds() {
	jq -e "$2" "$1" >/dev/null && return
	echo "${1##*/}: does not hold: $2"
	return 1
}

# Nothing is lost, and there are the VMs of the set-up with their vCPUs, which entered guests.
is_whole() {
	local file vcpus

	vcpus=$(sed 's/./&,/g; s/,$//' <<<"$1")
	for file in "$RESULTS/$1"-*.dat; do
		holds "$WORK/${file##*/}.json" '.quality.lost == 0 and
			([.groups[] | select(.kind == "vm") | [.threads[].vcpu | numbers] | unique
				| length] | sort) == (['"$vcpus"'] | sort) and
			([.groups[] | select(.kind == "vm") | .guest_ns > 0] | all)' || return
	done
}

# pairings FILE: how many, and how many of them were re-entered
pairings() {
	jq -r '(.host.cores[] | "siblings \(.[0]) \(.[1])"), (.groups[] | .name as $name |
		.threads[] | select(.vcpu != null) | "vcpu \(.tid) \($name)")' \
		"$WORK/${1##*/}.json" >"$WORK/who" &&
		trace-cmd report -i "$1" 2>/dev/null | awk -f "$HERE/pairings.awk" "$WORK/who" -
}

# count_pairings SETUP off|on: sets PAIRINGS and REENTERED, over all FILES
count_pairings() {
	local file all again

	PAIRINGS=0 REENTERED=0 FILES=0
	for file in "$RESULTS/$1-$2"-*.dat; do
		read -r all again < <(pairings "$file") || return
		PAIRINGS=$((PAIRINGS + all)) REENTERED=$((REENTERED + again)) FILES=$((FILES + 1))
	done
	echo "$2: $PAIRINGS pairings of different VMs on a core, $REENTERED re-entered"
}

# By order alone, never by time. Measured over many boots: 25 to 92 % are re-entered.
shares_cores_when_off() {
	count_pairings "$1" off && ((PAIRINGS >= 5 * FILES && REENTERED * 100 >= PAIRINGS * 15))
}

# With cookies none to 1 in 20 of what it was without; what remains is a CPU that its neighbour
# has not told yet, or that takes long to hear.
keeps_apart_when_on() {
	local before

	count_pairings "$1" off && before=$REENTERED && count_pairings "$1" on &&
		((REENTERED * 10 <= before))
}

# runs_of SETUP off|on
runs_of() {
	local files=("$RESULTS/$1-$2"-*.dat)

	echo ${#files[@]}
}

compare() {
	"$FANALYZE" compare --by core_sched --json "$WORK/$1.compare" "$RESULTS/$1"-*.dat >/dev/null
}

# What a change was estimated as: gap SETUP NAME PER
gap() {
	jq -r --arg name "$2" --arg per "$3" '.gaps[] |
		select(.name == $name and .per == $per and .a == "on" and .b == "off") |
		"\(.name) of \(.per): \(.est.value) [\(.est.lo), \(.est.hi)] \(.verdict.word)"' \
		"$WORK/$1.compare"
}

# Cookies cost idle CPUs: the more so, the fewer ways there are to share the cores.
compare_tells_them_apart() {
	local -A least=([11]=-30 [21]=-10 [32]=0 [222]=0)
	local runs

	runs=$(runs_of "$1" off)
	compare "$1" || return
	gap "$1" cpu_time_change total
	holds "$WORK/$1.compare" '[.configurations[] | [.label, .runs]] | sort ==
		[["off", '"$runs"'], ["on", '"$(runs_of "$1" on)"']]' &&
		holds "$WORK/$1.compare" '.gaps[] | select(.name == "cpu_time_change" and
			.per == "total") | .est.value < '"${least[$1]}"
}

steal_is_whole() {
	holds "$WORK/steal.dat.json" '.quality.lost == 0 and
		([.groups[] | select(.kind == "vm") | [.name, .vcpus]] | sort) ==
		[["vm1", 2], ["vm2", 2]]' || return
	# vm1 alone was booted with no-steal-acc, and says so
	markers guest | grep -q 'vm=vm1 .*no_steal_acc=1' && ! markers guest |
		grep -q 'vm=vm2 .*no_steal_acc=1'
}

# markers KIND: of the recording, by trace-cmd
markers() {
	trace-cmd report -i "$RESULTS/steal.dat" 2>/dev/null | grep -o "fcap: $1 .*"
}

# What the trace says, what the host's kernel counted and what the guest counted are one thing.
# The guest hears of a wait when it runs again, and counts it at its next tick, in steps of 10 ms:
# where the real CPUs are busy with something else, it counts up to an eighth less.
three_steals_meet() {
	jq -r '.groups[] | select(.kind == "vm") | .steal | "waited in the trace \(.trace_ns), " +
		"host counter \(.counter_ns), guest counter \(.guest_ns) ns"' "$WORK/steal.dat.json"
	holds "$WORK/steal.dat.json" '[.groups[] | select(.kind == "vm") | .steal |
		(.compared_trace_ns / .compared_counter_ns | . > 0.9 and . < 1.1),
		(.guest_ns / .counter_ns | . > 0.75 and . < 1.1)] | length == 4 and all'
}

# windows_of NAME CONFIG: what its groups counted, as the lines that scores reads
windows_of() {
	markers work | awk -v name="$1" -v config="$2" '
		$3 == "vm=" name ".small" { small = substr($4, 3) }
		$3 == "vm=" name ".large" {
			large = substr($4, 3)
			if (small + large)
				printf "%d,%s,%s,%.2f,%d\n", ++n, config, name,
					100 * large / (small + large), small + large
		}'
}

# The table of 2015: the share of the group that is due 90 %, with its interval and a verdict.
table_of_2015_is_there() {
	{
		echo window,config,vm,share_pct,total
		windows_of vm1 off
		windows_of vm2 on
	} >"$WORK/steal.csv"
	"$FANALYZE" scores --expected 0.9 --json "$WORK/scores.json" "$WORK/steal.csv" |
		head -n 12 || return
	holds "$WORK/scores.json" '[.configurations[].groups[] | .share | .n >= 10 and .lo <= .value and
		.value <= .hi] | length == 2 and all'
}

# Forced idle time is there with cookies alone, in the trace and by the kernel's own counter. How
# much of it is not compared here: the kernel counts from its decision on, and an emulated CPU whose
# real one is busy may take long to go idle.
forced_idle_is_counted() {
	local file

	for file in "$RESULTS/$1-off"-*.dat; do
		holds "$WORK/${file##*/}.json" '[.isolation.forced_idle.groups[] |
			.caused_ns == 0 and .counter_ns == 0] | length > 0 and all' || return
	done
	for file in "$RESULTS/$1-on"-*.dat; do
		jq -r '[.isolation.forced_idle.groups[]] | "caused in the trace " +
			"\(map(.caused_ns) | add), by the kernel \(map(.counter_ns) | add) ns"' \
			"$WORK/${file##*/}.json"
		holds "$WORK/${file##*/}.json" '[.isolation.forced_idle.groups[]] |
			(map(.caused_ns) | add) > 0 and (map(.counter_ns) | add) > 0' || return
	done
}

# audit FILE: its status. An emulated CPU may be late by much.
audit() {
	"$FANALYZE" audit --tolerance 60ms "$1" >"$WORK/audit"
}

# All runs without cookies are objected to, and most with them are not: where the outer machine
# stops an emulated CPU for longer than the tolerance, audit cannot call that isolation.
audit_tells_them_apart() {
	local file status good=0

	for file in "$RESULTS/$1-off"-*.dat; do
		audit "$file"
		status=$?
		((status == 3)) && continue
		echo "${file##*/}: status $status instead of 3:" && cat "$WORK/audit"
		return 1
	done
	for file in "$RESULTS/$1-on"-*.dat; do
		audit "$file" && good=$((good + 1)) && continue
		echo "${file##*/}: status not 0:" && sed -n '1,/^$/p' "$WORK/audit"
	done
	((good * 2 > $(runs_of "$1" on)))
}

check_audit() {
	if "$FANALYZE" audit --help >/dev/null 2>&1; then
		check "$1: audit objects without cookies, and not with them" audit_tells_them_apart "$1"
	fi
}

# check_cores SETUP
check_cores() {
	check "$1: every recording is whole and has its VMs" is_whole "$1"
	check "$1: without cookies VMs share cores" shares_cores_when_off "$1"
	check "$1: with cookies they hardly do" keeps_apart_when_on "$1"
	check "$1: compare tells off from on" compare_tells_them_apart "$1"
	check "$1: with cookies alone CPUs are forced idle" forced_idle_is_counted "$1"
	check_audit "$1"
}

check_steal() {
	check "steal: the recording is whole and has its guests" steal_is_whole
	check "steal: trace, host and guests say the same of it" three_steals_meet
	check "steal: shares in the guests have intervals" table_of_2015_is_there
}

record_and_check() {
	local setup

	[[ $RECORDED ]] || record_all
	report_all
	for setup in "${SETUPS[@]}"; do
		if [[ $setup == steal ]]; then
			check_steal
		else
			check_cores "$setup"
		fi
	done
	echo "1..$COUNT"
}

prepare() {
	local kernels=(host)

	needs "$B/fcap" "$B/fcap-guest" "$B/samples/microvm" "$B/samples/coretag" \
		"$B/samples/spin" qemu-system-x86_64 busybox cpio
	[[ " ${SETUPS[*]} " != *" steal "* ]] || kernels+=(guest)
	"$HERE/kernel.sh" "${kernels[@]}" || exit 1
	mkdir -p -- "$RESULTS" || exit 1
}

take_options "$@"
needs "$FANALYZE" jq trace-cmd
[[ $RECORDED ]] || prepare
WORK=$(mktemp -d) || exit 1
trap 'rm -rf -- "$WORK"' EXIT
record_and_check
((FAILED == 0))
