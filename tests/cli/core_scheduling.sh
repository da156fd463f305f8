#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# samples/core-scheduling.sh: refusals, a campaign with stand-ins for the recorder, and the demo.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-$ROOT/build}") || exit 1
# shellcheck source=tests/lib/tap.sh
. "$ROOT/tests/lib/tap.sh" || exit 1
export FCAP=$DIR/fcap FANALYZE=$DIR/fanalyze CORETAG=$DIR/coretag LOG=$DIR/calls
OUT=$DIR/results

# Notes its arguments and the command's options, and writes the file.
cat >"$FCAP" <<'END'
#!/bin/bash
file=$3
while [[ $1 != -- ]]; do
	[[ $1 != core_sched=* ]] || export "FCAP_LABEL_$1"
	shift
done
echo "run core_sched=$FCAP_LABEL_core_sched ${*:5}" >>"$LOG"
echo trace >"$file"
END
cat >"$FANALYZE" <<'END'
#!/bin/bash
echo "fanalyze $*" >>"$LOG"
case $1 in
audit)
	printf '{\n  "isolation": {\n    "sentence": "of %s",\n' "${*: -1}"
	exit 3
	;;
compare) echo "the page" ;;
report) echo "a report" ;;
esac
END
printf '#!/bin/bash\necho "coretag: this kernel cannot"\n[[ ! -e %q ]]\n' "$DIR/refuse" >"$CORETAG"
chmod +x "$FCAP" "$FANALYZE" "$CORETAG"

core_scheduling() {
	"$ROOT/samples/core-scheduling.sh" --dir "$OUT" "$@" >"$DIR/out" 2>"$DIR/err"
	local status=$?

	cat "$DIR/out" "$DIR/err"
	return $status
}

bad_usage_is_refused() {
	local arguments

	for arguments in "--runs 1" "--runs x" "--configs off" "--configs off,off" \
		"--configs off,core" "--runs" "--bogus" "extra" "--demo --runs 3" "--seconds="; do
		# shellcheck disable=SC2086 # words
		expect 2 core_scheduling $arguments || return
		[[ ! -e $OUT ]] && grep -q "see --help" "$DIR/err" && continue
		echo "$arguments"
		return 1
	done
}

a_kernel_that_cannot_is_named_before_anything_runs() {
	touch "$DIR/refuse"
	expect 1 core_scheduling && grep -q "this kernel cannot; --demo" "$DIR/err" &&
		[[ ! -e $OUT && ! -e $LOG ]] && rm "$DIR/refuse"
}

runs_alternate_and_everything_is_in_one_directory() {
	expect 0 core_scheduling --runs 2 --vms 3 --seconds=2s --tolerance 60ms || return
	[[ $(grep -c "^run core_sched=off .*run-vms.sh --seconds 10s --vms 3 --seconds 2s" "$LOG") == 2 ]] &&
		[[ $(grep -c "^run core_sched=vm " "$LOG") == 2 ]] &&
		grep -qx "run-0003-vm.dat: of $OUT/runs/run-0003-vm.dat" "$OUT/audit.txt" &&
		[[ $(wc -l <"$OUT/audit.txt") == 4 ]] &&
		grep -q "fanalyze report --tolerance 60ms $OUT/runs/run-0001-off.dat" "$LOG" &&
		grep -q "fanalyze plot .*figures-vm $OUT/runs/run-0002-vm.dat" "$LOG" &&
		grep -q "fanalyze compare --tolerance 60ms --by core_sched --json" "$LOG" &&
		grep -qx "the page" "$OUT/compare.txt" && grep -qx "the page" "$DIR/out"
}

the_demo_tells_off_from_on() {
	rm -rf "$OUT"
	FANALYZE=$B/fanalyze expect 0 core_scheduling --demo || return
	[[ $(grep -ci "^off-.*core scheduling is not acting" "$OUT/audit.txt") == 5 ]] &&
		[[ $(grep -ci "^on-.*core scheduling is acting" "$OUT/audit.txt") == 5 ]] &&
		[[ $(wc -l <"$OUT/audit.txt") == 10 ]] && [[ -s $OUT/compare.txt ]] &&
		[[ -s $OUT/compare.json && -s $OUT/report-off.txt ]] &&
		[[ -s $OUT/report-on.txt && -s $OUT/figures-off/share.tsv ]] &&
		[[ -s $OUT/figures/gaps.tsv && -s $OUT/figures/runs.tsv ]] && ! awk 'length > 80' "$OUT/compare.txt" | grep .
}

check "bad usage is refused" bad_usage_is_refused
check "a kernel that cannot is named before anything runs" \
	a_kernel_that_cannot_is_named_before_anything_runs
check "runs alternate, and everything is in one directory" \
	runs_alternate_and_everything_is_in_one_directory
check "the demo tells off from on" the_demo_tells_off_from_on
echo "1..$COUNT"
