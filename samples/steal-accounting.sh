#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The experiment of 2015 on this host: two guests share the CPUs; in each, groups of processes that
# are due 10 and 90 %. Does it matter whether a guest's scheduler accounts for stolen time?
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
B=${B:-$HERE/../build}
FCAP=${FCAP:-$B/fcap}
FANALYZE=${FANALYZE:-$B/fanalyze}
FCAP_GUEST=${FCAP_GUEST:-$B/fcap-guest}
SPIN=${SPIN:-$B/samples/spin}
QEMU=${QEMU:-qemu-system-x86_64}
KERNEL=/boot/vmlinuz-$(uname -r)
INITRAMFS=
CPU=host
VCPUS=$(nproc)
RUNS=1
SECONDS_EACH=30
DIR=steal-accounting
DEMO=
RECORDING=() # options given that are about recording
PIDS=()

usage() {
	cat <<'END'
Usage: steal-accounting.sh [OPTION...]
Boots two QEMU guests at the same time, each with as many vCPUs as the host has CPUs, one of them
with no-steal-acc, and records host and guests. In each guest two groups of processes count, due 10
and 90 % of it. Says what share the 90 % group got in either, and how far host and guests agree on
the time that was stolen. Everything goes to one directory: traces, what the guests said, scores.csv
and scores.txt, a report of each run and a figure.

  --runs N         runs; in every other one the guests change roles (1)
  --seconds N      how long each is recorded (30)
  --vcpus N        vCPUs of each guest (the number of CPUs)
  --kernel FILE    kernel of the guests (/boot/vmlinuz-RELEASE of the running one); it needs
                   devtmpfs, a serial port, KVM_GUEST and PARAVIRT_TIME_ACCOUNTING built in, as
                   those of distributions have
  --initramfs FILE what they boot into (made from busybox, bash, fcap-guest and spin)
  --cpu MODEL      their CPU, for QEMU (host)
  --dir DIR        where everything goes (steal-accounting)
  --demo           no recording: a recording that comes with the sources, of an emulated host
  --help           this text

Environment: FCAP, FANALYZE, FCAP_GUEST, SPIN, the programs (those in build/); QEMU
(qemu-system-x86_64). Exit status: 0 done; 1 this host cannot do it, with the reason, or something
failed; 2 usage.
END
}

say() {
	printf 'steal-accounting.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

refuse() {
	say "$1; see --help"
	exit 2
}

# number OPTION VALUE MAX
number() {
	[[ $2 =~ ^[1-9][0-9]{0,5}$ ]] && (($2 <= $3)) && return
	refuse "$1 $2: use a whole number from 1 to $3"
}

take_option() {
	[[ $1 == --dir ]] || RECORDING+=("$1")
	case $1 in
	--runs) number "$@" 999 && RUNS=$2 ;;
	--seconds) number "$@" 86400 && SECONDS_EACH=$2 ;;
	--vcpus) number "$@" 64 && VCPUS=$2 ;;
	--kernel) KERNEL=$2 ;;
	--initramfs) INITRAMFS=$2 ;;
	--cpu) CPU=$2 ;;
	--dir) DIR=$2 ;;
	*) refuse "$1: unknown option" ;;
	esac
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
		--*) [[ ${2-} ]] || refuse "$1: needs a value" ;;
		*) refuse "$1: unknown option" ;;
		esac
		take_option "$1" "$2"
		shift 2
	done
	[[ ! $DEMO || ${#RECORDING[@]} == 0 ]] ||
		refuse "--demo: ${RECORDING[0]} is about recording, and nothing is recorded"
}

check_host() {
	local program programs=("$FCAP")

	[[ -x $FANALYZE ]] || fail "$FANALYZE: not found; run make, or set FANALYZE to the program"
	[[ ! $DEMO ]] || return 0
	[[ $INITRAMFS ]] || programs+=("$FCAP_GUEST" "$SPIN")
	for program in "${programs[@]}"; do
		[[ -x $program ]] || fail "$program: not found; run make"
	done
	command -v "$QEMU" >/dev/null || fail "$QEMU: not found; install qemu-system-x86"
	[[ -r $KERNEL ]] || fail "$KERNEL: cannot be read; give a kernel with --kernel"
	[[ -r /dev/kvm && -w /dev/kvm ]] ||
		fail "cannot use /dev/kvm: load the kvm module, or get the permission; --demo shows" \
			"what would come out"
	[[ $(id -u) == 0 ]] || fail "recording needs root; --demo shows what would come out"
}

make_initramfs() {
	[[ ! $INITRAMFS ]] || return 0
	INITRAMFS=$DIR/guest.gz
	"$HERE/initramfs.sh" "$INITRAMFS" "$HERE/steal-init.sh" "$FCAP_GUEST" "$SPIN" || exit 1
}

# start_guest RUN NAME OPTION...: the options are for its kernel
start_guest() {
	"$QEMU" -name "guest=$2,debug-threads=on" -machine pc -accel kvm -cpu "$CPU" -smp "$VCPUS" \
		-m 256 -nodefaults -display none -no-reboot -kernel "$KERNEL" -initrd "$INITRAMFS" \
		-append "console=ttyS0 quiet panic=-1 tsc=reliable GUEST_NAME=$2 ${*:3}" \
		-serial "file:$DIR/run-$1-$2.console" -serial "file:$DIR/run-$1-$2.lines" &
	PIDS+=($!)
}

end_guests() {
	((${#PIDS[@]})) || return 0
	kill "${PIDS[@]}" 2>/dev/null
	wait "${PIDS[@]}" 2>/dev/null
	PIDS=()
}

# both_count RUN: both guests have said something of either kind
both_count() {
	local name

	for name in vm1 vm2; do
		grep -aq '^fcap-guest ' "$DIR/run-$1-$name.lines" 2>/dev/null &&
			grep -aq '^fcap-work ' "$DIR/run-$1-$name.lines" || return
	done
}

wait_for_guests() {
	local i

	for ((i = 0; i < 300; i++)); do
		both_count "$1" && return
		kill -0 "${PIDS[@]}" 2>/dev/null ||
			fail "a guest has ended; see $DIR/run-$1-*.console"
		sleep 1
	done
	fail "the guests did not begin to count within 300 s; see $DIR/run-$1-*.console"
}

# Keeps of what the guests say only what they say while they are recorded.
record() {
	local run=$1 name
	local -A before

	for name in vm1 vm2; do
		before[$name]=$(wc -c <"$DIR/run-$run-$name.lines") || exit 1
	done
	"$FCAP" record -o "$DIR/run-$run.dat" --label "no_steal_acc=$2" \
		--guest "vm1=$DIR/run-$run-vm1.lines" --guest "vm2=$DIR/run-$run-vm2.lines" \
		-- sleep "$SECONDS_EACH" || fail "the recording failed"
	end_guests
	for name in vm1 vm2; do
		tail -c "+$((before[$name] + 1))" "$DIR/run-$run-$name.lines" >"$DIR/part" &&
			mv -- "$DIR/part" "$DIR/run-$run-$name.lines" || exit 1
	done
}

# run NUMBER: vm1 is the one without in the odd ones
run() {
	local without=vm$((2 - $1 % 2)) with=vm$((1 + $1 % 2))

	rm -f -- "$DIR/run-$1-"*
	start_guest "$1" "$without" no-steal-acc
	start_guest "$1" "$with"
	wait_for_guests "$1"
	record "$1" "$without"
}

# lines RUN NAME CONFIG: what each group counted, interval by interval
lines() {
	awk -v run="$1" -v name="$2" -v config="$3" '
		/^fcap-work / && $2 == "vm=" name ".small" { small = substr($3, 3); next }
		/^fcap-work / && $2 == "vm=" name ".large" && small != "" {
			print run, config, small, substr($3, 3) + 0
		}' "$DIR/run-$1-$2.lines"
}

# One run: the windows of the group that is due 90 %. Several: what both groups did in each run.
make_table() {
	local n

	for ((n = 1; n <= RUNS; n++)); do
		lines "$n" "vm$((2 - n % 2))" off
		lines "$n" "vm$((1 + n % 2))" on
	done | awk -v runs="$RUNS" '
		runs == 1 && $3 + $4 {
			if (!n++)
				print "window,config,vm,share_pct,total"
			printf "%d,%s,large,%.3f,%d\n", ++of[$2], $2, 100 * $4 / ($3 + $4), $3 + $4
		}
		{ small[$1 "," $2] += $3; large[$1 "," $2] += $4 }
		END {
			if (runs > 1)
				print "run,config,vm,score"
			for (key in large)
				if (runs > 1)
					printf "%s,small,%d\n%s,large,%d\n", key, small[key], key, large[key]
		}' >"$DIR/scores.csv"
}

show() {
	local n expected=(--expected large=0.9)

	((RUNS == 1)) || expected+=(--expected small=0.1)
	for ((n = 1; n <= RUNS; n++)); do
		"$FANALYZE" report "$DIR/run-$n.dat" >"$DIR/report-$n.txt" || exit 1
	done
	"$FANALYZE" plot -o "$DIR/figures" "$DIR/run-1.dat" >&2 || say "no figure of run 1"
	make_table
	"$FANALYZE" scores "${expected[@]}" --json "$DIR/scores.json" "$DIR/scores.csv" \
		>"$DIR/scores.txt" || exit 1
	echo "Of the group that is due 90 % in each guest; off: booted with no-steal-acc,"
	echo "on: without"
	echo
	cat -- "$DIR/scores.txt" || exit 1
	echo
	echo "Stolen time, as the trace of the host and the guests themselves tell it (run 1)"
	echo
	sed -n '/^Steal: /,/^$/p' "$DIR/report-1.txt"
	echo "All of it is in $DIR:"
	echo "  scores.csv, scores.txt, scores.json, report-*.txt, figures/"
}

take_demo() {
	local name

	for name in run-1.dat run-1-vm1.lines run-1-vm2.lines; do
		cp -L -- "$HERE/steal/$name" "$DIR/$name" || fail "$HERE/steal/$name: is missing"
	done
}

take_options "$@"
check_host
mkdir -p -- "$DIR" || exit 1
trap end_guests EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
if [[ $DEMO ]]; then
	take_demo
else
	make_initramfs
	for ((n = 1; n <= RUNS; n++)); do
		run "$n"
	done
fi
show
