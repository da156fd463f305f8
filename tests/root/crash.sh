#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap record killed, or refused, at each call that changes something on the disk or in tracefs:
# what is left is valid or can be recovered. CRASH_STEP=1 tries every call, as make stress does.
set -u
B=$(realpath -- "${B:-build}") || exit 1
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh"
STEP=${CRASH_STEP:-29}
PRELOAD=$B/tests/preload/fail_nth.so
INSTANCES=/sys/kernel/tracing/instances
CALLS=0

why_not() {
	[[ $(id -u) == 0 ]] || { echo "needs root" && return; }
	[[ -d $INSTANCES ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
		{ echo "no tracefs" && return; }
	[[ ${B##*/} != *-* ]] || { echo "the sanitizer must be loaded first" && return; }
	[[ -e $PRELOAD ]] || echo "no $PRELOAD"
}

# record NTH HOW: in $DIR/run, with its sentences in log; the status is fcap's
# shellcheck disable=SC2016 # the variables are the command's
record() {
	FAIL_NTH=$1 FAIL_HOW=$2 FAIL_COUNT=$DIR/count LD_PRELOAD=$PRELOAD "$B/fcap" record \
		-o "$DIR/run/t.dat" --sample 5ms -- sh -c \
		': >"$0"; for i in 1 2 3 4 5 6 7 8; do /bin/true; done; sleep 0.05' \
		"$DIR/run/ran" >/dev/null 2>"$DIR/run/log" &
	PID=$!
	wait $PID
}

calls_are_counted() {
	mkdir "$DIR/run" && record 0 none && CALLS=$(<"$DIR/count") && echo "$CALLS calls" &&
		((CALLS > 40)) && is_valid "$DIR/run/t.dat"
}

is_valid() {
	"$B/fanalyze" info "$1" >"$DIR/info" 2>&1 && trace-cmd report -i "$1" >"$DIR/text" \
		2>"$DIR/text.err" && is_empty "$DIR/text.err" && return
	echo "$1 is not valid"
	cat "$DIR/info" "$DIR/text.err"
	return 1
}

# recovers what is left, if it is
is_recovered() {
	local parts=$DIR/run/t.dat.parts status

	[[ -d $parts ]] || return 0
	"$B/fcap" recover "$parts" >"$DIR/out" 2>&1
	status=$?
	is_one_line "$DIR/out" "fcap: " || return
	[[ ! -e $parts ]] || { echo "the folder is still there:" && cat "$DIR/out" && return 1; }
	if ((status == 0)); then
		grep -q "fcap: wrote " "$DIR/out" && is_valid "$DIR/run/t.dat" &&
			grep -q 'fcap: begin ' "$DIR/text"
	else
		((status == 125)) && grep -q "nothing was recorded yet" "$DIR/out"
	fi
}

# one NTH HOW WORD: what is left of it. WORD: "old" if there is a file that may be replaced.
one() {
	local status has_old=

	rm -rf "$DIR/run" && mkdir "$DIR/run" || return
	((${1} % 2)) || has_old=1
	[[ ! $has_old ]] || cp "$DIR/old.dat" "$DIR/run/t.dat"
	rm -f "$DIR/count"
	record "$1" "$2" 2>/dev/null
	status=$?
	[[ ! -e $DIR/run/t.dat ]] || is_valid "$DIR/run/t.dat" || return
	[[ $2 == kill || $2 == half ]] || ! compgen -G "$INSTANCES/fcap-$PID-*" ||
		{ echo "its instance is left" && return 1; }
	case $2 in
	kill | half)
		# the calls are not as many in every run
		((status == 137)) || { ((status == 0)) && (($(<"$DIR/count") < $1)); } ||
			{ echo "status $status" && return 1; }
		;;
	term)
		# it ends the command, or comes too late for that
		((status == 143 || status == 0)) || { echo "status $status" && return 1; }
		[[ -e $DIR/run/t.dat && ! -e $DIR/run/t.dat.parts ]] &&
			grep -q '^fcap: wrote ' "$DIR/run/log" || return
		;;
	*)
		grep -v '^fcap: note: ' "$DIR/run/log" >"$DIR/said"
		is_one_line "$DIR/said" "fcap: " || return
		((status == 0 || status == 125)) || { echo "status $status" && return 1; }
		# whatever failed, what the command did is somewhere
		[[ ! -e $DIR/run/ran || -e $DIR/run/t.dat.parts ]] ||
			[[ -e $DIR/run/t.dat && ! $DIR/old.dat -nt $DIR/run/t.dat ]] ||
			{ echo "the recording is lost" && return 1; }
		;;
	esac
	[[ ! -e $DIR/run/t.dat.parts || $status != 125 ]] ||
		grep -q 'run "fcap recover ' "$DIR/run/log" || { echo "no advice" && return 1; }
	[[ ! $has_old || -e $DIR/run/t.dat ]] || { echo "the older file is lost" && return 1; }
	is_recovered
}

# each_call HOW FIRST
each_call() {
	local n last=

	cp "$DIR/run/t.dat" "$DIR/old.dat" 2>/dev/null
	for ((n = $2; n <= CALLS; n += STEP)); do
		if ! one "$n" "$1"; then
			echo "at call $n ($1)"
			cat "$DIR/run/log"
			return 1
		fi
		# the run after the one that left an instance has removed it
		[[ ! $last ]] || ! compgen -G "$INSTANCES/fcap-$last-*" ||
			{ echo "the instance of $last is left" && return 1; }
		last=$PID
	done
	"$B/fcap" recover "$DIR/none.parts" 2>/dev/null
	! compgen -G "$INSTANCES/fcap-$last-*"
}

# recover_with NTH HOW OPTION...: $DIR/t.dat of a copy of what was left in $DIR/left
recover_with() {
	rm -rf "$DIR/t.dat" "$DIR/t.dat.parts"
	cp -r "$DIR/left" "$DIR/t.dat.parts" || return
	FAIL_NTH=$1 FAIL_HOW=$2 FAIL_COUNT=$DIR/count LD_PRELOAD=$PRELOAD "$B/fcap" recover \
		"${@:3}" "$DIR/t.dat.parts" >"$DIR/out" 2>&1
}

# leave_parts: $DIR/left, of a recording that was killed while it recorded
leave_parts() {
	local n marks=$DIR/left/marks

	for ((n = CALLS * 3 / 4; n > 0; n--)); do
		rm -rf "$DIR/run" "$DIR/left" && mkdir "$DIR/run" || return
		record "$n" kill 2>/dev/null
		mv "$DIR/run/t.dat.parts" "$DIR/left" || return
		grep -aq 'fcap: steal' "$marks" && ! grep -aq 'fcap: end' "$marks" && return
	done
}

# HOW OPTION...: until the file is there the folder recovers; after that what is left of it goes
# away.
recover_is_stopped_at_any_call() {
	local n calls status

	leave_parts && recover_with 0 none "${@:2}" || return
	calls=$(<"$DIR/count") && echo "$calls calls" && ((calls > 8)) || return
	for ((n = 1; n <= calls; n++)); do
		recover_with "$n" "$@" 2>/dev/null
		status=$?
		echo "at call $n: status $status"
		[[ ! -e $DIR/t.dat ]] || is_valid "$DIR/t.dat" || return
		[[ ! -d $DIR/t.dat.parts ]] || "$B/fcap" recover "$DIR/t.dat.parts" ||
			[[ -e $DIR/t.dat ]] || return
		is_valid "$DIR/t.dat" && grep -q 'fcap: cut ' "$DIR/text" || return
		(($(grep -c 'fcap: cut ' "$DIR/text") == 1)) || return
	done
	[[ ! -e $DIR/t.dat.parts ]] && rm -r "$DIR/left"
}

# whatever call fails, fcap check removes its instance
check_is_refused_at_any_call() {
	local n calls

	FAIL_COUNT=$DIR/count LD_PRELOAD=$PRELOAD "$B/fcap" check >/dev/null
	calls=$(<"$DIR/count") && echo "$calls calls" && ((calls > 1)) || return
	for ((n = 1; n <= calls; n++)); do
		FAIL_NTH=$n FAIL_HOW=EIO LD_PRELOAD=$PRELOAD "$B/fcap" check >"$DIR/out" &
		PID=$!
		wait $PID
		# unless it says how to remove what it could not
		! compgen -G "$INSTANCES/fcap-$PID-*" || grep -q "rmdir .*/fcap-$PID-" \
			"$DIR/out" || { echo "at call $n" && return 1; }
		rmdir "$INSTANCES/fcap-$PID-"* 2>/dev/null
	done
	return 0
}

skip=$(why_not)
[[ $skip ]] || command -v trace-cmd >/dev/null || skip="no trace-cmd to read the files with"
echo "1..12"
unless "$skip" "the calls of a recording are counted" calls_are_counted
unless "$skip" "a kill before a call leaves a file or what recovers to one" each_call kill 1
unless "$skip" "a kill in the middle of a call leaves a file or what recovers to one" \
	each_call half 2
unless "$skip" "SIGTERM at a call ends the command, and leaves its file and nothing else" \
	each_call term 1
unless "$skip" "a full disk is told in one sentence and costs nothing of what was recorded" \
	each_call ENOSPC 3
unless "$skip" "so is a quota" each_call EDQUOT 4
unless "$skip" "so is a disk that fails" each_call EIO 5
unless "$skip" "recover that is killed before a call can be repeated" \
	recover_is_stopped_at_any_call kill
unless "$skip" "recover that is killed in the middle of a call can be repeated" \
	recover_is_stopped_at_any_call half
unless "$skip" "recover that finds no room can be repeated" recover_is_stopped_at_any_call ENOSPC
unless "$skip" "so can one that compresses" recover_is_stopped_at_any_call ENOSPC --compress
unless "$skip" "fcap check that is refused a call leaves nothing" check_is_refused_at_any_call
