#!/usr/bin/env bash
# Does what the README says on a fresh machine: a minimal Debian 12 root with git and make only, a clone of the last
# commit, then 'make demo' and 'make test'. Needs root. Other commands can be given: test-fresh.sh 'make build'
# Takes the mirror, proxy and certificates that apt uses on this host. TANDEM_FRESH_DIR: where the root is made.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

[ "$(id -u)" -eq 0 ] || fail "test-fresh makes a root file system: run 'sudo make test-fresh'"
command -v debootstrap >/dev/null || "$TANDEM_ROOT/scripts/install-packages.sh" debootstrap
# In a mount namespace of its own nothing stays mounted, however this ends.
if [ -z "${TANDEM_FRESH_NAMESPACE:-}" ]; then
  TANDEM_FRESH_NAMESPACE=1 exec unshare --mount --propagation private "$0" "$@"
fi

[ $# -gt 0 ] || set -- 'make demo' 'make test'
root=$(mktemp -d "${TANDEM_FRESH_DIR:-/var/tmp}/tandem-fresh-XXXXXX")
cleanup() {
  # The tree is deleted only when nothing of the host is mounted in it any more.
  for mounted in dev/shm dev proc sys source; do
    mountpoint -q "$root/$mounted" && umount -l "$root/$mounted"
  done
  if grep -q " $root/" /proc/self/mounts; then
    echo "something is still mounted below $root: unmount and delete it by hand" >&2
  else
    rm -rf --one-file-system "$root"
  fi
}
trap cleanup EXIT
trap 'exit 130' INT TERM

# URI, suite, components of what this host takes from Debian.
debian_sources() {
  apt-get indextargets --format "\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' 'Origin: Debian' |
    awk '$3 == "main" && $2 ~ /^bookworm(-updates|-security)?$/' | sort -u
}

configure_apt() {
  debian_sources | sed 's/^/deb /' >"$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|Max)' >"$root/etc/apt/apt.conf.d/90host" || true
  echo 'APT::Install-Recommends "true";' >>"$root/etc/apt/apt.conf.d/90host"
  if [ -d /etc/apt/auth.conf.d ]; then cp -a /etc/apt/auth.conf.d "$root/etc/apt/"; fi
  mkdir -p "$root/etc/ssl/certs" "$root/usr/local/share/ca-certificates"
  cp -a /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/" 2>/dev/null || true
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
}

mount_all() {
  mkdir -p "$root/source"
  mount --bind /proc "$root/proc"
  mount --bind /sys "$root/sys"
  mount --bind /dev "$root/dev"
  mount -t tmpfs -o mode=1777,size=50% tmpfs "$root/dev/shm"
  mount --bind -o ro "$(git -C "$TANDEM_ROOT" rev-parse --absolute-git-dir)" "$root/source"
}

# inside COMMAND: with an environment that holds nothing of this host but the proxy.
inside() {
  env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" no_proxy="${no_proxy:-}" \
    chroot "$root" bash -euo pipefail -c "$1" </dev/null
}

mirror=$(debian_sources | awk '$2 == "bookworm" {print $1; exit}')
[ -n "$mirror" ] || fail "this host's apt names no mirror with Debian 12 (bookworm)"
echo "making a minimal Debian 12 in $root"
debootstrap --variant=minbase bookworm "$root" "$mirror" >"$root.log" 2>&1 || {
  tail -n 20 "$root.log"
  fail "debootstrap failed (see above)"
}
rm -f "$root.log"
configure_apt
mount_all
inside 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends git make' \
  >"$root/apt.log" 2>&1 || { tail -n 20 "$root/apt.log"; fail "git and make could not be installed (see above)"; }
inside "git config --global safe.directory '*' && git clone --quiet /source \"\$HOME/tandem\""
for command in "$@"; do
  started=$(date +%s)
  printf '\n=== fresh: %s ===\n' "$command"
  inside "cd \"\$HOME/tandem\" && $command"
  printf '=== fresh: %s took %d s ===\n' "$command" "$(($(date +%s) - started))"
done
echo "test-fresh passed"
