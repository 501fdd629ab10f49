#!/usr/bin/env bash
# The long tests; see torture.py. Needs a build. Arguments: --list, --resume, --time-limit MINUTES, PART...
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
exec /usr/bin/python3 -B "$TANDEM_ROOT/scripts/testing/torture.py" "$@"
