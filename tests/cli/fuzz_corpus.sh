#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What once crashed, hung or took all memory, and what fuzzing starts from, is survived: by the
# fuzz targets, and by fanalyze within an address space of 1 GiB.
set -u
B=$(realpath -- "${B:-build}") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1
TARGETS=(formats header json markers pages report)

mkdir -p "$DIR/seeds/json" && "$B/tests/fuzz/lib/seeds" "$DIR/seeds" || exit 1
"$B/fanalyze" report --json - "$DIR/seeds/report/v6" >"$DIR/seeds/json/report" || exit 1

# limited COMMAND...: in 1 GiB and ten seconds; instruments need more address space than there is
limited() {
	[[ $B == *address* ]] || ulimit -v $((1 << 20))
	timeout 60 "$@"
}

# is_survived TARGET: every input that is kept, and every seed
is_survived() {
	local files

	mapfile -t files < <(find "tests/data/fuzz/$1" "$DIR/seeds/$1" -type f 2>/dev/null)
	((${#files[@]} > 0)) || { echo "no inputs" && return 1; }
	(limited "$B/tests/fuzz/$1" "${files[@]}")
}

# ends_well VERB: each whole file ends in a report or in one sentence
ends_well() {
	local file status

	for file in tests/data/fuzz/{header,report}/* "$DIR"/seeds/report/*; do
		[[ -f $file ]] || continue
		(limited "$B/fanalyze" "$1" "$file") >"$DIR/out" 2>"$DIR/err"
		status=$?
		echo "$file: $status"
		case $status in
		0 | 3 | 4) is_empty "$DIR/err" ;;
		1 | 2) is_one_line "$DIR/err" "fanalyze: $file: " && is_empty "$DIR/out" ;;
		*) cat "$DIR/err" && false ;;
		esac || return
	done
}

echo 1..$((${#TARGETS[@]} + 3))
for target in "${TARGETS[@]}"; do
	check "$target survives what is known to be hard" is_survived "$target"
done
for verb in report info audit; do
	check "$verb ends in a page or a sentence" ends_well $verb
done
