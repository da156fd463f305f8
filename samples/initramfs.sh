#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packs a root file system of busybox, bash and the named programs with the libraries they need.
set -u

usage() {
	cat <<'END'
Usage: initramfs.sh FILE INIT [PROGRAM...]
Writes FILE, a gzipped cpio archive for a kernel: INIT as /init, busybox (static), bash, and each
PROGRAM in /usr/bin with the shared libraries that ldd names.
Exit status: 0 written, 1 not, 2 usage.
END
}

say() {
	printf 'initramfs.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

# add PROGRAM DIRECTORY
add() {
	local path library

	path=$(command -v -- "$1") || fail "$1: not found"
	install -D -m 755 -- "$path" "$TREE/$2/${path##*/}" || exit 1
	while read -r library; do
		mkdir -p -- "$TREE${library%/*}"
		cp -Ln -- "$library" "$TREE$library" || exit 1
	done < <(ldd "$path" 2>/dev/null | grep -oE '/[^ ]+')
}

if [[ ${1-} == --help ]]; then
	usage
	exit
fi
if (($# < 2)); then
	usage >&2
	exit 2
fi
TREE=$(mktemp -d) || exit 1
trap 'rm -rf -- "$TREE"' EXIT
mkdir -p -- "$TREE"/{proc,sys,dev,tmp,run,share,root}
add busybox bin
! ldd "$TREE/bin/busybox" >/dev/null 2>&1 ||
	fail "busybox is not static; install the package busybox-static"
add bash bin
install -m 755 -- "$2" "$TREE/init" || exit 1
for program in "${@:3}"; do
	add "$program" usr/bin
done
set -o pipefail
(cd -- "$TREE" && find . | cpio -o -H newc --quiet | gzip -6) >"$1" || fail "cannot write $1"
