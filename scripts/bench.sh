#!/usr/bin/env bash
# Runs the benchmarks: a table on the terminal, and JSON in log/bench/latest.json. Arguments go to the benchmark.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
mkdir -p "$TANDEM_ROOT/log/bench"
exec ros2 run tandem_benchmark bench --output "$TANDEM_ROOT/log/bench/latest.json" "$@"
