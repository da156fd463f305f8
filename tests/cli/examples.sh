#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every example of the manual pages that only reads runs here, on shipped recordings; those that
# record run in tests/root/examples.sh.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
# shellcheck source=tests/lib/examples.sh
. tests/lib/examples.sh || exit 1

# What examples call by names of their own; here it is called as in the recordings. Their time is
# short, a process has another number, and there is no folder for many hosts.
adapt() {
	sed -i 's/tgid:812/tgid:59/; s,cgroup:/caas2,cgroup:/vm2,; s/--warmup 2s/--warmup 200ms/
		s,/cluster/\*,*,' "$1"
}

# fill FOLDER: recordings and reports as the examples name them; each run is a block by itself
fill() {
	local config n

	ln -s "$ROOT/samples" "$1/samples"
	cp samples/core-sched/off-1.dat "$1/trace.dat"
	for config in off on; do
		for n in 2 3 4; do
			cp "samples/core-sched/$config-$n.dat" "$1" &&
				"$B/fanalyze" report --json - "$1/$config-$n.dat" | jq --arg n "$n" \
					'.source.labels.block = $n' >"$1/$config-$n.json" || return
		done
	done
}

# lines_of FILE FOLDER: a file for each command, with the lines that continue it
lines_of() {
	awk -v to="$2" '{ if (!more) name = sprintf("%s/%03d", to, ++n); print >name; more = /\\$/ }' "$1"
}

# With what the commands before them in the page have left.
run_page() {
	local block line

	fill "$2" || return
	for block in "$1"/*; do
		rm -rf "$DIR/lines" && mkdir "$DIR/lines" && lines_of "$block" "$DIR/lines" || return
		for line in "$DIR/lines"/*; do
			run_block "$line" "$2" || return
		done
	done
}

# What a page has to be skipped for gets a line each, and is taken out of what runs.
test_page() {
	local page=$1 name=${1##*/} block why

	rm -rf "$DIR/blocks" "$DIR/work"
	mkdir "$DIR/blocks" "$DIR/work"
	example_blocks "$page" "$DIR/blocks"
	for block in "$DIR/blocks"/*; do
		[[ -e $block ]] || return 0
		adapt "$block"
		why=$(why_not "$block")
		if [[ ! $why ]] && needs_recording "$block"; then
			rm "$block" # in the other test
		elif [[ $why ]]; then
			unless "$why" "$name: $(grep -v '^#' "$block" | head -1)"
			rm "$block"
		fi
	done
	[[ $(ls -A "$DIR/blocks") ]] || return 0
	[[ $name != fcap-tutorial.7 ]] || return 0
	check "the examples of $name run" run_page "$DIR/blocks" "$DIR/work"
}

# an extraction that finds nothing would pass every test
there_are_examples() {
	local page n=0

	while IFS= read -r page; do
		mkdir -p "$DIR/all"
		rm -f "$DIR/all"/*
		example_blocks "$page" "$DIR/all"
		[[ $(ls -A "$DIR/all") ]] || { echo "none in $page" && return 1; }
		n=$((n + $(cat "$DIR/all"/* | wc -l)))
	done < <(pages_with_examples)
	echo "$n lines"
	[[ $n -gt 50 ]]
}

command -v jq >/dev/null || { echo "1..0 # SKIP jq is not installed" && exit; }
make_bin
check "every page has examples" there_are_examples
while IFS= read -r page; do
	test_page "$page"
done < <(pages_with_examples)
echo "1..$COUNT"
