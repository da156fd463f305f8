#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Every example of the manual pages that records, and all of fcap-tutorial(7), run here in small:
# seconds in place of minutes and hours, two runs in place of many. LONG=1: also the pages that take
# many seconds even so.
set -u
ROOT=$(cd -- "${BASH_SOURCE[0]%/*}/../.." && pwd) || exit 1
B=$(realpath -- "${B:-build}") || exit 1
cd -- "$ROOT" || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
# shellcheck source=tests/lib/examples.sh
. tests/lib/examples.sh || exit 1
VMS=

after_test() {
	[[ ! $VMS ]] || { kill "$VMS" && wait "$VMS"; }
	VMS=
}

# Shorter; what goes to another disk to a folder, and to the trace_marker of all to a file.
adapt() {
	sed -i -E 's/\b(8h|30s|15s|5s)\b/1s/; s/--runs [0-9]+/--runs 2/
		s/campaign\.sh --label/campaign.sh --runs 2 --label/; s/calibrate --/calibrate --runs 2 --/
		s,/elsewhere/,elsewhere/,; s,^cd /sys/kernel/tracing$,:,' "$1"
}

# What a recording leaves that was killed.
leave_parts() {
	"$B/fcap" record -o "$1/trace.dat" --buffer-size 1MiB -- sleep 2 2>"$DIR/err" &
	local pid=$! i

	for ((i = 0; i < 100; i++)); do
		sleep 0.05
		[[ -d $1/trace.dat.parts && $(pgrep -P "$pid" -x sleep) ]] && break
	done
	sleep 0.3
	kill -KILL "$pid"
	wait "$pid" 2>"$DIR/err"
	[[ -d $1/trace.dat.parts ]]
}

# fill FOLDER: VMs that end after a second, and a disk elsewhere
fill() {
	mkdir "$1/elsewhere" && ln -s "$ROOT/samples" "$1/samples" &&
		printf '#!/bin/sh\nexec samples/run-vms.sh --seconds 1s\n' >"$1/run-vms.sh" &&
		chmod +x "$1/run-vms.sh"
}

run_page() {
	local block

	fill "$2" || return
	for block in "$1"/*; do
		if grep -q 'fcap recover' "$block"; then
			leave_parts "$2" || return
		elif grep -qE -- '--vm vm1' "$block"; then
			samples/run-vms.sh --seconds 3s >"$DIR/vms" 2>&1 &
			VMS=$!
		fi
		run_block "$block" "$2" || return
	done
}

# All blocks of the tutorial; of other pages those that the other test leaves out.
test_page() {
	local page=$1 name=${1##*/} block

	rm -rf "$DIR/blocks" "$DIR/work"
	mkdir "$DIR/blocks" "$DIR/work"
	example_blocks "$page" "$DIR/blocks"
	for block in "$DIR/blocks"/*; do
		adapt "$block"
		[[ ! $(why_not "$block") ]] || rm "$block"
		[[ $name == fcap-tutorial.7 || ! -e $block ]] || needs_recording "$block" || rm "$block"
	done
	[[ $(ls -A "$DIR/blocks") ]] || return 0
	case ${LONG-}$name in
	fcap-tutorial.7 | fcap-calibrate.1 | fanalyze-compare.1)
		unless "takes long: make stress runs them" "the examples of $name run" false
		;;
	*) unless "$why" "the examples of $name run" run_page "$DIR/blocks" "$DIR/work" ;;
	esac
}

why=''
[[ $(id -u) == 0 ]] || why="needs root"
[[ -d /sys/kernel/tracing/instances ]] || mount -t tracefs nodev /sys/kernel/tracing 2>/dev/null ||
	why=${why:-"no tracefs"}
[[ -r /dev/kvm && -w /dev/kvm ]] || why=${why:-"no KVM"}
[[ -x $B/samples/microvm ]] || why=${why:-"no sample VM for this machine"}
command -v jq >/dev/null || why=${why:-"jq is not installed"}
export MICROVM=$B/samples/microvm CORETAG=$B/samples/coretag FCAP=$B/fcap FANALYZE=$B/fanalyze
make_bin
while IFS= read -r page; do
	test_page "$page"
done < <(pages_with_examples)
echo "1..$COUNT"
