#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# samples/steal-accounting.sh: refusals, runs with stand-ins for guests and recorder, and the demo.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-$ROOT/build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
export B FCAP=$DIR/fcap FANALYZE=$DIR/fanalyze QEMU=$DIR/qemu LOG=$DIR/calls
OUT=$DIR/results

no_run=
[[ $(id -u) == 0 ]] || no_run="needs root"
[[ -r /dev/kvm && -w /dev/kvm ]] || no_run="no /dev/kvm"

# A guest that counts 1 and 9 ten times a second, and 2 and 8 if it is called vm2.
cat >"$QEMU" <<'END'
#!/bin/bash
echo "qemu $*" >>"$LOG"
small=1
for word; do
	case $word in
	*.lines) file=${word#file:} ;;
	*GUEST_NAME=*) name=${word#*GUEST_NAME=} name=${name%% *} ;;
	esac
done
[[ $name == vm1 ]] || small=2
while :; do
	printf 'fcap-guest cpu=0 steal=1 resolution_ns=1 t=1.0\nfcap-work vm=%s.small n=%d t=1 dt=1\n' \
		"$name" $small
	printf 'fcap-work vm=%s.large n=%d t=1 dt=1\r\n' "$name" $((10 - small))
	sleep 0.1
done >"$file"
END
cat >"$FCAP" <<'END'
#!/bin/bash
echo "fcap $*" >>"$LOG"
sleep 0.55
echo trace >"$3"
END
cat >"$FANALYZE" <<'END'
#!/bin/bash
echo "fanalyze $*" >>"$LOG"
[[ $1 != report ]] || printf 'Steal: how long\nvm1 1 s\n\nmore\n'
[[ $1 != scores ]] || echo "the shares"
END
chmod +x "$FCAP" "$FANALYZE" "$QEMU"
touch "$DIR/kernel" "$DIR/initramfs"

steal_accounting() {
	"$ROOT/samples/steal-accounting.sh" --dir "$OUT" "$@" >"$DIR/out" 2>"$DIR/err"
	local status=$?

	cat "$DIR/out" "$DIR/err"
	return $status
}

after_test() {
	pkill -f "^/bin/bash $QEMU"
}

bad_usage_is_refused() {
	local arguments

	for arguments in "--runs 0" "--runs x" "--seconds 1s" "--vcpus 65" "--kernel" "--bogus 1" \
		"extra" "--demo --runs 3" "--cpu="; do
		# shellcheck disable=SC2086 # words
		expect 2 steal_accounting $arguments || return
		[[ ! -e $OUT ]] && grep -q "see --help" "$DIR/err" && continue
		echo "$arguments"
		return 1
	done
}

what_is_missing_is_named() {
	expect 1 steal_accounting --kernel "$DIR/none" && grep -q "none: cannot be read" "$DIR/err" &&
		QEMU=$DIR/none expect 1 steal_accounting && grep -q "none: not found" "$DIR/err" &&
		[[ ! -e $OUT ]]
}

go() {
	rm -rf "$OUT" "$LOG"
	expect 0 steal_accounting --kernel "$DIR/kernel" --initramfs "$DIR/initramfs" --seconds 1 "$@"
}

one_run_gives_the_windows_of_both_guests() {
	go || return
	grep -q "qemu -name guest=vm1,.* GUEST_NAME=vm1 no-steal-acc " "$LOG" &&
		! grep "GUEST_NAME=vm2" "$LOG" | grep -q no-steal-acc &&
		grep -q "fcap record .* --label no_steal_acc=vm1 --guest vm1=.*vm1.lines" "$LOG" &&
		[[ $(head -n 2 "$OUT/scores.csv") == $'window,config,vm,share_pct,total\n1,off,large,90.000,10' ]] &&
		grep -q "^2,on,large,80.000,10$" "$OUT/scores.csv" &&
		grep -q "fanalyze scores --expected large=0.9 --json" "$LOG" &&
		grep -q "^Steal: how long" "$DIR/out" && ! pgrep -f "^/bin/bash $QEMU"
}

# lines from before the recording, several of each guest, are not in the table
only_what_is_recorded_counts() {
	go || return
	[[ $(grep -c off "$OUT/scores.csv") -le 10 ]]
}

guests_change_roles_from_run_to_run() {
	go --runs 2 || return
	grep "GUEST_NAME=vm2 no-steal-acc" "$LOG" | grep -q "run-2-vm2" &&
		[[ $(head -n 1 "$OUT/scores.csv") == run,config,vm,score ]] &&
		[[ $(wc -l <"$OUT/scores.csv") == 9 ]] && grep -q "^2,off,small," "$OUT/scores.csv" &&
		grep -q "fanalyze scores --expected large=0.9 --expected small=0.1" "$LOG"
}

the_demo_shows_shares_and_stolen_time() {
	rm -rf "$OUT"
	FANALYZE=$B/fanalyze expect 0 steal_accounting --demo || return
	grep -q "^off (large): the group due 90 % got [0-9.]* % .* of the work:" "$OUT/scores.txt" &&
		grep -q "^on (large): the group due 90 % got [0-9.]* % .* of the work:" "$OUT/scores.txt" &&
		! grep -q "no verdict" "$OUT/scores.txt" &&
		grep -Eq "^vm1 +[0-9.]+ s +[0-9.]+ s " "$DIR/out" && [[ -s $OUT/figures/share.tsv ]]
}

check "bad usage is refused" bad_usage_is_refused
check "what is missing is named" what_is_missing_is_named
unless "$no_run" "one run gives the windows of both guests" one_run_gives_the_windows_of_both_guests
unless "$no_run" "only what is recorded counts" only_what_is_recorded_counts
unless "$no_run" "guests change roles from run to run" guests_change_roles_from_run_to_run
check "the demo shows shares and stolen time" the_demo_shows_shares_and_stolen_time
echo "1..$COUNT"
