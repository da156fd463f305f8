#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The sample VM and the two scripts that load a machine with weights.
set -u
SAMPLES=$(cd -- "${BASH_SOURCE[0]%/*}/../../samples" && pwd) || exit 1
B=${B:-build}
MICROVM=$(realpath -- "$B/samples/microvm") || exit 1
export MICROVM
unset FCAP_FD
TOKEN=t$$x # in the names, hence in the command line, of all that is started here
PID= # of what runs in the background

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh" || exit 1
# shellcheck source=samples/cgroups.sh
. "$SAMPLES/cgroups.sh" || exit 1
cg_prepare 2>"$DIR/cg" # sets CG_KIND and CG_ROOT as it does for the scripts

processes_with_token() {
	local file args

	for file in /proc/[0-9]*/cmdline; do
		mapfile -d '' -t args <"$file" || continue
		[[ " ${args[*]} " != *"$TOKEN"* ]] || echo "$file: ${args[*]}"
	done 2>/dev/null
}

nothing_is_left() {
	local left

	left=$(processes_with_token)
	[[ $CG_KIND == none ]] || left+=$(find "$CG_ROOT" -maxdepth 1 -name "fcap-$TOKEN*")
	[[ ! $left ]] || echo "left behind: $left"
	[[ ! $left ]]
}

# work_is_consecutive FILE NAME MIN: that many lines of NAME, each beginning where the last ended.
work_is_consecutive() {
	cat "$1"
	awk -v name="vm=$2" -v min="$3" '
		function us(field) { sub(/^[a-z]+=/, "", field); sub(/\./, "", field); return field + 0 }
		$1 != "fcap-work" || NF != 6 || $4 !~ /^t=[0-9]+\.[0-9]+$/ { bad = 1 }
		$2 == name {
			if (lines++ && us($4) - us($5) != last) bad = 1
			if ($3 !~ /^n=[0-9]+$/) bad = 1
			last = us($4)
		}
		END { exit bad || lines < min }' "$1"
}

bad_arguments_are_refused() {
	local args

	while IFS='|' read -r -a args; do
		expect 2 "$MICROVM" "${args[@]}" >"$DIR/out" 2>"$DIR/err" || return
		[[ ! -s $DIR/out ]] && grep -q "microvm: .*${args[0]%=}" "$DIR/err" && continue
		echo "${args[*]}:" && cat "$DIR/out" "$DIR/err"
		return 1
	done <<'END'
--vcpus|0
--vcpus|241
--vcpus|two
--seconds|5
--seconds|0s
--mode|real
--name|a b
--name=
--rounds-log2|32
--report-every|1us
--core-sched|on
--no-such-option
argument
END
	FCAP_FD=77 expect 2 "$MICROVM" 77>&- 2>"$DIR/err" && grep -q FCAP_FD=77 "$DIR/err"
}

scripts_refuse_bad_arguments() {
	local script args

	while IFS='|' read -r script args; do
		# shellcheck disable=SC2086 # several words are meant
		expect 2 "$SAMPLES/$script" $args 2>"$DIR/err" || return
		(($(wc -l <"$DIR/err") == 1)) || return
	done <<'END'
run-vms.sh|--vms 0
run-vms.sh|--vms many
run-vms.sh|--vcpus -1
run-vms.sh|--vms 3 --weights 1,2
run-vms.sh|--weights 1,1024
run-vms.sh|--names a,a
run-vms.sh|--names a/b,c
run-vms.sh|--workers 2
run-vms.sh|--core-sched on
run-vms.sh|--core-sched
run-groups.sh|--core-sched vm
run-groups.sh|--seconds 5
run-groups.sh|--seconds
run-groups.sh|--groups 09
run-groups.sh|extra
END
}

help_goes_to_stdout() {
	local program

	for program in "$MICROVM" "$SAMPLES/run-vms.sh" "$SAMPLES/run-groups.sh"; do
		expect 0 "$program" --help >"$DIR/out" 2>"$DIR/err" || return
		grep -q -- --seconds "$DIR/out" && [[ ! -s $DIR/err ]] || return
	done
}

missing_kvm_is_named() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	expect 1 unshare -m sh -c 'mount -t tmpfs none /dev && exec "$0"' "$MICROVM" 2>"$DIR/err" ||
		return
	cat "$DIR/err"
	(($(wc -l <"$DIR/err") == 1)) && grep -q "^microvm: .*/dev/kvm" "$DIR/err"
}

work_lines_add_up() {
	local reported total

	FCAP_FD=3 expect 0 "$MICROVM" --name "$TOKEN" --vcpus 2 --seconds 300ms --report-every 50ms \
		3>"$DIR/work" >"$DIR/out" || return
	cat "$DIR/out"
	(($(grep -c "^$TOKEN vcpu [01]: .*counter ok$" "$DIR/out") == 2)) || return
	work_is_consecutive "$DIR/work" "$TOKEN" 3 || return
	reported=$(awk '{ sub("n=", "", $3); sum += $3 } END { printf "%.0f", sum }' "$DIR/work")
	total=$(sed -n 's/.* total: .* exits, \([0-9]*\) rounds.*/\1/p' "$DIR/out")
	((reported == total && total > 0))
}

# Ends what start began, should a test have failed before it did so.
after_test() {
	[[ $PID ]] || return 0
	kill -TERM "$PID" && sleep 0.1 && kill -KILL -- "-$PID"
	wait "$PID"
	PID=
}

# Runs its arguments in the background, in a process group of its own so that INT is not ignored.
start() {
	set -m
	"$@" >"$DIR/out" 2>"$DIR/err" &
	PID=$!
	set +m
}

is_gone() {
	! kill -0 "$PID"
} 2>/dev/null

# ends_with STATUS: what start began does so, soon and by itself.
ends_with() {
	local pid=$PID

	wait_for is_gone || return
	PID=
	expect "$1" wait "$pid"
}

# wait_for COMMAND...: until it succeeds, 5 s at most
wait_for() {
	local try

	for ((try = 0; try < 250; try++)); do
		"$@" && return
		sleep 0.02
	done
	echo "waited in vain: $*"
	return 1
}

# The kernel may add threads of its own to the process.
has_vcpu_threads() {
	[[ $(cat "/proc/$PID/comm") == microvm &&
		$(cat "/proc/$PID/task/"*/comm | grep /KVM | sort | tr '\n' ,) == "CPU 0/KVM,CPU 1/KVM," ]]
} 2>/dev/null

microvm_ends_cleanly_on() {
	start "$MICROVM" --name "$TOKEN" --vcpus 2 --seconds 30s
	wait_for has_vcpu_threads || return
	kill "-$1" "$PID"
	ends_with 0 && cat "$DIR/out" "$DIR/err" && grep -q "^$TOKEN total: " "$DIR/out"
}

unwritable_reports_fail() {
	FCAP_FD=3 expect 1 "$MICROVM" --seconds 100ms 3</dev/null 2>"$DIR/err" &&
		grep -q "^microvm: .*FCAP_FD" "$DIR/err"
}

# reports_add_up NAME: the work lines of NAME, to what the script printed in the end.
reports_add_up() {
	awk -v name="$1" '
		FNR == NR && $2 == "vm=" name { sub("n=", "", $3); sum += $3 }
		FNR != NR && $1 == name && $2 == "total:" { said = $5 }
		FNR != NR && $1 == name && $2 == "process" { said = $4 }
		END { print name, sum, said; exit !(sum > 0 && sum == said) }' "$DIR/work" "$DIR/out"
}

# script_runs SCRIPT SIZE_OPTION
script_runs() {
	local name

	FCAP_FD=3 expect 0 "$SAMPLES/$1" "$2" 1 --seconds 1100ms --names "${TOKEN}a,${TOKEN}b" \
		3>"$DIR/work" >"$DIR/out" 2>"$DIR/err" || return
	cat "$DIR/out" "$DIR/err"
	nothing_is_left || return
	for name in "${TOKEN}a" "${TOKEN}b"; do
		# a starved group may come to report only once
		work_is_consecutive "$DIR/work" "$name" 1 && reports_add_up "$name" || return
	done
}

# On one CPU, so that other load cannot decide which VM gets the quieter one.
heavier_vm_does_more() {
	local cpu

	cpu=$(taskset -cp $$ | sed 's/.*: //; s/[,-].*//')
	FCAP_FD=3 expect 0 taskset -c "$cpu" "$SAMPLES/run-vms.sh" --vcpus 2 --seconds 500ms \
		--weights 1152,128 3>"$DIR/work" || return
	cat "$DIR/work"
	awk -v heavy="vm=vm1" '{ sub("n=", "", $3); sum[$2 == heavy] += $3 }
		END { exit !(sum[1] > sum[0] && sum[0] > 0) }' "$DIR/work"
}

# has_group NAME SHARES PROCESSES
has_group() {
	local dir=$CG_ROOT/fcap-${TOKEN}a-$PID/$1

	[[ $(wc -l 2>/dev/null <"$dir/cgroup.procs") == "$3" ]] || return
	if [[ $CG_KIND == v1 ]]; then
		[[ $(<"$dir/cpu.shares") == "$2" ]]
	else
		cg_weight "$2"
		[[ $(<"$dir/cpu.weight") == "$WEIGHT" ]]
	fi
}

# script_cleans_up SIGNAL STATUS SCRIPT SIZE_OPTION SIZE PROCESSES
script_cleans_up() {
	start "$SAMPLES/$3" "$4" "$5" --seconds 30s --names "${TOKEN}a,${TOKEN}b"
	wait_for has_group "${TOKEN}a" 128 "$6" && wait_for has_group "${TOKEN}b" 1152 "$6" || return
	kill "-$1" "$PID"
	ends_with "$2" && nothing_is_left
}

all_workers_spin() {
	(($(processes_with_token | wc -l) == 1 + 2 * 2))
}

plain_processes_are_ended() {
	start env CG_MOUNTS=/dev/null "$SAMPLES/run-groups.sh" --workers 2 --seconds 30s \
		--names "${TOKEN}a,${TOKEN}b"
	wait_for all_workers_spin || return
	kill -TERM "$PID"
	ends_with 143 && nothing_is_left
}

failing_vm_is_told() {
	MICROVM=/bin/false expect 1 "$SAMPLES/run-vms.sh" --names "${TOKEN}a,${TOKEN}b" 2>"$DIR/err"
	grep -q "${TOKEN}b ended with status 1" "$DIR/err" && nothing_is_left
}

weights_are_converted_as_the_kernel_does() {
	local shares weights=()

	for shares in 2 128 1024 1152 262144; do
		cg_weight $shares
		weights+=("$WEIGHT")
	done
	[[ ${weights[*]} == "1 13 100 113 10000" ]]
}

defaults_fit_the_number() (
	COUNT=3
	sample_defaults x
	[[ ${WEIGHTS[*]} == "1024 1024 1024" && ${NAMES[*]} == "x1 x2 x3" ]] || return
	COUNT='' NAMES=() WEIGHTS=(5 6 7 8)
	sample_defaults x
	[[ $COUNT == 4 && ${NAMES[*]} == "x1 x2 x3 x4" ]]
)

# Plain files in place of a v2 hierarchy: what would be written, and where.
v2_gets_weights() (
	root="$DIR/v 2"
	mkdir -p "$root"
	echo "cpuset cpu io" >"$root/cgroup.controllers"
	echo "memory" >"$root/cgroup.subtree_control"
	printf '%s\n' "tmpfs /sys tmpfs rw 0 0" "cgroup /m cgroup rw,cpuset,cpuacct 0 0" \
		"cgroup2 $DIR/v\\0402 cgroup2 rw 0 0" >"$DIR/mounts"
	CG_MOUNTS=$DIR/mounts
	WEIGHTS=(128 1152)
	cg_prepare && cg_top && cg_create a 128 && cg_enter 4711
	[[ $CG_KIND == v2 && $(<"$root/cgroup.subtree_control") == +cpu &&
		$(<"$CG_TOP/cpu.weight") == 125 && $(<"$CG_TOP/cgroup.subtree_control") == +cpu &&
		$(<"$CG_DIR/cpu.weight") == 13 && $(<"$CG_DIR/cgroup.procs") == 4711 ]]
)

co_mounted_v1_is_found() (
	echo "cgroup /sys/x cgroup rw,cpu,cpuacct 0 0" >"$DIR/mounts"
	CG_MOUNTS=$DIR/mounts
	cg_find
	[[ $CG_KIND == v1 && $CG_ROOT == /sys/x ]]
)

no_controller_is_told_once() (
	echo "cgroup /sys/x cgroup rw,cpuset,cpuacct 0 0" >"$DIR/mounts"
	CG_MOUNTS=$DIR/mounts
	cg_prepare 2>"$DIR/err"
	cg_create a 128 && cg_enter $$
	[[ $CG_KIND == none ]] && (($(grep -c "without weights" "$DIR/err") == 1))
)

no_kvm='' no_cgroup='' no_mount='' no_clock=''
[[ -r /dev/kvm && -w /dev/kvm ]] || no_kvm="/dev/kvm cannot be used"
[[ $CG_KIND != none ]] || no_cgroup="no cgroup with the cpu controller can be made"
unshare -m true 2>/dev/null || no_mount="mount namespaces cannot be made"
[[ -r /proc/timer_list ]] || no_clock="/proc/timer_list cannot be read"

echo 1..24
check "microvm refuses bad arguments with status 2 and a sentence" bad_arguments_are_refused
check "the scripts refuse bad arguments with status 2 and one line" scripts_refuse_bad_arguments
check "--help goes to stdout with status 0" help_goes_to_stdout
unless "$no_mount" "microvm without /dev/kvm says so with status 1" missing_kvm_is_named
unless "$no_kvm" "work lines are consecutive and add up to the summary" work_lines_add_up
unless "$no_kvm" "SIGINT ends microvm with its summary" microvm_ends_cleanly_on INT
unless "$no_kvm" "SIGTERM ends microvm with its summary" microvm_ends_cleanly_on TERM
unless "$no_kvm" "microvm fails if its reports cannot be written" unwritable_reports_fail
check "cpu.shares become cpu.weight as in the kernel" weights_are_converted_as_the_kernel_does
check "names and weights left out fit the number of groups" defaults_fit_the_number
check "groups of cgroup v2 get their weight" v2_gets_weights
check "a v1 controller mounted with another is found" co_mounted_v1_is_found
check "a machine without the controller is told once" no_controller_is_told_once
unless "$no_clock" "run-groups.sh reports consecutive work and leaves nothing" \
	script_runs run-groups.sh --workers
unless "$no_kvm" "run-vms.sh reports consecutive work and leaves nothing" script_runs run-vms.sh --vcpus
unless "$no_kvm" "a VM that fails makes run-vms.sh fail" failing_vm_is_told
unless "${no_kvm:-$no_cgroup}" "the heavier VM does more work" heavier_vm_does_more
check "processes without a cgroup are ended too" plain_processes_are_ended
for signal in INT TERM HUP; do
	status=$((128 + $(kill -l "$signal")))
	unless "$no_cgroup" "run-groups.sh removes groups and processes after SIG$signal" \
		script_cleans_up "$signal" $status run-groups.sh --workers 2 2
	unless "${no_kvm:-$no_cgroup}" "run-vms.sh removes groups and VMs after SIG$signal" \
		script_cleans_up "$signal" $status run-vms.sh --vcpus 1 1
done
