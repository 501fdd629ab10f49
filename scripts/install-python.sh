#!/usr/bin/env bash
# install-python.sh [NAME]: makes build/NAME, a virtual environment with the packages of scripts/packages/NAME.txt. NAME is
# 'python', which tests compare with, when it is not given. Quick when all is there.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

name=${1:-python}
list="$TANDEM_ROOT/scripts/packages/$name.txt"
environment="$TANDEM_ROOT/build/$name"
installed="$environment/packages.txt"
[ -f "$list" ] || fail "there is no list ${list#"$TANDEM_ROOT"/}"
cmp -s "$list" "$installed" && exit 0

# A minimal system has certificates that pip does not look for.
certificates=/etc/ssl/certs/ca-certificates.crt
if [ -z "${PIP_CERT:-}" ] && [ -f "$certificates" ]; then export PIP_CERT="$certificates"; fi

echo "making build/$name from ${list#"$TANDEM_ROOT"/}"
rm -rf "$environment"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The environment sees Debian's Python packages too, so nothing but the list is fetched.
if ! { /usr/bin/python3 -m venv --system-site-packages "$environment" &&
  "$environment/bin/python" -m pip install --no-deps --require-hashes --disable-pip-version-check --retries 5 \
    -r "$list"; } >"$log" 2>&1 </dev/null; then
  tail -n 15 "$log" >&2
  rm -rf "$environment"
  fail "could not install the Python packages of ${list#"$TANDEM_ROOT"/} (see above)"
fi
cp "$list" "$installed"
