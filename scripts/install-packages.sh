#!/usr/bin/env bash
# install-packages.sh LIST...: installs what is missing of the Debian packages in scripts/packages/LIST.txt.
# A line that ends in '# only RELEASE' counts on that release of Debian alone. Quick when all is there.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

[ $# -gt 0 ] || fail "usage: scripts/install-packages.sh LIST..., of those in scripts/packages/"
lists=("${@/#/$TANDEM_ROOT/scripts/packages/}")
lists=("${lists[@]/%/.txt}")
release=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release || true)
mapfile -t wanted < <(sed "/# only /{/# only ${release:-none}\$/!d}; s/#.*//; s/[[:space:]]//g; /^\$/d" "${lists[@]}")
# For MCAP, for tests with an implementation of DDS in Rust, and for 'make rust', where the distribution has a new one and
# the user has none.
if [[ " $* " == *" build "* ]] && ! command -v cargo >/dev/null && [ ! -x "${CARGO_HOME:-$HOME/.cargo}/bin/cargo" ] &&
  apt-cache show rustc-web >/dev/null 2>&1; then
  wanted+=(cargo-web rustc-web)
fi
# For the page of `tandem view`, unless the user has another npm, which Debian's would conflict with.
if [[ " $* " == *" web "* ]] && ! command -v npm >/dev/null; then
  wanted+=(nodejs npm)
fi

command -v dpkg-query >/dev/null || fail "this is no Debian system; install the counterparts of ${lists[*]#"$TANDEM_ROOT"/} by hand"

missing_packages() {
  comm -23 <(printf '%s\n' "${wanted[@]}" | sort -u) \
    <(dpkg-query -W -f='${db:Status-Status} ${Package}\n' 2>/dev/null | sed -n 's/^installed //p' | sort -u)
}

mapfile -t missing < <(missing_packages)
[ "${#missing[@]}" -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "packages are missing (${missing[*]}): run 'make' as root or install sudo"
  as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o Dpkg::Use-Pty=0 -o Acquire::Retries=3 "$@" \
    >>"$log" 2>&1 </dev/null
}
install_missing() { apt install --no-install-recommends "${missing[@]}"; }

echo "installing ${#missing[@]} Debian packages: ${missing[*]}"
# The package lists may be absent or old: try what is there, then with fresh ones.
if ! install_missing; then
  if ! apt update || ! install_missing; then
    tail -n 15 "$log"
    fail "could not install ${missing[*]} (see above); run 'apt-get install ${missing[*]}' by hand"
  fi
fi
mapfile -t missing < <(missing_packages)
[ "${#missing[@]}" -eq 0 ] || fail "still missing after the installation: ${missing[*]}"
