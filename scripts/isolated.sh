#!/usr/bin/env bash
# isolated.sh COMMAND...: runs it with a network, a /dev/shm and processes of its own, so that tests side by side never meet,
# and nothing of them stays behind. The network has loopback only, which carries multicast as soon as a route says so.
# What the command leaves running is ended; files that it leaves in /dev/shm are named. Its exit status is the command's.
# Where namespaces are forbidden, the command runs as it is.
set -euo pipefail

spaces=(unshare --net --mount --pid --fork --kill-child --mount-proc)
[ "$(id -u)" -eq 0 ] || spaces+=(--map-root-user)
if ! "${spaces[@]}" true 2>/dev/null; then
  echo 'isolated.sh: no namespaces here; the command shares network, memory and processes with whatever runs' >&2
  exec "$@"
fi
# The first process of its space takes no signal that it does not handle, and has to wait for orphans: bash does both.
# shellcheck disable=SC2016
exec "${spaces[@]}" bash -c '
  ip link set lo up multicast on
  ip route add 224.0.0.0/4 dev lo
  mount -t tmpfs tmpfs /dev/shm || { echo "isolated.sh: no /dev/shm of its own" >&2; exit 1; }
  "$@"
  status=$?
  # LTTng, which programs of ROS 2 are linked to, keeps its own files for as long as the machine runs; Fast DDS leaves
  # those of processes that are killed, as tests do.
  left=$(find /dev/shm -mindepth 1 ! -type d ! -name "lttng-ust-wait-*" ! -name "fastrtps_*" ! -name "sem.fastrtps_*" |
    head -n 5 | tr "\n" " ")
  [ -z "$left" ] || echo "isolated.sh: left in shared memory: $left" >&2
  exit $status' isolated "$@"
