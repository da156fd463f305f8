#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap-guest: what it prints, to whom, and how it ends.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
GUEST=$(realpath -- "${B:-build}/fcap-guest") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
CLOCK='t=[0-9]+\.[0-9]{9}'
STARTED=

after_test() {
	[[ ! $STARTED ]] || { kill "$STARTED" && wait "$STARTED"; }
	STARTED=
}

# made_up FOLDER STEAL...: a proc with the steal of each CPU in ticks, and an empty command line
made_up() {
	local cpu=0 steal

	mkdir -p "$1" && : >"$1/cmdline" && echo "cpu  1 1 1 1 1 1 1 1 0 0" >"$1/stat" || return
	for steal in "${@:2}"; do
		echo "cpu$cpu 1 1 1 1 1 1 1 $steal 0 0" >>"$1/stat"
		cpu=$((cpu + 1))
	done
	echo "intr 5 0 0" >>"$1/stat"
}

# until_lines FILE N: waits for N lines
until_lines() {
	local try

	for ((try = 0; try < 500; try++)); do
		[[ -f $1 ]] && (($(wc -l <"$1") >= $2)) && return
		sleep 0.01
	done
	echo "no $2 lines in $1" && cat "$1" && return 1
}

real_counters_are_printed() {
	local cpus

	cpus=$(grep -c '^cpu[0-9]' /proc/stat)
	expect 0 "$GUEST" --count 2 --interval 10ms >"$DIR/out" || return
	cat "$DIR/out"
	[[ $(wc -l <"$DIR/out") == $((2 * cpus)) ]] && ! grep -vE \
		"^fcap-guest cpu=[0-9]+ steal=[0-9]+ resolution_ns=[0-9]+( no_steal_acc=1)?( uncounted=1)? $CLOCK\$" \
		"$DIR/out"
}

# column STAT: the steal of CPU 0 in ticks
column() {
	awk '$1 == "cpu0" { print $9 }' "$1"
}

# The kernel's number before, ours, and the kernel's number after.
it_is_the_kernels_number() {
	local before got after tick

	tick=$((1000000000 / $(getconf CLK_TCK)))
	before=$(column /proc/stat)
	got=$("$GUEST" --count 1 | sed -n 's/^fcap-guest cpu=0 steal=\([0-9]*\) .*/\1/p')
	after=$(column /proc/stat)
	echo "$before $got $after of $tick ns"
	((got >= before * tick && got <= after * tick))
}

# The third reading is at least two intervals after a reading before all of them.
the_clock_goes_on_by_the_interval() {
	made_up "$DIR/proc" 5 && "$GUEST" --proc "$DIR/proc" --count 1 >"$DIR/out" &&
		"$GUEST" --proc "$DIR/proc" --count 3 --interval 20ms >>"$DIR/out" &&
		cat "$DIR/out" &&
		awk -F 't=' 'NR == 1 { first = $2 } { bad = bad || $2 <= last; last = $2 }
			END { exit bad || NR != 4 || last - first < 0.04 }' "$DIR/out"
}

a_made_up_proc_is_read() {
	local tick

	tick=$((1000000000 / $(getconf CLK_TCK)))
	made_up "$DIR/proc" 12 700 && "$GUEST" --count 1 --proc "$DIR/proc" >"$DIR/out" 2>"$DIR/err" &&
		is_empty "$DIR/err" && sed -E "s/ $CLOCK\$//" "$DIR/out" | diff - <(
		echo "fcap-guest cpu=0 steal=$((12 * tick)) resolution_ns=$tick"
		echo "fcap-guest cpu=1 steal=$((700 * tick)) resolution_ns=$tick"
	)
}

no_steal_acc_is_told() {
	made_up "$DIR/proc" 1 && echo "quiet no-steal-acc" >"$DIR/proc/cmdline" &&
		"$GUEST" --count 1 --proc "$DIR/proc" | grep ' no_steal_acc=1 t='
}

no_column_is_said_and_fails() {
	made_up "$DIR/proc" && echo 'cpu0 1 1 1 1 1 1 1' >"$DIR/proc/stat" || return
	expect 1 "$GUEST" --proc "$DIR/proc" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" &&
		is_one_line "$DIR/err" "fcap-guest: this kernel does not count steal: "
}

no_proc_is_said_and_fails() {
	mkdir -p "$DIR/nothing" || return
	for dir in "$DIR/nothing" "$DIR/nowhere"; do
		expect 1 "$GUEST" --proc "$dir" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" &&
			is_one_line "$DIR/err" "fcap-guest: $dir" || return
	done
}

# ended_by SIGNAL: in the middle of an interval, with the lines so far written
ended_by() {
	local status

	made_up "$DIR/proc" 5 && rm -f "$DIR/lines" || return
	# by the whole path, as a job of its own: else the shell lets it ignore SIGINT
	set -m
	"$GUEST" --proc "$DIR/proc" --interval 1h --output "$DIR/lines" 2>"$DIR/err" &
	STARTED=$!
	set +m
	until_lines "$DIR/lines" 1 && kill "-$1" "$STARTED" || return
	wait "$STARTED"
	status=$?
	STARTED=
	echo "status $status"
	((status == 0)) && is_empty "$DIR/err" && [[ $(wc -l <"$DIR/lines") == 1 ]]
}

# A fifo whose reader leaves after the first line.
a_reader_that_leaves_is_said() {
	local status

	made_up "$DIR/proc" 5 && rm -f "$DIR/fifo" && mkfifo "$DIR/fifo" || return
	"$GUEST" --proc "$DIR/proc" --interval 1ms --output "$DIR/fifo" 2>"$DIR/err" &
	STARTED=$!
	head -n 1 "$DIR/fifo" >"$DIR/out"
	wait "$STARTED"
	status=$?
	STARTED=
	echo "status $status"
	((status == 1)) && is_one_line "$DIR/err" "fcap-guest: $DIR/fifo: "
}

# until_stuck PID: waits until it has not written for a while
until_stuck() {
	local try writes last=none

	for ((try = 0; try < 100; try++)); do
		writes=$(grep syscw "/proc/$1/io") && [[ $writes == "$last" ]] && return
		last=$writes
		sleep 0.1
	done
	echo "still writes" && return 1
}

# A small pipe that does not block, and is full for a while: no cut line, no heap of old readings.
a_slow_reader_gets_whole_new_lines() {
	made_up "$DIR/proc" 5 5 && rm -f "$DIR/fifo" && mkfifo "$DIR/fifo" || return
	# fcap-guest inherits what perl opens, without blocking; 1031 is F_SETPIPE_SZ
	perl -MFcntl -e 'sysopen(STDOUT, shift, O_RDWR | O_NONBLOCK) && fcntl(STDOUT, 1031, 4096)
		or die $!; exec @ARGV' \
		"$DIR/fifo" "$GUEST" --proc "$DIR/proc" --interval 1ms --count 200 2>"$DIR/err" &
	STARTED=$!
	until_stuck "$STARTED" && made_up "$DIR/proc" 9 9 || return
	head -n 400 "$DIR/fifo" >"$DIR/out"
	wait "$STARTED" || return
	STARTED=
	is_empty "$DIR/err" && [[ $(wc -l <"$DIR/out") == 400 ]] &&
		! grep -vE "^fcap-guest cpu=[01] steal=[59]0+ resolution_ns=[0-9]+ $CLOCK\$" "$DIR/out" &&
		# 4096 bytes hold fewer than 80 lines
		(($(grep -c ' steal=5' "$DIR/out") < 80)) && tail -n 1 "$DIR/out" | grep -q ' steal=9'
}

a_full_disk_is_said() {
	made_up "$DIR/proc" 5 && expect 1 "$GUEST" --proc "$DIR/proc" >/dev/full 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fcap-guest: standard output: "
}

an_output_that_cannot_be_opened_is_said() {
	made_up "$DIR/proc" 5 &&
		expect 1 "$GUEST" --proc "$DIR/proc" --output "$DIR/no/file" 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fcap-guest: $DIR/no/file: "
}

# usage_error WORD ARGUMENT...
usage_error() {
	local line

	expect 2 "$GUEST" "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	[[ $line == "fcap-guest: "*"$1"*[^.] ]]
}

bad_usage_is_refused() {
	usage_error --interval --interval 5 && usage_error --interval --interval 0.5ms &&
		usage_error --interval --interval=2h && usage_error --count --count 0 &&
		usage_error --count --count=-1 && usage_error --count --count x &&
		usage_error "no option" --no-such && usage_error word word && usage_error requires --output
}

help_and_version_are_on_stdout() {
	expect 0 "$GUEST" --help >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" &&
		grep -q '^Usage: fcap-guest' "$DIR/out" || return
	expect 0 "$GUEST" --version >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/err" &&
		grep -xE 'fcap-guest [0-9.]+' "$DIR/out" && expect 1 "$GUEST" --version >/dev/full
}

it_runs_without_libraries() {
	mkdir -p "$DIR/root" && cp "$GUEST" "$DIR/root" && made_up "$DIR/root/proc" 3 || return
	chroot "$DIR/root" /fcap-guest --count 1 | grep '^fcap-guest cpu=0 steal=[1-9]'
}

is_dynamic=
if readelf -l "$GUEST" 2>/dev/null | grep -q INTERP; then
	is_dynamic="it was linked dynamically"
elif [[ $(id -u) != 0 ]]; then
	is_dynamic="chroot needs root"
fi

echo 1..16
check "each CPU of this machine has a line at each reading" real_counters_are_printed
check "steal is the kernel's number in ns" it_is_the_kernels_number
check "readings come in intervals" the_clock_goes_on_by_the_interval
check "--proc reads another proc" a_made_up_proc_is_read
check "no-steal-acc is told" no_steal_acc_is_told
check "a kernel without a steal column is said, with status 1" no_column_is_said_and_fails
check "a proc that is not there is said, with status 1" no_proc_is_said_and_fails
check "SIGTERM ends it with status 0" ended_by TERM
check "SIGINT ends it with status 0" ended_by INT
check "a reader that leaves is said, with status 1" a_reader_that_leaves_is_said
check "a slow reader gets whole lines, and new ones" a_slow_reader_gets_whole_new_lines
check "a full disk is said, with status 1" a_full_disk_is_said
check "an output that cannot be opened is said" an_output_that_cannot_be_opened_is_said
check "wrong usage is refused with a sentence" bad_usage_is_refused
check "--help and --version go to standard output" help_and_version_are_on_stdout
unless "$is_dynamic" "it runs where nothing else is" it_runs_without_libraries
