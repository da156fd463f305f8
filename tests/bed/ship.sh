#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes recordings of the bed small: version 7, zstd. fanalyze says the same of them as before.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
FANALYZE=${FANALYZE:-$HERE/../../build/fanalyze}

usage() {
	cat <<'END'
Usage: ship.sh DIR FILE...
Writes each recording FILE into DIR under its own name, as a trace.dat of version 7 compressed
with zstd, by trace-cmd, and sees that the report of fanalyze on it is the same but for its name.

Environment: FANALYZE, the program (build/fanalyze). Exit status: 0 all are there, 1 not, 2 usage.
END
}

fail() {
	printf 'ship.sh: %s\n' "$1" >&2
	exit 1
}

# said_of FILE: all that does not name the file
said_of() {
	"$FANALYZE" report --json - "$1" | jq 'del(.source.file, .source.checksum, .tool.command)'
}

if [[ ${1-} == --help ]]; then
	usage
	exit
fi
if (($# < 2)); then
	usage >&2
	exit 2
fi
[[ -d $1 ]] || fail "$1: no such directory"
for file in "${@:2}"; do
	small=$1/${file##*/}
	trace-cmd convert -i "$file" -o "$small" --file-version 7 --compression zstd >/dev/null ||
		fail "$file: trace-cmd cannot convert it"
	cmp -s <(said_of "$file") <(said_of "$small") || fail "$small: another report than $file"
	chmod 644 -- "$small"
done
