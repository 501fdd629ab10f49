#!/usr/bin/env bash
# Does what the README says on a fresh machine: a minimal Debian root with git and make only, a clone of the last
# commit, then 'make demo' and 'make test'. Needs root. Other commands can be given: test-fresh.sh 'make build'
# Takes the mirror, proxy and certificates that apt uses on this host.
# RELEASE: bookworm (the default) or trixie. TANDEM_FRESH_DIR: the folder in which the root is made.
# TANDEM_FRESH_ROOT: a root to keep. It is made when it is not there; later runs go on with what is built in it.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

release=${RELEASE:-bookworm}
case $release in
  bookworm) debian='Debian 12' ;;
  trixie) debian='Debian 13' ;;
  *) fail "RELEASE is '$release'; it may be bookworm (Debian 12) or trixie (Debian 13)" ;;
esac
[ "$(id -u)" -eq 0 ] || fail "test-fresh makes a root file system: run 'sudo make test-fresh'"
"$TANDEM_ROOT/scripts/install-packages.sh" fresh

[ $# -gt 0 ] || set -- 'make demo' 'make test'
kept=${TANDEM_FRESH_ROOT:-}
root=${kept:-$(mktemp -d "${TANDEM_FRESH_DIR:-/var/tmp}/tandem-fresh-XXXXXX")}
running=

# contained COMMAND...: in namespaces of its own, so that with it ends all that it started and is mounted nothing.
contained() {
  local result=0
  # With job control the command does not ignore SIGINT, as background commands do, and tests rely on that signal.
  set -m
  unshare --mount --pid --fork --kill-child --mount-proc --propagation private "$@" </dev/null &
  running=$!
  set +m
  wait "$running" || result=$?
  running=
  return "$result"
}

cleanup() {
  # unshare returns when the first process of the namespace, killed here, and all others there are gone.
  if [ -n "$running" ]; then
    pkill -KILL -P "$running" || true
    wait "$running" || true
  fi
  rm -f "$root.log"
  if [ -z "$kept" ]; then rm -rf --one-file-system "$root"; fi
}
trap cleanup EXIT
trap 'exit 130' HUP INT TERM

# URI, suite, components of what this host takes from Debian, for the release of the root.
debian_sources() {
  local host
  host=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
  apt-get indextargets --format "\$(REPO_URI) \$(RELEASE) \$(COMPONENT)" 'Created-By: Packages' 'Origin: Debian' |
    awk -v host="$host" -v release="$release" \
      '$3 == "main" && $2 ~ "^" host "(-updates|-security)?$" {sub(host, release, $2); print}' | sort -u
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

# inside COMMAND: with an environment that holds nothing of this host but the proxy.
inside() {
  contained env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    http_proxy="${http_proxy:-}" https_proxy="${https_proxy:-}" no_proxy="${no_proxy:-}" \
    "$TANDEM_ROOT/scripts/enter-root.sh" "$root" bash -euo pipefail -c "$1"
}

# What tests need of any machine: namespaces, terminals, other users, and programs under the path they were started by.
check_root() {
  # shellcheck disable=SC2016
  inside 'unshare --mount --net true
    unshare --map-root-user --mount true
    script --quiet --return --command true /dev/null
    setpriv --reuid=65534 --regid=65534 --clear-groups ls / >/dev/null
    [ "$(readlink /proc/self/exe)" = "$(command -v readlink)" ]' || fail "the new root is not like a machine (see above)"
}

# A minimal Debian with git, which comes last, and make.
make_root() {
  local mirror
  mirror=$(debian_sources | awk -v release="$release" '$2 == release {print $1; exit}')
  [ -n "$mirror" ] || fail "this host's apt names no mirror of Debian"
  echo "making a minimal $debian in $root"
  mkdir -p "$root"
  chmod 0755 "$root" # mktemp makes it for this user alone, and it becomes everybody's '/'
  contained debootstrap --variant=minbase "$release" "$root" "$mirror" >"$root.log" 2>&1 || {
    tail -n 20 "$root.log"
    fail "debootstrap failed (see above)"
  }
  configure_apt
  check_root
  inside 'apt-get -q update && DEBIAN_FRONTEND=noninteractive apt-get -qy install --no-install-recommends make git' \
    >"$root/apt.log" 2>&1 || { tail -n 20 "$root/apt.log"; fail "git and make could not be installed (see above)"; }
}

if [ ! -x "$root/usr/bin/git" ]; then
  [ ! -d "$root" ] || rmdir "$root" 2>/dev/null || fail "'$root' has files, but is no root that was made here: remove it"
  make_root
elif ! grep -qx "VERSION_CODENAME=$release" "$root/etc/os-release"; then
  fail "the root '$root' is not of $debian ($release); choose another TANDEM_FRESH_ROOT"
fi
git -C "$TANDEM_ROOT" bundle create --quiet "$root/source.bundle" HEAD
# shellcheck disable=SC2016
inside 'mkdir -p "$HOME/tandem" && cd "$HOME/tandem" && git -c init.defaultBranch=main init --quiet &&
  git fetch --quiet /source.bundle HEAD && git checkout --quiet --detach --force FETCH_HEAD && rm /source.bundle'
for command in "$@"; do
  started=$(date +%s)
  printf '\n=== fresh: %s ===\n' "$command"
  inside "cd \"\$HOME/tandem\" && $command"
  printf '=== fresh: %s took %d s ===\n' "$command" "$(($(date +%s) - started))"
done
echo "test-fresh passed"
