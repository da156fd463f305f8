# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sourced by the tests of examples, after tap.sh: takes the examples out of the manual pages, and
# makes folders in which they can run.

# pages_with_examples: every page, the generated one too
pages_with_examples() {
	printf '%s\n' capture/*.[157] analyze/*.[157] "$B/fcap-report.5"
}

# example_blocks PAGE FOLDER: a file for each indented block that is not filled, as a user types it
example_blocks() {
	awk -v to="$2" '/^\.RS$/ && last == ".nf" { name = sprintf("%s/%03d", to, ++n); is_in = 1; last = $0; next }
		/^\.RE$/ { is_in = 0 } is_in { print >name } { last = $0 }' "$1"
	find "$2" -type f -exec sed -i "s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\(dq/\"/g; s/\\\\e/\\\\/g" {} +
}

# needs_recording FILE: an example that records, or tells of what only a host or guest can do
needs_recording() {
	grep -qE '(^| )(fcap (record|calibrate|recover)|fcap-guest|trace-cmd record)|campaign\.sh|trace_marker' "$1"
}

# why_not FILE: why a block cannot run here, or nothing
why_not() {
	local program

	grep -q '^#SBATCH' "$1" && echo "needs Slurm" && return
	grep -q '^fcap-guest' "$1" && echo "needs a guest with a port of its own" && return
	grep -q '^trace-cmd record' "$1" && echo "records in the buffers that all tracers share" && return
	for program in parallel perf jq trace-cmd; do
		grep -qE "(^|\\| )$program " "$1" && ! command -v $program >/dev/null &&
			echo "$program is not installed" && return
	done
	grep -q '^fanalyze plot' "$1" && ! command -v gnuplot >/dev/null &&
		echo "gnuplot is not installed"
}

# statuses FILE: those that are no failure: an answer is not always the good one
statuses() {
	grep -qE '^fanalyze audit|--fail-if' "$1" && echo 0 3 4 && return
	grep -q '^fcap check' "$1" && echo 0 1 && return
	echo 0
}

# run_block FILE FOLDER: in that folder, with the programs that were built, to the first failure
run_block() {
	local status good

	echo "in $2:"
	cat "$1"
	(cd -- "$2" && PATH=$DIR/bin:$PATH timeout 120 bash -e -o pipefail "$1" >"$DIR/out" 2>"$DIR/err")
	status=$?
	tail -n 3 "$DIR/err"
	for good in $(statuses "$1"); do
		((status != good)) || return 0
	done
	echo "status $status"
	return 1
}

# make_bin: the programs under the names that a user types
make_bin() {
	local name

	mkdir -p "$DIR/bin"
	for name in fcap fcap-guest fanalyze; do
		ln -sf "$B/$name" "$DIR/bin/$name"
	done
	ln -sf "$B/fcap" "$DIR/bin/perf-fcap"
	ln -sf "$B/fanalyze" "$DIR/bin/perf-fanalyze"
}
