#!/usr/bin/env bash
# Runs a suite of the laboratory; what it finds lies in log/lab. Arguments go to 'tandem lab run'.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
exec tandem lab run "$@"
