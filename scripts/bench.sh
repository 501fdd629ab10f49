#!/usr/bin/env bash
# Runs the benchmarks: a table on the terminal, and JSON in log/bench/latest.json; then, without arguments, what including
# headers costs, in log/bench/include.json. Arguments go to the benchmark.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
mkdir -p "$TANDEM_ROOT/log/bench"
ros2 run tandem_benchmark bench --output "$TANDEM_ROOT/log/bench/latest.json" "$@"
if [ $# -eq 0 ]; then
  echo
  exec "$TANDEM_ROOT/scripts/bench_include.py" --output "$TANDEM_ROOT/log/bench/include.json"
fi
