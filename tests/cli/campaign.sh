#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# samples/campaign.sh with stand-ins for the programs: order, labels, going on, refusals.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
export FCAP=$DIR/fcap FANALYZE=$DIR/fanalyze LOG=$DIR/calls
C=$DIR/campaign

# Notes its arguments, runs the command as fcap does, and writes the file.
cat >"$FCAP" <<'END'
#!/bin/bash
echo "$*" >>"$LOG"
[[ $1 == record && $2 == -o ]] || exit 125
file=$3
shift 3
while [[ $1 == --label ]]; do
	export "FCAP_LABEL_${2%%=*}=${2#*=}"
	shift 2
done
[[ $1 == -- ]] || exit 125
"${@:2}"
status=$?
echo trace >"$file"
exit $status
END
# A trace that says "broken" cannot be read.
cat >"$FANALYZE" <<'END'
#!/bin/bash
[[ $1 != info ]] || ! grep -q broken "$2" || exit 2
[[ $1 == info ]] || echo "fanalyze $*"
[[ $1 == info ]] || exit 3
END
chmod +x "$FCAP" "$FANALYZE"

campaign() {
	"$ROOT/samples/campaign.sh" --dir "$C" "$@" >"$DIR/out" 2>"$DIR/err"
	local status=$?

	cat "$DIR/out" "$DIR/err"
	return $status
}

fresh() {
	rm -rf "$C" "$LOG"
}

# order: the values of the label in the order of the calls
order() {
	grep -oE -- '--label cs=[a-z]+' "$LOG" | sed 's/.*=//' | tr '\n' ' '
}

values_come_forwards_and_backwards() {
	fresh
	expect 3 campaign --runs 3 --label cs=off,on -- true || return
	[[ $(order) == "off on on off off on " ]] || { order && return 1; }
	fresh
	expect 3 campaign --runs 2 --label cs=a,b,c -- true && [[ $(order) == "a b c c b a " ]]
}

runs_carry_order_and_block() {
	fresh
	expect 3 campaign --runs 2 --label cs=off,on -- true || return
	cat "$LOG"
	sed -n 3p "$LOG" | grep -q -- '--label cs=on --label order=3 --label block=2 -- true$'
}

each_run_is_a_file() {
	fresh
	expect 3 campaign --runs 2 --label cs=off,on -- true || return
	diff - <(ls "$C") <<'END'
campaign
run-0001-off.dat
run-0002-on.dat
run-0003-on.dat
run-0004-off.dat
END
}

the_command_finds_its_value() {
	fresh
	# shellcheck disable=SC2016 # the inner shell expands it
	expect 3 campaign --runs 1 --label cs=off,on -- \
		sh -c 'echo "$FCAP_LABEL_cs $1" >>"$0"' "$DIR/seen" "two words" || return
	diff - "$DIR/seen" <<'END'
off two words
on two words
END
}

the_comparison_has_all_files_and_its_status() {
	fresh
	expect 3 campaign --runs 1 --label cs=off,on -- true || return
	[[ $(<"$DIR/out") == "fanalyze compare --by cs $C/run-0001-off.dat $C/run-0002-on.dat" ]]
}

what_is_there_is_not_made_again() {
	fresh
	expect 3 campaign --runs 2 --label cs=off,on -- true || return
	rm "$C/run-0002-on.dat" "$LOG"
	expect 3 campaign --runs 3 --label cs=off,on -- true || return
	cat "$LOG"
	# the one that was missing, and the third block
	[[ $(grep -oE 'order=[0-9]+' "$LOG" | tr '\n' ' ') == "order=2 order=5 order=6 " ]] &&
		grep -q "3 of 6 runs are there already" "$DIR/err"
}

what_cannot_be_read_is_made_again() {
	fresh
	expect 3 campaign --runs 1 --label cs=off,on -- true || return
	rm "$LOG"
	echo broken >"$C/run-0001-off.dat"
	expect 3 campaign --runs 1 --label cs=off,on -- true &&
		[[ $(order) == "off " && $(<"$C/run-0001-off.dat") == trace ]] &&
		grep -q "run-0001-off.dat cannot be read" "$DIR/err"
}

a_run_that_fails_ends_the_campaign_and_leaves_no_trace() {
	fresh
	# shellcheck disable=SC2016 # the inner shell expands it
	expect 1 campaign --runs 2 --label cs=off,on -- sh -c '[ "$FCAP_LABEL_cs" = off ] || exit 7' ||
		return
	grep -q "run 2 (cs=on) ended with status 7" "$DIR/err" && is_empty "$DIR/out" &&
		[[ $(ls "$C") == campaign$'\n'run-0001-off.dat ]]
}

# The command ends well all the same: what it left is no whole run.
a_run_that_was_stopped_does_not_count() {
	fresh
	# shellcheck disable=SC2016 # the inner shell expands it
	expect 1 campaign --runs 2 --label cs=off,on -- sh -c 'kill -TERM $(ps -o ppid= -p $PPID)' ||
		return
	grep -q "run 1 (cs=off) ended with status stopped" "$DIR/err" && holds_only "$C" campaign
}

another_campaign_is_not_mixed_in() {
	fresh
	expect 3 campaign --runs 1 --label cs=off,on -- true &&
		expect 1 campaign --runs 1 --label cs=off,on -- false &&
		grep -q "holds another campaign" "$DIR/err" &&
		expect 1 campaign --runs 1 --label cs=a,b -- true
}

no_progress_without_a_terminal() {
	fresh
	expect 3 campaign --runs 2 --label cs=off,on -- true && is_empty "$DIR/err"
}

a_terminal_is_told_of_the_end() {
	fresh
	script -qec "$ROOT/samples/campaign.sh --dir $C --runs 1 --label cs=off,on -- sleep 0.01" \
		"$DIR/tty" >/dev/null
	cat "$DIR/tty"
	grep -qE 'run 1 of 2, cs=off.?$' "$DIR/tty" &&
		grep -qE 'run 2 of 2, cs=on, ends about [0-9-]{10} [0-9:]{5}' "$DIR/tty"
}

bad_arguments_are_refused() {
	local args

	fresh
	while IFS='|' read -r -a args; do
		expect 2 campaign "${args[@]}" || return
		is_one_line "$DIR/err" "campaign.sh: " && [[ ! -e $LOG && ! -e $C ]] || return
	done <<'END'
--|true
--label|cs=off,on
--label|cs=off,on|--
--label|cs=off,on|true
--label|cs=off|--|true
--label|cs=off,off|--|true
--label|cs=off,|--|true
--label|cs=a b,c|--|true
--label|cs=../a,b|--|true
--label|cs|--|true
--label|order=1,2|--|true
--label|c s=1,2|--|true
--label|cs=off,on|--runs|0|--|true
--label|cs=off,on|--runs|1000|--|true
--label|cs=off,on|--runs|--|true
--label|cs=off,on|--frobnicate|1|--|true
END
}

help_goes_to_stdout() {
	expect 0 campaign --help && is_empty "$DIR/err" && grep -q -- --label "$DIR/out" &&
		! grep -nE '.{101}' "$DIR/out"
}

no_script=
command -v script >/dev/null || no_script="script is not installed"

echo 1..14
check "values come forwards and backwards in turn" values_come_forwards_and_backwards
check "runs carry their order and their block" runs_carry_order_and_block
check "each run is a file" each_run_is_a_file
check "the command finds the value, and its own words" the_command_finds_its_value
check "the comparison gets all files, and gives the status" \
	the_comparison_has_all_files_and_its_status
check "what is there is not made again" what_is_there_is_not_made_again
check "what cannot be read is made again" what_cannot_be_read_is_made_again
check "a run that fails ends the campaign and leaves no trace" \
	a_run_that_fails_ends_the_campaign_and_leaves_no_trace
check "a run that was stopped does not count" a_run_that_was_stopped_does_not_count
check "another campaign is not mixed in" another_campaign_is_not_mixed_in
check "there is no progress without a terminal" no_progress_without_a_terminal
unless "$no_script" "a terminal is told of the end" a_terminal_is_told_of_the_end
check "bad arguments are refused before anything is done" bad_arguments_are_refused
check "help goes to stdout" help_goes_to_stdout
