#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# First process of a guest of the bed: two groups of counting processes, due 10 and 90 % of the
# CPUs, whose lines go to the port hvc0 together with what fcap-guest says of the stolen time.
# Words NAME=VALUE of the kernel's command line are in the environment: BED_NAME, the guest's name.
set -u
export PATH=/bin:/sbin:/usr/bin:/usr/sbin
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
[[ -c /dev/null ]] || mount -t devtmpfs dev /dev
mount -t cgroup2 cgroup2 /sys/fs/cgroup
stty -opost </dev/hvc0
fcap-guest --interval 250ms --output /dev/hvc0 &
spin "$(nproc)" 250ms "$BED_NAME.small:10" "$BED_NAME.large:90" >/dev/hvc0
echo "the counting ended with status $?"
poweroff -f
