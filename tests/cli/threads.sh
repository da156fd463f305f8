#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fanalyze with one CPU and with all: the same bytes, and no more than one thread with one CPU.
set -u
B=$(realpath -- "${B:-build}") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
FANALYZE=$B/fanalyze
BED=tests/data/bed
ON6=$BED/bed-coresched-on-v6.dat # large enough to be worth a thread

ONE=$(taskset -cp $$ | sed -E 's/.*: *([0-9]+).*/\1/')
no_second='' no_strace=''
taskset -cp $$ | grep -qE ': *[0-9]+$' && no_second="this process may use only one CPU"
strace -o /dev/null true 2>/dev/null || no_strace="there is no strace, or it may not trace"

# same STATUS VERB ARG...
same() {
	expect "$1" taskset -c "$ONE" "$FANALYZE" "${@:2}" >"$DIR/one" 2>"$DIR/one.err" &&
		expect "$1" "$FANALYZE" "${@:2}" >"$DIR/all" 2>"$DIR/all.err" || return
	[[ -s $DIR/one ]] && cmp "$DIR/one" "$DIR/all" && cmp "$DIR/one.err" "$DIR/all.err"
}

# A page behind the first quarter of the data, which end the file, says it is longer than a page.
same_damage() {
	local status='' list size

	size=$(stat -Lc %s "$ON6")
	cp -- "$ON6" "$DIR/trace.dat" && chmod u+w "$DIR/trace.dat" || return
	printf '\377\377\377\007\0\0\0\0' |
		dd of="$DIR/trace.dat" bs=1 seek=$(((size / 4096 - 80) * 4096 + 8)) conv=notrunc \
			status=none || return
	for list in "$ONE" ""; do
		${list:+taskset -c "$list"} "$FANALYZE" report "$DIR/trace.dat" >"$DIR/out" \
			2>"$DIR/err$list"
		status+="$? "
	done
	[[ $status == "2 2 " ]] || echo "status $status instead of 2 2"
	[[ $status == "2 2 " ]] || return
	grep -q 'are damaged' "$DIR/err" && cmp "$DIR/err$ONE" "$DIR/err"
}

# threads PREFIX...: how many fanalyze starts
threads() {
	"$@" strace -f -e trace=clone,clone3 -o "$DIR/calls" "$FANALYZE" report "$ON6" >/dev/null ||
		return
	grep -c 'clone' "$DIR/calls"
	return 0
}

one_cpu_takes_one_thread() {
	[[ $(threads taskset -c "$ONE") == 0 ]]
}

two_cpus_take_more() {
	(($(threads env) > 0))
}

for verb in report info "export --what spans" "export --what windows"; do
	# shellcheck disable=SC2086 # the words of a verb
	unless "$no_second" "$verb: the bytes do not depend on CPUs" same 0 $verb "$ON6"
done
unless "$no_second" "nor do those of compare" same 0 compare \
	--config off "$BED/bed-coresched-off.dat" "$BED/bed-coresched-off-v6.dat" \
	--config on "$BED/bed-coresched-on.dat" "$ON6"
unless "$no_second" "nor how damage is told" same_damage
unless "$no_strace" "with one CPU there is one thread" one_cpu_takes_one_thread
unless "$no_second$no_strace" "with more there are more" two_cpus_take_more
echo "1..$COUNT"
