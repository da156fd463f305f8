#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sees that the Debian packages of build and tests are there, with "run" only those without which
# the programs cannot be built and used, with "bed" these and what the test bed needs, with "latex"
# these and LaTeX, with "fuzz" those of the tests and what fuzzing needs: installs what is missing
# when root, else prints the one line that does. NO_APT=1 only prints.
# Status 1: something is missing.
set -u
libraries="libtracefs libtraceevent gsl jansson libxxhash libzstd zlib"
packages="gcc libc6-dev binutils pkg-config libtracefs-dev libtraceevent-dev libgsl-dev
	libjansson-dev libxxhash-dev libzstd-dev zlib1g-dev gnuplot-nox"
if [ "${1-}" = bed ]; then
	packages="$packages trace-cmd jq qemu-system-x86 seabios busybox-static cpio make flex bison
		bc libelf-dev xz-utils"
elif [ "${1-}" = latex ]; then
	packages="$packages perl jq texlive-latex-base texlive-latex-recommended"
elif [ "${1-}" != run ]; then
	libraries="$libraries libtracecmd cmocka"
	packages="$packages libtracecmd-dev libcmocka-dev trace-cmd perl procps jq mandoc xxhash
		clang-format-14 clang-tidy-14 cppcheck shellcheck"
	[ "${1-}" != fuzz ] || packages="$packages clang-14 libclang-rt-14-dev"
fi
line="apt-get install -y --no-install-recommends"

if ! command -v dpkg-query >/dev/null; then
	# shellcheck disable=SC2086
	command -v pkg-config >/dev/null && pkg-config --exists $libraries && exit 0
	echo "make: not a Debian system; it needs what these Debian packages hold:" >&2
	echo "$packages" >&2
	exit 1
fi
missing=
for p in $packages; do
	case $(dpkg-query -W -f '${db:Status-Status}' "$p" 2>/dev/null) in
	installed) ;;
	*) missing="$missing $p" ;;
	esac
done
[ -z "$missing" ] && exit 0
if [ "$(id -u)" != 0 ] || [ "${NO_APT:-0}" != 0 ]; then
	echo "make: packages are missing; as root: $line$missing" >&2
	exit 1
fi
echo "make: installing$missing"
# a fresh machine has no package lists yet
# shellcheck disable=SC2086
$line $missing >/dev/null 2>&1 || { apt-get update && $line $missing; }
