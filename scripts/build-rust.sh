#!/usr/bin/env bash
# Builds the Rust parts of the transports over iceoryx2 and Zenoh into build/rust/release, where their packages look for
# them. The first time takes minutes and needs crates.io, or its crates in ~/.cargo; afterwards seconds, and no network.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

oldest=1.89 # that iceoryx2 0.10 can be built with
crates=(src/tools/tandem_bag/rust src/transports/rmw_iceoryx2_cpp/rust src/transports/rmw_zenoh_cpp/rust)

# A rustup of the user before Debian's.
[ ! -d "${CARGO_HOME:-$HOME/.cargo}/bin" ] || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
command -v cargo >/dev/null || fail "cargo is missing: install rustup, or 'apt-get install rustc-web cargo-web'"
version=$(rustc --version | cut -d' ' -f2) || fail "rustc is missing: install rustup, or 'apt-get install rustc-web'"
printf '%s\n' "$oldest" "$version" | sort --version-sort --check=quiet ||
  fail "rustc $version is too old, $oldest is needed: install rustup, or 'apt-get install rustc-web cargo-web'"

host=$(rustc --version --verbose | sed -n 's/^host: //p')
for crate in "${crates[@]}"; do
  started=$(date +%s)
  manifest=(--manifest-path "$crate/Cargo.toml" --locked)
  if ! cargo fetch "${manifest[@]}" --target "$host" --offline --quiet 2>/dev/null; then
    echo "rust: fetching the crates of $crate"
    cargo fetch "${manifest[@]}" --target "$host" --quiet ||
      fail "crates.io cannot be reached, and ~/.cargo does not have all crates of $crate: try again with a network"
  fi
  echo "rust: building $crate"
  cargo build "${manifest[@]}" --offline --release --quiet --target-dir build/rust ||
    fail "$crate cannot be built (see above)"
  echo "rust: $crate took $(($(date +%s) - started)) s"
done
