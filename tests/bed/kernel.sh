#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the kernels of the bed from Debian's linux-source, each once: CACHE/bzImage-NAME.
set -u
set -o pipefail
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
CACHE=${FCAP_BED:-${XDG_CACHE_HOME:-$HOME/.cache}/fcap-bed}
JOBS=${JOBS:-$(nproc)}
SOURCE=${FCAP_BED_SOURCE:-linux-source-6.12}

usage() {
	cat <<'END'
Usage: kernel.sh host|guest...
Builds the named kernels and leaves them as bzImage-host and bzImage-guest in the cache; what is
there already, of the same source and configuration, is not built again. Six to seven minutes
each on two CPUs, 2.5 GB of disk while it builds, 170 MB afterwards.

  host    SMT, core scheduling, KVM, event tracing     (base.config and host.config)
  guest   paravirtual clock and steal accounting       (base.config and guest.config)

Environment: FCAP_BED, the cache (~/.cache/fcap-bed); FCAP_BED_SOURCE, the Debian package of
the source (linux-source-6.12); JOBS, compilers at once (the number of CPUs).
Exit status: 0 all are there, 1 not, 2 usage.
END
}

say() {
	printf 'kernel.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 1
}

# Sets PACKAGE, the file that holds the source: the installed package's, one fetched before, or
# one fetched now.
find_source() {
	local file

	PACKAGE=/usr/src/$SOURCE.tar.xz
	[[ ! -f $PACKAGE ]] || return 0
	for file in "$CACHE/$SOURCE"_*.deb; do
		PACKAGE=$file
	done
	[[ ! -f $PACKAGE ]] || return 0
	command -v apt-get >/dev/null ||
		fail "no apt-get to fetch $SOURCE with; put $SOURCE.tar.xz of Debian into /usr/src"
	[[ ${NO_APT:-0} == 0 ]] || fail "$SOURCE is not there, and NO_APT forbids to fetch it"
	say "fetching $SOURCE"
	(cd -- "$CACHE" && { apt-get -qq download "$SOURCE" ||
		{ apt-get -qq update && apt-get -qq download "$SOURCE"; }; }) >"$CACHE/fetch.log" 2>&1 ||
		fail "apt-get cannot fetch $SOURCE (Debian 12 has it in bookworm-security): $CACHE/fetch.log"
	for file in "$CACHE/$SOURCE"_*.deb; do
		PACKAGE=$file
	done
}

# key NAME: what the kernel is made from
key() {
	printf '%s %s\n' "${PACKAGE##*/}" \
		"$(cat "$HERE/base.config" "$HERE/$1.config" | sha256sum | cut -c 1-16)"
}

is_built() {
	[[ -s $CACHE/bzImage-$1 && -f $CACHE/bzImage-$1.key &&
		$(<"$CACHE/bzImage-$1.key") == "$(key "$1")" ]]
}

are_built() {
	local name

	for name in "$@"; do
		is_built "$name" || return
	done
}

check_programs() {
	local program

	for program in gcc make flex bison bc xz dpkg-deb; do
		command -v "$program" >/dev/null ||
			fail "$program: not found; \"tests/deps.sh bed\" installs what a kernel needs"
	done
	[[ -f /usr/include/libelf.h ]] || fail "no libelf; install the package libelf-dev"
}

unpack() {
	[[ ! -f $CACHE/build/unpacked ]] || return 0
	say "unpacking ${PACKAGE##*/}"
	rm -rf -- "$CACHE/build"
	mkdir -p -- "$CACHE/build/source" || exit 1
	if [[ $PACKAGE == *.deb ]]; then
		dpkg-deb --fsys-tarfile "$PACKAGE" | tar -xO "./usr/src/$SOURCE.tar.xz"
	else
		cat -- "$PACKAGE"
	fi | tar -xJ -C "$CACHE/build/source" --strip-components=1 ||
		fail "cannot unpack $PACKAGE; is the disk full?"
	: >"$CACHE/build/unpacked"
}

# Every line of the configuration that the kernel did not take is an error: a bed without it
# would measure something else.
has_all_settings() {
	local line missing=

	while read -r line; do
		[[ $line == CONFIG_*=* ]] || continue
		grep -qxF -- "$line" "$2/.config" || missing+=" $line"
	done < <(cat "$HERE/base.config" "$HERE/$1.config")
	[[ ! $missing ]] || say "kernel $1: not granted:$missing"
	[[ ! $missing ]]
}

# configure NAME OBJECTS MAKE...
configure() {
	"${@:3}" tinyconfig || return
	(cd -- "$2" && "$CACHE/build/source/scripts/kconfig/merge_config.sh" -m -O . .config \
		"$HERE/base.config" "$HERE/$1.config") || return
	"${@:3}" olddefconfig
}

build() {
	local objects=$CACHE/build/$1 begin=$EPOCHSECONDS log=$CACHE/build-$1.log
	local make=(make -s -C "$CACHE/build/source" "O=$objects" KBUILD_BUILD_USER=fcap
		KBUILD_BUILD_HOST=bed "-j$JOBS")

	say "building the $1 kernel, see $log"
	mkdir -p -- "$objects" || exit 1
	configure "$1" "$objects" "${make[@]}" >"$log" 2>&1 ||
		fail "the $1 kernel cannot be configured: $(tail -n 1 "$log")"
	has_all_settings "$1" "$objects" || exit 1
	nice -n 5 "${make[@]}" bzImage >>"$log" 2>&1 ||
		fail "the $1 kernel cannot be built: $(grep -m 1 -i error "$log" || tail -n 1 "$log")"
	cp -- "$objects/.config" "$CACHE/config-$1" &&
		mv -- "$objects/arch/x86/boot/bzImage" "$CACHE/bzImage-$1" &&
		key "$1" >"$CACHE/bzImage-$1.key" || exit 1
	rm -rf -- "$objects" "$log"
	say "built the $1 kernel in $((EPOCHSECONDS - begin)) s"
}

(($#)) || {
	usage >&2
	exit 2
}
for name in "$@"; do
	case $name in
	host | guest) ;;
	--help)
		usage
		exit
		;;
	*)
		say "$name: no such kernel; see --help"
		exit 2
		;;
	esac
done
[[ $(uname -m) == x86_64 ]] || fail "the bed's kernels are for x86_64; this is $(uname -m)"
mkdir -p -- "$CACHE" || exit 1
find_source
are_built "$@" && exit
check_programs
# one at a time unpacks, builds and clears up
exec {LOCK}>"$CACHE/lock" || exit 1
flock "$LOCK" || exit 1
for name in "$@"; do
	is_built "$name" && continue
	unpack
	build "$name"
done
rm -rf -- "$CACHE/build"
