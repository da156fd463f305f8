#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fcap check on this machine, whatever it is: status, text and JSON agree; nothing stays behind.
set -u
FCAP=$(realpath -- "${B:-build}/fcap") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
INSTANCES=/sys/kernel/tracing/instances

# run_check [OPTION...]: status 0 or 1, nothing on stderr; the text in out, the status in status
run_check() {
	"$FCAP" check "$@" >"$DIR/out" 2>"$DIR/err"
	echo $? >"$DIR/status"
	cat "$DIR/out"
	is_empty "$DIR/err" && [[ $(<"$DIR/status") == [01] ]]
}

# states: "NAME STATE" of each line of the text that begins a check
states() {
	awk '/^[a-z_]+ +(ok|degraded|missing)( |$)/ { print $1, $2 }' "$DIR/out"
}

the_status_says_whether_it_can_record() {
	run_check || return
	if states | grep -q ' missing$'; then
		[[ $(<"$DIR/status") == 1 ]] && grep -q '^this machine cannot record' "$DIR/out"
	else
		[[ $(<"$DIR/status") == 0 ]] && grep -q '^this machine can record' "$DIR/out"
	fi
}

each_need_has_one_line() {
	run_check && states >"$DIR/states" || return
	(($(wc -l <"$DIR/states") >= 20)) && ! cut -d ' ' -f 1 "$DIR/states" | sort | uniq -d | grep .
}

it_fits_80_columns() {
	run_check && ! grep -nE '.{81}' "$DIR/out"
}

json_says_the_same() {
	run_check && states >"$DIR/states" && cp "$DIR/status" "$DIR/status.text" &&
		tail -2 "$DIR/out" | tr -s '\n ' ' ' >"$DIR/answer.text" || return
	run_check --json && cmp "$DIR/status" "$DIR/status.text" || return
	jq -r '.checks[] | "\(.name) \(.state)"' "$DIR/out" | diff "$DIR/states" - &&
		jq -e '.schema == "fcap-check/1"' "$DIR/out" &&
		jq -e ".can_record == ($(<"$DIR/status") == 0)" "$DIR/out" &&
		grep -qF -- "$(jq -r .answer "$DIR/out" | tail -c 30)" "$DIR/answer.text"
}

json_has_a_cause_for_each_and_a_fix_or_null() {
	run_check --json && jq -e '[.checks[] | (.cause | length > 0) and
		(.fix == null or (.fix | length > 0)) and (keys == ["cause", "fix", "name", "state"])
		] | all' "$DIR/out"
}

nothing_stays_behind() {
	local before mounts

	mounts=$(</proc/self/mountinfo)
	before=$(ls -A "$INSTANCES" 2>&1)
	run_check && [[ $(</proc/self/mountinfo) == "$mounts" ]] &&
		! comm -13 <(sort <<<"$before") <(find "$INSTANCES" -mindepth 1 -maxdepth 1 \
			-printf '%f\n' 2>&1 | sort) | grep "^fcap-"
}

a_user_is_told_to_be_root() {
	cp "$FCAP" "$DIR/fcap" && chmod 755 "$DIR" "$DIR/fcap" || return
	expect 1 setpriv --reuid 65534 --regid 65534 --clear-groups "$DIR/fcap" check >"$DIR/out" &&
		grep -qE '^root +missing +user 65534; recording needs root' "$DIR/out" &&
		grep -q '^this machine cannot record' "$DIR/out" &&
		states | grep -q '^tracefs missing$'
}

process_numbers_of_a_container_are_refused() {
	expect 1 unshare --pid --fork --mount-proc "$FCAP" check >"$DIR/out" &&
		states | grep -q '^namespaces missing$'
}

# In a mount namespace of our own, so that the machine keeps its tracefs.
tracefs_need_not_be_mounted() {
	# shellcheck disable=SC2016
	unshare --mount bash -c '
		while umount -t tracefs -a 2>/dev/null; grep -q " - tracefs " /proc/self/mountinfo; do
			((n++ < 9)) || exit 1
		done
		"$1" check >"$2/out"; echo $? >"$2/status"' - "$FCAP" "$DIR" || return
	cat "$DIR/out"
	[[ $(<"$DIR/status") == 0 ]] && grep -qE '^tracefs +ok +not mounted' "$DIR/out" &&
		states | grep -q '^instance ok$' && ! grep -q ' - tracefs .*instances' /proc/self/mountinfo
}

# usage_error WORD ARGUMENT...: status 125, nothing on stdout, the word in the first line
usage_error() {
	local line

	expect 125 "$FCAP" check "${@:2}" >"$DIR/out" 2>"$DIR/err" && is_empty "$DIR/out" || return
	read -r line <"$DIR/err"
	cat "$DIR/err"
	[[ $line == "fcap check: "* && $line == *"$1"* ]]
}

a_full_disk_is_an_error() {
	expect 125 "$FCAP" check >/dev/full 2>"$DIR/err" && is_one_line "$DIR/err" "fcap: " &&
		expect 125 "$FCAP" check --json >/dev/full 2>"$DIR/err" &&
		is_one_line "$DIR/err" "fcap: "
}

no_root=''
((EUID == 0)) || no_root="needs root"
no_setpriv=$no_root
command -v setpriv >/dev/null || no_setpriv="setpriv is not installed"
no_namespace=$no_root
unshare --pid --mount --fork true 2>/dev/null || no_namespace="no namespaces may be made here"
no_tracefs=$no_namespace
[[ -d $INSTANCES ]] || no_tracefs="there is no tracefs"
! "$FCAP" check | grep -qE '^(instance|disk) +missing' || no_tracefs="no instance can be made here"

echo 1..13
check "the status says whether this machine can record" the_status_says_whether_it_can_record
check "each need has one line" each_need_has_one_line
check "the text fits 80 columns" it_fits_80_columns
check "--json says the same as the text" json_says_the_same
check "--json has a cause for each check, and a fix or null" \
	json_has_a_cause_for_each_and_a_fix_or_null
check "no instance and no mount stays behind" nothing_stays_behind
unless "$no_setpriv" "a user is told to be root" a_user_is_told_to_be_root
unless "$no_namespace" "a container with process numbers of its own is refused" \
	process_numbers_of_a_container_are_refused
unless "$no_tracefs" "tracefs need not be mounted" tracefs_need_not_be_mounted
check "an unknown option is refused by its name" usage_error --frobnicate --frobnicate
check "a command is refused by its name" usage_error true -- true
check "a value of --json is refused" usage_error --json --json=x
check "output that cannot be written is an error" a_full_disk_is_an_error
