#!/usr/bin/env bash
# run.sh PYTEST_ARGUMENT...: runs tests with no network but their own.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../../.." && pwd)
# Made by scripts/install-python.sh; without it what needs it is skipped, and says so.
python=$root/build/python/bin/python
[ -x "$python" ] || python=/usr/bin/python3
exec "$root/scripts/isolated.sh" "$python" -B -m pytest -rs -p no:cacheprovider "$@"
