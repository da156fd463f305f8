# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=bash
# A Debian of its own in a temporary folder, with the last commit of this repository in /fcap.
# Sourced by scripts that set -u; make_root sets ROOT, which is removed at exit.
ROOT=

fail() {
	echo "${0##*/}: $1" >&2
	exit 1
}

clean() {
	local dir

	[[ $ROOT ]] || return
	for dir in dev sys proc; do
		mountpoint -q "$ROOT/$dir" && umount -R "$ROOT/$dir"
	done
	# what could not be unmounted must not be removed
	grep -q " $ROOT/" /proc/self/mounts || rm -rf --one-file-system "$ROOT"
}

inside() {
	echo "+ $1"
	chroot "$ROOT" /bin/bash -c "cd /fcap && $1"
}

# make_root REPOSITORY [RELEASE]: with git and make; the release of this machine without a name
make_root() {
	local mirror release dir

	[[ $(id -u) == 0 ]] || fail "root is needed to make a system of its own"
	command -v debootstrap >/dev/null || fail "debootstrap is missing; apt-get install debootstrap"
	# shellcheck disable=SC2016 # apt-get fills these in
	read -r mirror release < <(apt-get indextargets --format '$(SITE) $(CODENAME)' |
		grep -v security | sort -u)
	[[ $mirror ]] || fail "this machine has no package lists; apt-get update"
	release=${2:-$release}
	ROOT=$(mktemp -d) && chmod 755 "$ROOT" || exit 1 # others than root use it, too
	trap clean EXIT
	echo "+ debootstrap $release"
	debootstrap --variant=minbase --include=git,make "$release" "$ROOT" "$mirror" >"$ROOT.log" 2>&1 || {
		tail -3 "$ROOT.log"
		fail "debootstrap failed"
	}
	rm -f "$ROOT.log"
	cp -a /etc/apt/apt.conf.d/. "$ROOT/etc/apt/apt.conf.d/"
	git clone -q "$1" "$ROOT/fcap" || exit 1
	for dir in proc sys dev; do
		mount --rbind "/$dir" "$ROOT/$dir" && mount --make-rslave "$ROOT/$dir" || exit 1
	done
}
