# SPDX-License-Identifier: GPL-3.0-or-later
# Counts what core scheduling has to prevent, by the order of events alone: a pairing begins when
# a CPU switches to a vCPU while its sibling runs one of another VM; it is re-entered if the
# sibling, which has not switched since, enters its guest again. An emulated CPU may be late with
# everything, but it does not do that.
# First input: lines "siblings CPU CPU" and "vcpu TID VM"; second: the text of trace-cmd report.
# Prints the numbers of pairings and of those re-entered.
FNR == NR && $1 == "siblings" {
	sibling[$2] = $3
	sibling[$3] = $2
	next
}
FNR == NR && $1 == "vcpu" {
	vm[$2] = $3
	next
}
FNR == NR || !match($0, /\[[0-9]+\] /) {
	next
}
{
	cpu = substr($0, RSTART + 1) + 0
	# a pairing lasts until one of both CPUs switches
	core = cpu < sibling[cpu] ? cpu : sibling[cpu]
}
/: sched_switch: .* ==> / {
	sub(/ \[[0-9]+\][^]]*$/, "")
	sub(/.*:/, "")
	current[cpu] = $0 + 0
	late[core] = ""
	ours = vm[current[cpu]]
	theirs = vm[current[sibling[cpu]]]
	if (ours != "" && theirs != "" && ours != theirs) {
		late[core] = sibling[cpu]
		pairings++
	}
}
/: kvm_entry: / && late[core] == cpu {
	late[core] = ""
	reentered++
}
END {
	print pairings + 0, reentered + 0
}
