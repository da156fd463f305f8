#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# coretag and run-vms.sh --core-sched: where the kernel knows core scheduling, cookies; elsewhere,
# refusals.
set -u
B=${B:-build}
CORETAG=$(realpath -- "$B/samples/coretag") || exit 1
MICROVM=$(realpath -- "$B/samples/microvm") || exit 1
RUN_VMS=$(realpath -- "${BASH_SOURCE[0]%/*}/../../samples/run-vms.sh") || exit 1
export CORETAG MICROVM
PID= # of what runs in the background

# shellcheck source=tests/lib/tap.sh
. "${BASH_SOURCE[0]%/*}/../lib/tap.sh" || exit 1

after_test() {
	[[ $PID ]] || return 0
	kill -TERM "$PID" # run-vms.sh ends its VMs
	wait "$PID"
	PID=
}

bad_arguments_are_refused() {
	local args

	while IFS='|' read -r -a args; do
		expect 2 "$CORETAG" "${args[@]}" >"$DIR/out" 2>"$DIR/err" || return
		is_empty "$DIR/out" && grep -q "coretag: " "$DIR/err" && continue
		echo "${args[*]}:" && cat "$DIR/out" "$DIR/err"
		return 1
	done <<'END'

frob
new
new|--
new|1|2
new|0
new|-1
new|12x
new|--threads
new|--threads|--|true
new|--thread|1
get
get|x
get|--|1
get|--threads|1
copy|1
copy|1|2|3
check|1
END
}

help_goes_to_stdout() {
	expect 0 "$CORETAG" --help >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" &&
		grep -q "^Exit status: 0 done; 1 refused" "$DIR/out"
}

# The same reason each time, and only that: no command runs without the cookie asked for.
every_verb_is_refused_with_the_reason() {
	local reason

	expect 1 "$CORETAG" check 2>"$DIR/err" && is_one_line "$DIR/err" "coretag: " || return
	reason=$(sed 's/^coretag: //' "$DIR/err")
	grep -Eq "CONFIG_SCHED_CORE|no SMT is active" <<<"$reason" || return
	refused_for 1 "process $$: $reason" new $$ &&
		refused_for 1 "thread $$: $reason" new --threads $$ &&
		refused_for 1 "thread $$: $reason" get $$ &&
		refused_for 1 "thread 1: $reason" copy 1 $$ &&
		refused_for 125 "touch: $reason" new -- touch "$DIR/ran" && [[ ! -e $DIR/ran ]]
}

# refused_for STATUS SENTENCE ARGUMENT...
refused_for() {
	expect "$1" "$CORETAG" "${@:3}" >"$DIR/out" 2>"$DIR/err" || return
	[[ ! -s $DIR/out && $(<"$DIR/err") == "coretag: $2" ]] || cat "$DIR/out" "$DIR/err"
	[[ ! -s $DIR/out && $(<"$DIR/err") == "coretag: $2" ]]
}

missing_processes_are_told() {
	refused_for 1 "process 4194305: no such process" new --threads 4194305 &&
		refused_for 1 "process 4194305: no such process" new --threads 04194305 &&
		refused_for 1 "process 4194305: no such process" new --threads 0x400001
}

# cookie_of PID
cookie_of() {
	"$CORETAG" get "$1" | cut -f 3
}

# The shell is the command, and its child inherits.
a_command_and_its_children_have_one_cookie() {
	local cookies

	mapfile -t cookies < <("$CORETAG" new -- sh -c "$CORETAG get \$\$ && $CORETAG new -- true &&
		sh -c '$CORETAG get \$\$; :'" | cut -f 3)
	echo "${cookies[*]}"
	[[ ${#cookies[@]} == 2 && ${cookies[0]} == 0x?* && ${cookies[0]} != "0x0 (none)" &&
		${cookies[0]} == "${cookies[1]}" ]]
}

a_cookie_is_given_copied_and_taken_away() {
	local given

	sleep 60 &
	PID=$!
	expect 0 "$CORETAG" new "$PID" || return
	given=$(cookie_of "$PID")
	[[ $given == 0x?* && $given != "0x0 (none)" ]] || return
	expect 0 "$CORETAG" new "$PID" && [[ $(cookie_of "$PID") != "$given" ]] || return
	expect 0 "$CORETAG" copy $$ "$PID" && [[ $(cookie_of "$PID") == "$(cookie_of $$)" ]]
}

# wait_for COMMAND...: until it succeeds, 10 s at most
wait_for() {
	local try

	for ((try = 0; try < 100; try++)); do
		"$@" && return
		sleep 0.1
	done
	echo "waited in vain: $*"
	return 1
}

# has_threads COOKIES: it has two vCPUs, and its threads so many different cookies other than 0.
has_threads() {
	"$CORETAG" get "$PID" >"$DIR/cookies"
	(($(grep -c /KVM "$DIR/cookies") == 2 &&
		$(cut -f 3 "$DIR/cookies" | grep -v none | sort -u | wc -l) == $1))
}

each_thread_gets_a_cookie_of_its_own() {
	local one two

	"$MICROVM" --vcpus 2 --seconds 60s >"$DIR/out" &
	PID=$!
	wait_for has_threads 0 && expect 0 "$CORETAG" new --threads "$PID" &&
		has_threads "$(wc -l <"$DIR/cookies")" || return
	cat "$DIR/cookies"
	# one thread takes over that of another, then all of them
	one=$(sed -n 's/\t.*//; 1p' "$DIR/cookies") two=$(sed -n 's/\t.*//; 2p' "$DIR/cookies")
	expect 0 "$CORETAG" copy --thread "$one" "$two" &&
		has_threads $(($(wc -l <"$DIR/cookies") - 1)) &&
		expect 0 "$CORETAG" copy "$one" "$PID" && has_threads 1
}

anothers_process_is_refused() {
	expect 1 setpriv --reuid 65534 --clear-groups "$CORETAG" get $$ 2>"$DIR/err" || return
	cat "$DIR/err"
	grep -q "^coretag: thread $$: no permission: .*ptrace" "$DIR/err"
}

the_status_is_that_of_the_command() {
	expect 7 "$CORETAG" new -- sh -c 'exit 7' && expect 127 "$CORETAG" new -- "$DIR/none" &&
		expect 126 "$CORETAG" new -- "$DIR"
}

# The stand-ins must not come to run: neither a VM nor a cgroup is made.
run_vms_is_refused_before_anything_runs() {
	printf '#!/bin/sh\ntouch "%s/ran"\n' "$DIR" >"$DIR/vm" && chmod +x "$DIR/vm" || return
	MICROVM=$DIR/vm expect 1 "$RUN_VMS" --core-sched "$1" --seconds 10ms 2>"$DIR/err" ||
		return
	cat "$DIR/err"
	[[ $(<"$DIR/err") == "run-vms.sh: --core-sched $1: $cannot" && ! -e $DIR/ran ]]
}

microvm_is_refused_too() {
	expect 1 "$MICROVM" --core-sched "$1" --seconds 10ms >"$DIR/out" 2>"$DIR/err" || return
	is_empty "$DIR/out" && [[ $(<"$DIR/err") == "microvm: vm: --core-sched: $cannot" ]]
}

without_coretag_there_is_no_core_scheduling() {
	CORETAG=$DIR/none expect 1 "$RUN_VMS" --core-sched vm 2>"$DIR/err" &&
		is_one_line "$DIR/err" "run-vms.sh: $DIR/none: not found"
}

# vcpu_cookies: the VM and the cookie of each vCPU thread of what runs in the background.
vcpu_cookies() {
	local vm vms

	# their parents tell: the kernel's lists of children are an option
	mapfile -t vms < <(cat /proc/[0-9]*/stat 2>/dev/null | awk -v parent="$PID" '$4 == parent { print $1 }')
	for vm in "${vms[@]}"; do
		"$CORETAG" get "$vm" | awk -F '\t' -v vm="$vm" '$2 ~ /\/KVM/ && $3 ~ /^0x.*[^)]$/ { print vm, $3 }'
	done
}

# counts_of FIELD: how many different ones there are
counts_of() {
	cut -d ' ' -f "$1" "$DIR/cookies" | sort -u | wc -l
}

four_vcpus_have_cookies() {
	vcpu_cookies >"$DIR/cookies"
	(($(wc -l <"$DIR/cookies") == 4))
}

# vms_have_cookies LEVEL COOKIES: of two VMs of two vCPUs
vms_have_cookies() {
	"$RUN_VMS" --core-sched "$1" --vcpus 2 --seconds 60s >"$DIR/out" 2>&1 &
	PID=$!
	wait_for four_vcpus_have_cookies
	cat "$DIR/cookies"
	(($(wc -l <"$DIR/cookies") == 4 && $(counts_of 1) == 2 && $(counts_of 2) == $2))
}

cannot='' can='' no_vms='' no_user=''
if why=$("$CORETAG" check 2>&1); then
	can="this kernel has core scheduling"
else
	cannot=${why#coretag: }
fi

no_vms=$cannot
[[ -r /dev/kvm && -w /dev/kvm ]] || no_vms="/dev/kvm cannot be used"

no_user=$cannot
((EUID == 0)) && type -P setpriv >/dev/null || no_user="root and setpriv are needed"

echo 1..16
check "coretag refuses bad arguments with status 2 and a sentence" bad_arguments_are_refused
check "coretag --help goes to stdout with status 0" help_goes_to_stdout
check "coretag tells a process that does not exist" missing_processes_are_told
unless "$can" "each verb is refused with the reason" every_verb_is_refused_with_the_reason
unless "$cannot" "a command and its children have one cookie" a_command_and_its_children_have_one_cookie
unless "$cannot" "a cookie is given, copied and taken away" a_cookie_is_given_copied_and_taken_away
unless "$cannot" "the status is that of the command" the_status_is_that_of_the_command
check "run-vms.sh needs coretag for cookies" without_coretag_there_is_no_core_scheduling
for level in vm vcpu; do
	unless "$can" "run-vms.sh --core-sched $level is refused before anything runs" \
		run_vms_is_refused_before_anything_runs $level
	unless "$can" "microvm --core-sched $level is refused with the reason" \
		microvm_is_refused_too $level
done
unless "$no_vms" "each VM has one cookie" vms_have_cookies vm 2
unless "$no_vms" "each vCPU has one cookie" vms_have_cookies vcpu 4
unless "$no_vms" "each thread of a process gets a cookie of its own" each_thread_gets_a_cookie_of_its_own
unless "$no_user" "the process of another user is refused" anothers_process_is_refused
