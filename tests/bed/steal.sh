#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs inside the bed: samples/steal-accounting.sh with the guest kernel of the bed.
# Usage: steal.sh SECONDS
# Leaves what that leaves.
set -u

# they are read once by each guest; the outer machine is far
cp /share/bzImage-guest /share/guest.gz /tmp || exit
printf '#!/bin/bash\nexec qemu-system-x86_64 -L /share "$@"\n' >/tmp/qemu && chmod +x /tmp/qemu || exit
echo 1 >/proc/sys/kernel/sched_schedstats
FCAP=/usr/bin/fcap FANALYZE=/usr/bin/fanalyze QEMU=/tmp/qemu /share/steal-accounting.sh \
	--kernel /tmp/bzImage-guest --initramfs /tmp/guest.gz --cpu qemu64,-svm --vcpus 2 \
	--seconds "$1" --dir /tmp/steal
STATUS=$?
cp -r /tmp/steal/. .
exit "$STATUS"
