#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Proves on a Debian that has git and make and nothing else that what README says works: makes
# such a system in a temporary folder, clones the last commit into it, installs, builds, records,
# reports and draws, and says how long it took. Needs root, debootstrap and the packages of a
# Debian mirror (the one this machine uses). Not part of "make check".
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}/.." && pwd) || exit 1
ROOT=

fail() {
	echo "fresh-check: $1" >&2
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

[[ $(id -u) == 0 ]] || fail "root is needed to make a system of its own"
command -v debootstrap >/dev/null || fail "debootstrap is missing; apt-get install debootstrap"
# shellcheck disable=SC2016 # apt-get fills these in
read -r mirror release < <(apt-get indextargets --format '$(SITE) $(CODENAME)' |
	grep -v security | sort -u)
[[ $mirror ]] || fail "this machine has no package lists; apt-get update"
ROOT=$(mktemp -d) || exit 1
trap clean EXIT
echo "+ debootstrap $release"
debootstrap --variant=minbase --include=git,make "$release" "$ROOT" "$mirror" >"$ROOT.log" 2>&1 || {
	tail -3 "$ROOT.log"
	fail "debootstrap failed"
}
rm -f "$ROOT.log"
cp -a /etc/apt/apt.conf.d/. "$ROOT/etc/apt/apt.conf.d/"
git clone -q "$HERE" "$ROOT/fcap" || exit 1
for dir in proc sys dev; do
	mount --rbind "/$dir" "$ROOT/$dir" && mount --make-rslave "$ROOT/$dir" || exit 1
done
started=$SECONDS
inside "make demo" || fail "make demo does not work"
echo "fresh-check: from nothing to a report and a figure in $((SECONDS - started)) s"
inside "build/fcap record -o trace.dat -- samples/run-vms.sh --seconds 3s" ||
	inside "build/fcap record -o trace.dat -- samples/run-groups.sh --seconds 3s" ||
	fail "it does not record"
inside "build/fanalyze report trace.dat | head -8" || fail "it does not report"
inside "build/fanalyze plot -o figures trace.dat && ls figures" || fail "it does not draw"
echo "fresh-check: all of it worked, in $((SECONDS - started)) s"
