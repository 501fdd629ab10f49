#!/usr/bin/env bash
# The long versions of the stress tests: the core's torture label, and 100 random kills over talker and listeners.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
source_install
cd "$TANDEM_ROOT"
status=0
ctest --test-dir build/tandem_core -L torture --no-tests=ignore --output-on-failure --timeout 3600 || status=1
TANDEM_STORM_KILLS=100 ctest --test-dir build/hbmem_pubsub -R kill_storm --no-tests=error --output-on-failure \
  --timeout 3600 || status=1
exit $status
