#!/usr/bin/env bash
# run.sh FOLDER PYTEST_ARGUMENT...: runs the tests of a folder with no network but their own. Where WIRE_PEERS names a folder,
# the peer on ros2-client is built into it first.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
if [ -n "${WIRE_PEERS:-}" ]; then "$here/../peer/build.sh" "$WIRE_PEERS" || [ $? -eq 77 ]; fi
# Made by scripts/install-python.sh; without it what needs it is skipped, and says so.
python=$root/build/python/bin/python
[ -x "$python" ] || python=/usr/bin/python3
exec "$root/scripts/isolated.sh" "$python" -B -m pytest -rs -p no:cacheprovider "$@"
