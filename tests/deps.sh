#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sees that the Debian packages for one purpose are there: installs what is missing when root, else
# prints the one line that does. Status 1: something is missing. NO_APT=1 only prints.
#	tests/deps.sh [run|check|lint|fuzz|bed|kernelshark]	check, the default: build and tests
set -u
for_use="gcc libc6-dev binutils pkg-config libtracefs-dev libtraceevent-dev libgsl-dev
	libjansson-dev libzstd-dev zlib1g-dev gnuplot-nox"
for_tests="$for_use libtracecmd-dev libcmocka-dev trace-cmd perl procps jq mandoc zsh
	python3-jsonschema"
libraries="libtracefs libtraceevent gsl jansson libzstd zlib"
case ${1-check} in
run) packages=$for_use ;;
check) packages=$for_tests ;;
lint) packages="$for_tests clang-format-14 clang-tidy-14 cppcheck shellcheck" ;;
fuzz) packages="$for_tests clang-14 libclang-rt-14-dev" ;;
bed) packages="$for_use trace-cmd jq qemu-system-x86 seabios busybox-static cpio make flex bison
	bc libelf-dev xz-utils" ;;
kernelshark) packages="$for_use trace-cmd kernelshark xvfb xauth x11-utils xdotool imagemagick" ;;
*)
	echo "make: tests/deps.sh knows no packages for \"$1\"" >&2
	exit 1
	;;
esac
case ${1-check} in
run | bed | kernelshark) ;;
*) libraries="$libraries libtracecmd cmocka" ;;
esac
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
