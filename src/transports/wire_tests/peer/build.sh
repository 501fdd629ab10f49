#!/usr/bin/env bash
# build.sh OUT: the node on ros2-client for each width of Gids, OUT/wire_peer_jazzy and OUT/wire_peer_humble. Quick when
# nothing has changed. Exits with 77, which is ctest's "skipped", where it cannot be built: no cargo, or no crates.io.
set -euo pipefail

out=$1
manifest=$(cd "$(dirname "$0")" && pwd)/Cargo.toml
PATH="${CARGO_HOME:-$HOME/.cargo}/bin:$PATH"

skip() {
  echo "wire_peer is not built: $*. NOTHING WILL BE EXCHANGED WITH ros2-client" >&2
  exit 77
}

command -v cargo >/dev/null || skip 'there is no cargo (rustup, or the Debian packages cargo-web and rustc-web)'
version=$(rustc --version | cut -d ' ' -f 2)
[ "$(printf '1.88\n%s\n' "$version" | sort -V | head -n 1)" = 1.88 ] || skip "rustc is $version, ros2-client needs 1.88"
cargo fetch --quiet --locked --manifest-path "$manifest" --target "$(rustc -vV | sed -n 's/^host: //p')" ||
  skip 'crates.io cannot be reached (see above)'

mkdir -p "$out"
for distribution in jazzy humble; do
  cargo build --release --offline --locked --quiet --jobs 2 --manifest-path "$manifest" --target-dir "$out/cargo" \
    --no-default-features --features "$distribution"
  cp -f "$out/cargo/release/wire_peer" "$out/wire_peer_$distribution"
done
