#!/usr/bin/env bash
# Builds the whole workspace, merged, into install/. Further arguments go to colcon build.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

# One package at a time, each on all cores: the packages form a chain, and this bounds the memory.
mkdir -p log
colcon build --merge-install --executor sequential --base-paths src "$@" \
  --cmake-args --no-warn-unused-cli -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_EXPORT_COMPILE_COMMANDS=ON </dev/null
