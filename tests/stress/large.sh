#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A trace of more than 4 GiB of pages, most of them a hole in a sparse file, which is deleted.
set -u
B=$(realpath -- "${B:-build}") || exit 1
cd -- "${BASH_SOURCE[0]%/*}/../.." || exit 1
# shellcheck source=tests/lib/tap.sh
. tests/lib/tap.sh || exit 1

is_read() {
	FCAP_TEST_LARGE=1 CMOCKA_MESSAGE_OUTPUT=TAP timeout 300 "$B/tests/unit/large_files" >"$DIR/tap"
	grep -q "^ok .*data_of_one_cpu_of_more_than_4_gib_are_read" "$DIR/tap" && return
	cat "$DIR/tap"
	return 1
}

echo 1..1
check "the pages of one CPU may be more than 4 GiB" is_read
