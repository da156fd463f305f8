#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Boots the emulated host once, runs a scenario in it, and brings out what that left.
set -u
HERE=$(cd -- "${BASH_SOURCE[0]%/*}" && pwd) || exit 1
CACHE=${FCAP_BED:-${XDG_CACHE_HOME:-$HOME/.cache}/fcap-bed}
QEMU=${QEMU:-qemu-system-x86_64}
CORES=2
MEMORY=1024
LIMIT=300
PROGRAMS=()
FILES=()

usage() {
	cat <<'END'
Usage: boot.sh [OPTION...] DIR SCENARIO [ARG...]
Boots an emulated machine (qemu, TCG: no hardware virtualisation is needed) with SMT and AMD SVM
from the kernel that kernel.sh left, runs SCENARIO ARG... in it as root, in a folder whose files
are in DIR afterwards, with its output (log), its status (status), the console and qemu's messages.

  --cores N         cores of two threads each, 1 or 2 (2)
  --memory MIB      memory of the machine (1024)
  --timeout SECONDS give up after this long (300)
  --program FILE    put this program with its libraries into the machine; repeatable
  --file FILE       put this file into /share of the machine; repeatable
  --help            this text

Environment: FCAP_BED, the cache (~/.cache/fcap-bed); QEMU (qemu-system-x86_64).
Exit status: the scenario's; 125 the machine ended without one; 2 usage.
END
}

say() {
	printf 'boot.sh: %s\n' "$1" >&2
}

fail() {
	say "$1"
	exit 125
}

refuse() {
	say "$1; see --help"
	exit 2
}

# Sets DIRECTORY and SCENARIO, with its arguments.
take_options() {
	while (($#)); do
		case $1 in
		--help)
			usage
			exit
			;;
		--cores | --memory | --timeout)
			[[ ${2-} =~ ^[1-9][0-9]{0,5}$ ]] || refuse "$1: needs a whole number"
			;;
		--program | --file) [[ -f ${2-} ]] || refuse "$1 ${2-}: no such file" ;;
		-*) refuse "$1: unknown option" ;;
		*) break ;;
		esac
		case $1 in
		--cores) CORES=$2 ;;
		--memory) MEMORY=$2 ;;
		--timeout) LIMIT=$2 ;;
		--program) PROGRAMS+=("$2") ;;
		--file) FILES+=("$2") ;;
		esac
		shift 2
	done
	(($# >= 2)) || refuse "a directory and a scenario are needed"
	DIRECTORY=$1 SCENARIO=("${@:2}")
	[[ -f $2 ]] || refuse "$2: no such scenario"
}

# What the machine sees as /share.
make_share() {
	local name=${SCENARIO[0]##*/}

	mkdir -p -- "$SHARE/out" && cp -- "${SCENARIO[0]}" "${FILES[@]}" "$SHARE" || exit 125
	printf '#!/bin/bash\nexec%s\n' "$(printf ' %q' "/share/$name" "${SCENARIO[@]:1}")" \
		>"$SHARE/run" && chmod +x -- "$SHARE/run" "$SHARE/$name" || exit 125
}

# Nested paging is off inside (npt=0): with it QEMU 7.2 without KVM corrupts the memory of guests
# and of the host. rdrand makes the random generator ready, without which cookies read as 0.
run_machine() {
	timeout -k 5 "$LIMIT" "$QEMU" -machine pc -accel tcg,thread=multi \
		-cpu qemu64,+svm,+npt,+rdrand -smp $((CORES * 2)),sockets=1,cores="$CORES",threads=2 \
		-m "$MEMORY" -nodefaults -display none -no-reboot -serial "file:$DIRECTORY/console" \
		-kernel "$CACHE/bzImage-host" -initrd "$WORK/initrd.gz" \
		-append "console=ttyS0,115200 quiet panic=-1 mitigations=off nokaslr tsc=reliable
			kvm_amd.npt=0" \
		-virtfs "local,path=$SHARE,mount_tag=share,security_model=none" \
		</dev/null 2>"$DIRECTORY/qemu"
}

take_options "$@"
command -v "$QEMU" >/dev/null || fail "$QEMU: not found; install the package qemu-system-x86"
[[ -s $CACHE/bzImage-host ]] || fail "no kernel in $CACHE; run kernel.sh host"
WORK=$(mktemp -d) || exit 125
trap 'rm -rf -- "$WORK"' EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
SHARE=$WORK/share
make_share
"$HERE/../../samples/initramfs.sh" "$WORK/initrd.gz" "$HERE/init.sh" "${PROGRAMS[@]}" || exit 125
mkdir -p -- "$DIRECTORY" && rm -f -- "$DIRECTORY/status" || exit 125
run_machine
QEMU_STATUS=$?
cp -r -- "$SHARE/out/." "$DIRECTORY" || exit 125
[[ -s $DIRECTORY/status ]] && exit "$(<"$DIRECTORY/status")"
((QEMU_STATUS != 124)) || fail "the machine was not done after $LIMIT s; see $DIRECTORY/console"
fail "the machine ended early; see $DIRECTORY/console and $DIRECTORY/qemu"
