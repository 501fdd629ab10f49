#!/usr/bin/env bash
# isolated.sh COMMAND...: runs it in a network and a /dev/shm of its own, so that DDS domains never mix with those of other
# programs. The network has loopback only, which carries multicast as soon as a route says so. Where namespaces are
# forbidden, the command runs as it is.
set -euo pipefail

spaces=(unshare --net --mount)
[ "$(id -u)" -eq 0 ] || spaces+=(--map-root-user)
if ! "${spaces[@]}" true 2>/dev/null; then
  echo 'isolated.sh: no network namespaces here; the tests share the network with whatever runs' >&2
  exec "$@"
fi
# shellcheck disable=SC2016
exec "${spaces[@]}" bash -c '
  ip link set lo up multicast on
  ip route add 224.0.0.0/4 dev lo
  mount -t tmpfs tmpfs /dev/shm || echo "isolated.sh: /dev/shm is shared with whatever runs" >&2
  exec "$@"' isolated "$@"
