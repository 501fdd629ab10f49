#!/usr/bin/env bash
# missing.sh DISTRIBUTION: says why there is no stock ROS 2, and that what needs it is skipped.
set -euo pipefail
reason="$(dirname "$0")/../../../build/$1-missing.txt"
echo "NOTHING IS TESTED with stock ROS 2 $1: $(cat "$reason" 2>/dev/null || echo "run scripts/install-python.sh $1, then build")"
exit 77
