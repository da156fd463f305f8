#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Sees that the Debian packages of build and tests are there: installs what is missing when
# root, else prints the one line that does. NO_APT=1 only prints. Status 1: something is missing.
set -u
packages="gcc libc6-dev binutils pkg-config perl procps
	libtracefs-dev libtraceevent-dev libtracecmd-dev libgsl-dev libjansson-dev libzstd-dev
	libcmocka-dev trace-cmd jq mandoc gnuplot-nox clang-format-14 clang-tidy-14 cppcheck shellcheck"
line="apt-get install -y --no-install-recommends"

if ! command -v dpkg-query >/dev/null; then
	command -v pkg-config >/dev/null &&
		pkg-config --exists libtracefs libtraceevent libtracecmd gsl jansson libzstd cmocka &&
		exit 0
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
