#!/usr/bin/env bash
# connext.sh [terms]: RTI Connext as a peer on the wire and in the laboratory, for who accepts RTI's terms: installs RTI's
# Connector into build/connext and runs the tests that meet it. With 'terms' it only looks whether they are accepted.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

if [ "${1:-}" = terms ]; then
  echo "RTI Connector comes under RTI's Software License for Non-Commercial Use #4040:" \
    'https://github.com/rticommunity/rticonnextdds-connector-py, LICENSE.pdf'
  [ "${ACCEPT_RTI_LICENSE:-}" = yes ] ||
    fail "read these terms; who accepts them runs 'make connext ACCEPT_RTI_LICENSE=yes'. Nothing was changed"
  exit 0
fi
[ "${ACCEPT_RTI_LICENSE:-}" = yes ] || fail "RTI's terms are not accepted: see 'make connext'"

scripts/install-python.sh connext
# Without PyPI's cyclonedds what is compared with it is skipped, and says so.
scripts/install-python.sh || true

# The tests of the wire alone, in a folder of their own, on what is built.
source_install
tests=build/connext-tests
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! { cmake -S src/transports/wire_tests -B "$tests" -DBUILD_TESTING=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  "-DCMAKE_INSTALL_PREFIX=$TANDEM_ROOT/install" && cmake --build "$tests" --parallel 2; } >"$log" 2>&1 </dev/null; then
  tail -n 15 "$log" >&2
  fail 'the tests with RTI Connext could not be built (see above)'
fi
echo 'running the tests with RTI Connext'
result=0
ctest --test-dir "$tests" -R '^test_connext$' --no-tests=error --output-on-failure || result=1
grep -E '^(SKIPPED|=+ .*(passed|failed|skipped).* =+$)' "$tests/test_connext.txt" || true

echo "The laboratory has it as 'connext-connector': 'make lab', or 'tandem lab run delay-study'. Its figures are yours to keep:"
echo 'see docs/guide/network.md before you publish them.'
exit $result
