#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Opens a file of fcap in KernelShark, versions 6 and 7 of the format, or the files that are given,
# with plugin_fcap.so, on a screen of its own. Leaves a picture of each in the build folder, to be
# looked at.
# Status 1: it did not start, load the file or the plugin, had something to complain of, or did not
# end by itself.
set -u
B=$(realpath -- "${B:-build}") || exit 1
HERE=$PWD
cd -- "${BASH_SOURCE[0]%/*}/.." || exit 1
SAMPLE=samples/core-sched/on-1.dat
WAIT_S=60

fail() {
	echo "kernelshark-check: $*" >&2
	exit 1
}

# as_user COMMAND...: KernelShark asks questions if it is run as root
as_user() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid nobody --regid nogroup --clear-groups "$@"
	else
		"$@"
	fi
}

# windows: "WIDTHxHEIGHT TITLE" of all that can be seen
windows() {
	xwininfo -root -children | sed -nE \
		's/^ +0x[0-9a-f]+ (\(has no name\)|"(.*)"): .* ([0-9]+x[0-9]+)\+.*/\3 \2/p' |
		grep -vE '^[1-9]x[1-9] '
}

# ends PID: by itself and with status 0
ends() {
	local status

	for ((i = 0; i < WAIT_S * 5; i++)); do
		kill -0 "$1" 2>/dev/null || break
		sleep 0.2
	done
	kill "$1" 2>/dev/null && echo "does not end at Ctrl-Q" >&2
	wait "$1"
	status=$?
	((status == 0)) || echo "status $status" >&2
	((status == 0))
}

# On the screen: show DIRECTORY NAME
show() {
	local title="Kernel Shark ($2.dat)" id pid seen

	cd -- "$1" || return
	kernelshark -i "$2.dat" >out 2>err &
	pid=$!
	for ((i = 0; i < WAIT_S * 5; i++)); do
		id=$(xdotool search --name "^Kernel Shark \($2" 2>/dev/null) && break
		kill -0 "$pid" 2>/dev/null || break
		sleep 0.2
	done
	seen=$(windows)
	if [[ ! ${id-} || $seen != *" $title" || $seen == *$'\n'* ]]; then
		echo "instead of one window \"$title\" there is: $seen" >&2
		cat err >&2
		import -window root "$2.png"
		kill "$pid" 2>/dev/null
		return 1
	fi
	xdotool windowsize --sync "$id" 1400 900
	sleep 3 # it draws when it has nothing else to do
	import -window root "$2.png"
	if ! grep -q plugin_fcap.so "/proc/$pid/maps"; then
		echo "the plugin is not loaded" >&2
		kill "$pid"
		return 1
	fi
	xdotool windowfocus --sync "$id" key ctrl+q
	ends "$pid" || return
	! grep -v '^Loading ' err >&2
}

# open_file NAME: what lies in $dir as NAME.dat
open_file() {
	as_user env -u XAUTHORITY -u LD_PRELOAD HOME="$dir" XDG_RUNTIME_DIR="$dir" \
		TRACEEVENT_PLUGIN_DIR="$dir/plugins" xvfb-run -a -s "-screen 0 1400x900x24 -nolisten tcp" \
		bash "$dir/kernelshark.sh" --show "$dir" "$1"
	status=$?
	[ ! -f "$dir/$1.png" ] || cp -- "$dir/$1.png" "$B/kernelshark-$1.png" || exit 1
	((status == 0)) || fail "$1: see above, and build/kernelshark-$1.png"
	echo "kernelshark-check: opened $1; look at ${B#"$PWD"/}/kernelshark-$1.png"
}

if [ "${1-}" = --show ]; then
	show "$2" "$3"
	exit
fi
if [ "${1-}" = --help ]; then
	echo "Usage: $0 [FILE...]"
	exit
fi
files=()
for file; do
	file=$(cd -- "$HERE" && realpath -e -- "$file") || exit 1
	files+=("$file")
done
for program in kernelshark xvfb-run xdotool xwininfo import trace-cmd; do
	command -v "$program" >/dev/null || fail "$program is not installed"
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf -- "$dir"' EXIT
mkdir "$dir/plugins" && cp -- "$B/plugin_fcap.so" "$dir/plugins" &&
	cp -- tests/kernelshark.sh "$dir" && cp -- "$SAMPLE" "$dir/v7.dat" || exit 1
trace-cmd convert -i "$SAMPLE" -o "$dir/v6.dat" --file-version 6 >/dev/null 2>&1 ||
	fail "trace-cmd cannot convert $SAMPLE"
names=(v6 v7)
for i in "${!files[@]}"; do
	names[i]=file$((i + 1))
	cp -- "${files[i]}" "$dir/${names[i]}.dat" || exit 1
done
[ "$(id -u)" != 0 ] || chown -R nobody "$dir"
for name in "${names[@]:0:${#files[@]} ? ${#files[@]} : 2}"; do
	open_file "$name"
done
