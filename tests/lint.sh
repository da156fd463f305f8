#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Formatting, static analysis, shell scripts, headers that compile alone, licence lines.
# Prints every finding; status 1 if there is any.
set -u
status=0
fail()
{
	echo "lint: $*" >&2
	status=1
}
list()
{
	git ls-files -co --exclude-standard "$@"
}
mapfile -t sources < <(list '*.c' '*.h')
mapfile -t headers < <(list '*.h')
mapfile -t checked < <(list 'capture/*.c' 'analyze/*.c' 'plot/*.c' 'samples/*.c')
mapfile -t scripts < <(list '*.sh'; echo .ci/run)
format=$(command -v clang-format-14 || command -v clang-format) || fail "no clang-format"
tidy=$(command -v clang-tidy-14 || command -v clang-tidy) || fail "no clang-tidy"
read -ra flags <<<"-std=gnu11 -D_GNU_SOURCE -I$PWD/include -I$PWD $(pkg-config --cflags \
	libtracefs libtraceevent libtracecmd gsl jansson libzstd zlib cmocka |
	sed 's/-I/-isystem/g')"

"$format" --dry-run --Werror "${sources[@]}" || fail "formatting: run make format"
for h in "${headers[@]}"; do
	gcc "${flags[@]}" -Wall -Wextra -Werror -fsyntax-only -x c "$h" ||
		fail "$h does not compile alone"
done
mkdir -p build
printf '%s\n' "${flags[@]}" >build/compile_flags.txt
printf '%s\0' "${checked[@]}" |
	xargs -0 -n 8 -P "$(nproc)" "$tidy" -p build --quiet 2>/dev/null || fail "clang-tidy"
cppcheck --quiet --error-exitcode=1 --inline-suppr --std=c11 \
	--enable=warning,performance,portability --suppress=missingIncludeSystem \
	-Iinclude -I. "${checked[@]}" || fail "cppcheck"
shellcheck -x "${scripts[@]}" || fail "shellcheck"
for f in "${sources[@]}" "${scripts[@]}" Makefile; do
	head -3 "$f" | grep -qE 'SPDX-License-Identifier: L?GPL-' || fail "$f: no SPDX line"
done
for f in "${sources[@]}"; do
	[ "$(wc -l <"$f")" -le 500 ] || fail "$f: over 500 lines"
done
grep -nE '\b(atoi|atol|atof|strcpy|strcat|sprintf|strtok|gets|popen|system)\(' \
	"${headers[@]}" "${checked[@]}" && fail "banned calls"
exit $status
