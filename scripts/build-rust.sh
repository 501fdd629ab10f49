#!/usr/bin/env bash
# build-rust.sh [CRATE...]: builds the Rust parts of packages into build/rust/release, where the packages look for them: mcap,
# iceoryx2 and zenoh, all unless some are named. The first time takes minutes and needs crates.io, or its crates in ~/.cargo;
# afterwards seconds, and no network.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

declare -A folders=(
  [mcap]=src/tools/tandem_bag/rust
  [iceoryx2]=src/transports/rmw_iceoryx2_cpp/rust
  [zenoh]=src/transports/rmw_zenoh_cpp/rust)
declare -A oldest=([mcap]=1.81 [iceoryx2]=1.89 [zenoh]=1.75) # Rust that the crates need

# A rustup of the user before Debian's.
[ ! -d "${CARGO_HOME:-$HOME/.cargo}/bin" ] || PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"
command -v cargo >/dev/null || fail "cargo is missing: install rustup, or 'apt-get install rustc-web cargo-web'"
version=$(rustc --version | cut -d' ' -f2) || fail "rustc is missing: install rustup, or 'apt-get install rustc-web'"
host=$(rustc --version --verbose | sed -n 's/^host: //p')
if [ $# -eq 0 ]; then set -- mcap iceoryx2 zenoh; fi
for name; do
  crate=${folders[$name]:-}
  [ -n "$crate" ] || fail "there is no crate $name; there are ${!folders[*]}"
  printf '%s\n' "${oldest[$name]}" "$version" | sort --version-sort --check=quiet ||
    fail "rustc $version is too old for $crate, ${oldest[$name]} is needed: install rustup, or 'apt-get install rustc-web cargo-web'"
  started=$(date +%s)
  manifest=(--manifest-path "$crate/Cargo.toml" --locked)
  if ! cargo fetch "${manifest[@]}" --target "$host" --offline --quiet 2>/dev/null; then
    echo "rust: fetching the crates of $crate"
    cargo fetch "${manifest[@]}" --target "$host" --quiet ||
      fail "crates.io cannot be reached, and ~/.cargo does not have all crates of $crate: try again with a network"
  fi
  is_new=no
  [ -e "build/rust/release/libtandem_$name.a" ] || is_new=yes
  [ "$is_new" = no ] || echo "rust: building $crate"
  cargo build "${manifest[@]}" --offline --release --quiet --target-dir build/rust ||
    fail "$crate cannot be built (see above)"
  [ "$is_new" = no ] || echo "rust: $crate took $(($(date +%s) - started)) s"
done
