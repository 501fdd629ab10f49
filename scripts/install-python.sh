#!/usr/bin/env bash
# Makes build/python, a virtual environment with the packages of scripts/packages/python.txt, which tests compare with.
# Quick when all is there.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

list="$TANDEM_ROOT/scripts/packages/python.txt"
environment="$TANDEM_ROOT/build/python"
installed="$environment/packages.txt"
cmp -s "$list" "$installed" && exit 0

# A minimal system has certificates that pip does not look for.
certificates=/etc/ssl/certs/ca-certificates.crt
if [ -z "${PIP_CERT:-}" ] && [ -f "$certificates" ]; then export PIP_CERT="$certificates"; fi

echo "making build/python from ${list#"$TANDEM_ROOT"/}"
rm -rf "$environment"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The environment sees Debian's Python packages too, so nothing but the list is fetched.
if ! { /usr/bin/python3 -m venv --system-site-packages "$environment" &&
  "$environment/bin/python" -m pip install --no-deps --require-hashes --disable-pip-version-check --retries 5 \
    -r "$list"; } >"$log" 2>&1 </dev/null; then
  tail -n 15 "$log" >&2
  fail "could not install the Python packages of ${list#"$TANDEM_ROOT"/} (see above)"
fi
cp "$list" "$installed"
