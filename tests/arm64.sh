#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the last commit for arm64 and runs its unit tests with the user emulation of QEMU, in a
# Debian (trixie, or another release by name) with the compilers and libraries for that; with
# bookworm's QEMU 7.2 capture_child never ends. Needs root, debootstrap and a mirror. Not part of
# "make check".
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
# shellcheck source=tests/lib/debian.sh
. "$HERE/tests/lib/debian.sh"

make_root "$HERE" "${1:-trixie}"
packages="gcc-aarch64-linux-gnu qemu-user libc6-dev:arm64"
for library in libtracefs libtraceevent libtracecmd libgsl libjansson libxxhash libzstd libcmocka zlib1g; do
	packages="$packages $library-dev:arm64"
done
quiet="-o Dpkg::Use-Pty=0 -qq -y --no-install-recommends"
inside "make deps >/dev/null && dpkg --add-architecture arm64 && apt-get update -qq &&
	apt-get install $quiet $packages >/dev/null" || fail "the packages cannot be installed"
inside "export PKG_CONFIG_LIBDIR=/usr/lib/aarch64-linux-gnu/pkgconfig:/usr/share/pkgconfig
	make -s -j$(nproc) B=build-arm64 CC=aarch64-linux-gnu-gcc AR=aarch64-linux-gnu-gcc-ar WERROR=1 \
		RUN='qemu-aarch64 -L /' check-unit" || fail "tests fail"
