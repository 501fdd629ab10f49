#!/usr/bin/env bash
# Builds the whole workspace, merged, into install/. Further arguments go to colcon build.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

# Two packages at a time: one is configured while the other compiles. Backtraces name files and lines; all that -g knows
# takes a third longer to compile.
mkdir -p log
colcon build --merge-install --executor parallel --parallel-workers 2 --base-paths src "$@" \
  --cmake-args --no-warn-unused-cli -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG' '-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG' </dev/null
