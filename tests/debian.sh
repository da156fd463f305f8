#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the last commit in another release of Debian (trixie without a name), with gcc and with
# clang and without a warning, and runs there what tests without recording. Needs root,
# debootstrap and a mirror. Not part of "make check".
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
# shellcheck source=tests/lib/debian.sh
. "$HERE/tests/lib/debian.sh"

make_root "$HERE" "${1:-trixie}"
quiet="-o Dpkg::Use-Pty=0 -qq -y --no-install-recommends"
inside "make deps >/dev/null && apt-get install $quiet clang >/dev/null" ||
	fail "the packages cannot be installed"
inside "grep PRETTY /etc/os-release; gcc --version | head -1; clang --version | head -1;
	pkg-config --print-errors --modversion libtraceevent libtracefs libtracecmd gsl | xargs echo \
	libtraceevent, libtracefs, libtracecmd, gsl:"
inside "make -s -j$(nproc) B=build-clang CC=clang WERROR=1" || fail "it does not build with clang"
inside "make -s -j$(nproc) WERROR=1" || fail "it does not build with gcc"
inside "make -s -j$(nproc) check-files" || fail "tests fail"
