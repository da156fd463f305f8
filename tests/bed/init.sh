#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# First process of the emulated host: mounts what programs expect, runs /share/run, powers off.
set -u
export PATH=/bin:/sbin:/usr/bin:/usr/sbin HOME=/root
/bin/busybox --install -s /bin
mkdir -p /proc /sys /dev /tmp /run /share /root
mount -t proc proc /proc
mount -t sysfs sysfs /sys
[[ -c /dev/null ]] || mount -t devtmpfs dev /dev
ln -sf /proc/self/fd /dev/fd
mkdir -p /dev/pts /dev/shm
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /tmp
mount -t tmpfs tmpfs /run
mount -t tracefs tracefs /sys/kernel/tracing
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288 share /share ||
	echo "bed: the folder of the outer machine cannot be mounted"
cd /share/out || poweroff -f
/share/run >log 2>&1
echo "$?" >status
sync
poweroff -f
