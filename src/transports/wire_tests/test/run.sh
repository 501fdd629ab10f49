#!/usr/bin/env bash
# run.sh PEERS PYTEST_ARGUMENT...: builds the peer on ros2-client into PEERS, then runs the tests with no network but
# their own.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
export WIRE_PEERS=$1
shift
"$here/../peer/build.sh" "$WIRE_PEERS" || [ $? -eq 77 ]
# Made by scripts/install-python.sh; without it what needs it is skipped, and says so.
python=$root/build/python/bin/python
[ -x "$python" ] || python=/usr/bin/python3
exec "$root/scripts/isolated.sh" "$python" -B -m pytest -rs -p no:cacheprovider "$here" "$@"
