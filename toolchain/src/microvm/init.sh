#!/bin/busybox sh
# The first program in the emulated machine: mounts the files of the host, runs the script, and ends. MACHINE on the
# kernel's command line names the directory of its results.
B=/bin/busybox
$B mount -t proc proc /proc
$B mount -t sysfs sys /sys
$B mount -t devtmpfs dev /dev
# The dependencies of modules differ between kernels. A module that fails because another is missing succeeds in the
# next round.
for attempt in 1 2 3 4; do
    for module in /modules/*.ko; do $B insmod "$module" 2>/dev/null; done
done
over_9p=trans=virtio,version=9p2000.L,msize=1048576
$B mount -t 9p -o $over_9p,cache=loose,ro files /files
$B mount -t 9p -o $over_9p results /results
own=/results/$MACHINE
# The host observes by this file that the machine is running.
while :; do
    $B cat /proc/uptime >"$own/alive"
    $B sleep 5
done &
# Writes go to memory; only /results is kept.
$B mount -t tmpfs memory /memory
$B mkdir /memory/upper /memory/work
$B mount -t overlay -o lowerdir=/files,upperdir=/memory/upper,workdir=/memory/work files /root
$B mount -t proc proc /root/proc
$B mount -t sysfs sys /root/sys
$B mount -t devtmpfs dev /root/dev
$B mkdir -p /root/dev/pts /root/dev/shm /root/results
$B mount -t devpts devpts /root/dev/pts
$B mount -t tmpfs memory /root/dev/shm
$B mount -o bind /results /root/results
$B ip link set lo up
$B cp "$own/run.sh" /root/tmp/isolette-run.sh
if [ -e "$own/interactive" ]; then
    $B setsid $B cttyhack $B chroot /root /bin/sh /tmp/isolette-run.sh
else
    $B chroot /root /bin/sh /tmp/isolette-run.sh
fi
echo $? >"$own/status"
$B sync
$B poweroff -f
