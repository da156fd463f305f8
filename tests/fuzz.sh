#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Hands damaged input to each fuzz target for its part of so many minutes, under ASan and UBSan and
# with at most 1 GiB; then each whole file that libFuzzer kept to fanalyze itself, under a limit of
# address space. What fails is made small and left in tests/data/fuzz, which make check replays.
# Usage: tests/fuzz.sh [MINUTES]; environment: B (build), MAKE (make). Status 1: something failed.
set -u
cd -- "${BASH_SOURCE[0]%/*}/.." || exit 1
B=${B:-build}
MAKE=${MAKE:-make}
SAN=fuzzer-no-link,address,undefined
FUZZ_B=build-${SAN//,/-}
KEPT=tests/data/fuzz
MIB=1024
status=0

say() {
	echo "fuzz: $*" >&2
}

usage() {
	sed -n 's/^# //; 3,6p' -- "${BASH_SOURCE[0]}"
}

# The first clang that can link libFuzzer.
find_clang() {
	local cc

	for cc in clang-14 clang; do
		command -v $cc >/dev/null && echo 'int LLVMFuzzerTestOneInput(const char *p, long n)
			{ return p && n < 0; }' |
			$cc -fsanitize=fuzzer -x c -o "$WORK/probe" - 2>/dev/null && echo $cc && return
	done
	return 1
}

# keep TARGET CRASH: makes it small, and names it by its content.
keep() {
	local to="$WORK/small" name

	cp -- "$2" "$to"
	"$FUZZ_B/tests/fuzz/$1" -minimize_crash=1 -max_total_time=20 -exact_artifact_path="$to" \
		-rss_limit_mb=$MIB "$2" >/dev/null 2>&1
	name=$(sha1sum "$to")
	mkdir -p -- "$KEPT/$1" && cp -- "$to" "$KEPT/$1/${name:0:12}" &&
		say "$1: failed; the input is $KEPT/$1/${name:0:12}"
}

# run TARGET SECONDS: prints a line; what it tried of use stays in the build folder.
run() {
	local corpus=$FUZZ_B/corpus/$1 log=$WORK/log crash count

	mkdir -p -- "$corpus" "$WORK/crash"
	nice -n 10 "$FUZZ_B/tests/fuzz/$1" -max_total_time="$2" -rss_limit_mb=$MIB \
		-malloc_limit_mb=$MIB -timeout=100 -max_len=65536 -print_final_stats=1 \
		-artifact_prefix="$WORK/crash/" "$corpus" "$WORK/seeds/$1" >"$log" 2>&1 || status=1
	count=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
	printf '%-8s %9s executions, %5s inputs kept\n' "$1" "${count:-0}" \
		"$(find "$corpus" -type f | wc -l)"
	grep -E '^(fuzz: |SUMMARY: )|runtime error' "$log" | head -3
	for crash in "$WORK"/crash/*; do
		[[ -f $crash ]] && keep "$1" "$crash"
	done
	rm -rf -- "$WORK/crash"
}

# The programs as they are shipped: 0, 1 or 2, in ten seconds and 1 GiB of address space.
run_plain() {
	local file n=0 bad=0 code

	for file in "$FUZZ_B"/corpus/{report,header}/*; do
		[[ -f $file ]] || continue
		(ulimit -v $((MIB * 1024)) && exec timeout 10 "$B/fanalyze" report "$file") \
			>/dev/null 2>&1
		code=$?
		n=$((n + 1))
		((code <= 2)) && continue
		bad=$((bad + 1))
		mkdir -p "$KEPT/report" && cp -- "$file" "$KEPT/report/"
		say "fanalyze report: status $code; the input is $KEPT/report/${file##*/}"
	done
	echo "fanalyze report in $MIB MiB of address space: $n files, $bad failed"
	((bad == 0)) || status=1
}

[[ ${1-} != --help ]] || { usage && exit 0; }
MINUTES=${1:-1}
[[ $# -le 1 && $MINUTES =~ ^[1-9][0-9]{0,4}$ ]] || {
	say "MINUTES is a whole number from 1 on, not \"$*\""
	exit 2
}
WORK=$(mktemp -d) || exit 1
trap 'rm -rf -- "$WORK"' EXIT
CLANG=$(find_clang) || {
	say "clang with libFuzzer is needed: packages clang-14 and libclang-rt-14-dev"
	exit 1
}
"$MAKE" -s CC="$CLANG" SAN=$SAN FUZZ=1 fuzzers || exit 1
mkdir -p "$WORK/seeds/json" && "$B/tests/fuzz/lib/seeds" "$WORK/seeds" &&
	"$B/fanalyze" report --json "$WORK/seeds/json/report" "$WORK/seeds/report/v6" >/dev/null ||
	exit 1
targets=(tests/fuzz/*.c)
for target in "${targets[@]}"; do
	target=${target##*/}
	run "${target%.c}" $((MINUTES * 60 / ${#targets[@]}))
done
run_plain
exit $status
