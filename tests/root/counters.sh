#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record --events none on the real kernel: what the counters tell, without tracefs or root.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
cd -- "$DIR" || exit 1
export MICROVM=$B/samples/microvm

no_root=
[[ $(id -u) == 0 ]] || no_root="needs root"
no_kvm=$no_root
[[ $no_kvm || (-r /dev/kvm && -w /dev/kvm && -x $MICROVM) ]] || no_kvm="no /dev/kvm"

# record ARGUMENT...: trace.dat without events, and nothing left behind
record() {
	rm -f trace.dat
	expect 0 "$B/fcap" record --events none "$@" >out 2>said && [[ -s trace.dat ]] &&
		[[ ! -e trace.dat.parts ]] && return
	cat out said
	return 1
}

# holds CONDITION: in the report on trace.dat
holds() {
	"$B/fanalyze" report --json json trace.dat >page || return
	jq -e "$1" <json >answer && return
	echo "does not hold: $1"
	cat page
	return 1
}

# A command that runs for a second, and what /proc says of its run time when it has.
counted_hog() {
	# shellcheck disable=SC2016 # the variables are the command's
	record --sample 20ms -- bash -c 'while ((${EPOCHREALTIME/./} < '$((${EPOCHREALTIME/./} + 1000000))')); do :; done
		cat /proc/$$/schedstat >schedstat; sleep 0.1' || return
	grep -q ': wrote trace.dat: counters alone' said || { cat said && return 1; }
	# the samples behind the loop see all of it, and cat and what came after
	holds "([.groups[].run_ns] | add) as \$run | $(cut -d ' ' -f 1 schedstat) as \$proc |
		\$run >= \$proc and \$run < \$proc * 1.05 + 2e7"
}

two_vms() {
	record --sample 50ms -- "$ROOT/samples/run-vms.sh" --seconds 3s || return
	head -1 <("$B/fanalyze" report trace.dat) |
		grep -q '^From counters alone, every 50 ms' || return
	holds '.source.basis == "counters" and ([.groups[].name] | sort) == ["vm1", "vm2"]' &&
		holds '([.groups[].share.value] | add - 100 | fabs) < 1e-6' &&
		holds 'all(.groups[]; .run_ns > 0 and .steal.counter_ns >= 0 and .share.lo < .share.hi
			and .waited_for.idle_ns == null and .lag_ns.final == null)' &&
		adds_up
}

# microvm tells how long its vCPUs ran, by clocks of their own: what is missing in the counters is
# unknown, and no more.
adds_up() {
	local vm seconds

	for vm in vm1 vm2; do
		seconds=$(awk -v vm=$vm '$1 == vm && $2 == "total:" {
			for (i = 1; i < NF; i++) if ($(i + 1) == "s" && $(i + 2) == "of") print $i }' out)
		[[ $seconds ]] || { cat out && return 1; }
		holds "(.groups[] | select(.name == \"$vm\")) as \$g | ($seconds * 1e9) as \$said |
			\$g.vcpu_run_ns < \$said * 1.02 + 1e7 and
			\$g.vcpu_run_ns + \$g.unknown_ns > \$said * 0.98 - 1e7" || return
	done
}

readable_by_others() {
	record -- sleep 0.1 || return
	trace-cmd report -i trace.dat >text 2>text.err || return
	[[ ! -s text.err ]] && grep -q 'fcap: begin .* sample_ns=1000000000 events=none ' text &&
		grep -q 'fcap: end ' text
}

# with nothing mounted there, and no right to mount
without_tracefs() {
	chmod 777 .
	rm -f trace.dat
	unshare -m bash -c 'umount -R /sys/kernel/tracing /sys/kernel/debug/tracing 2>/dev/null
		exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' - \
		"$B/fcap" record --events none --sample 10ms -- sleep 0.2 2>said &&
		holds '.source.basis == "counters" and .groups[0].run_ns > 0' &&
		grep -q '^fcap: note: only VMs of your own are seen' said && return
	cat said
	return 1
}

# a mount option shows users the numbers of others' processes, but nothing of them
others_are_hidden() {
	chmod 777 .
	rm -f trace.dat
	# shellcheck disable=SC2016 # the variables are the inner shell's
	unshare -m bash -c 'mount -t proc -o hidepid=1 proc /proc
		exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"' - \
		"$B/fcap" record --events none --sample 10ms -- sleep 0.2 2>said &&
		holds '.source.basis == "counters" and .groups[0].run_ns > 0' && return
	cat said
	return 1
}

no_trace_cmd=$no_root
[[ $no_trace_cmd ]] || command -v trace-cmd >/dev/null || no_trace_cmd="no trace-cmd"
no_unshare=$no_root
[[ $no_unshare ]] || { command -v setpriv && unshare -m true; } >/dev/null 2>&1 ||
	no_unshare="no setpriv, or no namespace of one's own"

echo "1..5"
unless "$no_root" "the time that a command ran is what /proc says" counted_hog
unless "$no_kvm" "two VMs have shares, intervals and steal that add up" two_vms
unless "$no_trace_cmd" "trace-cmd reads the file in silence; a sample a second is the default" \
	readable_by_others
unless "$no_unshare" "neither tracefs nor root is needed, and what is missing is said" \
	without_tracefs
unless "$no_unshare" "processes that may not be looked into are passed over" others_are_hidden
