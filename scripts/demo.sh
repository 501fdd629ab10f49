#!/usr/bin/env bash
# 4 MiB messages at 100 Hz between two processes, ordinary and zero-copy, and the comparison of both.
# Further arguments go to the demo (default: --seconds 10).
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
[ $# -gt 0 ] || set -- --seconds 10
exec "$TANDEM_ROOT/install/lib/performance_test/demo" "$@"
