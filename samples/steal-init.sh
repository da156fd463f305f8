#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# First process of a guest of steal-accounting.sh: two groups of counting processes, due 10 and 90 %
# of the CPUs; their lines go to the second serial port, with what fcap-guest says of stolen time.
# Words NAME=VALUE of the kernel's command line are in the environment: GUEST_NAME.
set -u
export PATH=/bin:/sbin:/usr/bin:/usr/sbin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
[[ -c /dev/null ]] || mount -t devtmpfs dev /dev
mount -t cgroup2 cgroup2 /sys/fs/cgroup
stty -opost </dev/ttyS1
fcap-guest --interval 250ms --output /dev/ttyS1 &
spin "$(nproc)" 150ms "$GUEST_NAME.small:10" "$GUEST_NAME.large:90" >/dev/ttyS1
echo "the counting ended with status $?"
poweroff -f
