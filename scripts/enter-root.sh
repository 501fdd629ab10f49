#!/usr/bin/env bash
# enter-root.sh ROOT COMMAND...: runs a command with the directory ROOT as the root of the file system, with terminals
# and shared memory of its own. For test-fresh.sh, which calls it in mount and process namespaces of its own.
set -euo pipefail
root=$1
shift

# pivot_root wants a mount. Unlike after chroot(2), the kernel then lets processes make namespaces, and names their
# files as they see them.
mount --rbind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --bind /dev "$root/dev"
mount -t devpts -o newinstance,gid=5,mode=620,ptmxmode=666 devpts "$root/dev/pts"
mount -t tmpfs -o mode=1777,size=50% tmpfs "$root/dev/shm"
cd "$root"
pivot_root . .
umount --lazy .
cd /
# Not with exec: this shell is the first process of its namespace and collects the orphans.
"$@"
