#!/usr/bin/env bash
# install-python.sh [LIST]: makes build/LIST, a virtual environment with the packages of scripts/packages/LIST.txt. Quick when
# all is there.
#   python   what tests compare with; sees Debian's Python packages too
#   jazzy    a stock ROS 2 that tests meet, alone in its environment; kilted: another, by hand
#   connext  RTI Connext, by scripts/connext.sh alone, who asks for the terms
# What cannot be had costs one line, which is also left in build/LIST-missing.txt for the tests that are skipped.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

name=${1:-python}
list="$TANDEM_ROOT/scripts/packages/$name.txt"
environment="$TANDEM_ROOT/build/$name"
installed="$environment/packages.txt"
missing="$environment-missing.txt"
[ -f "$list" ] || fail "there is no list ${list#"$TANDEM_ROOT"/}"
if cmp -s "$list" "$installed"; then exit 0; fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT

# without REASON: nothing half made is left.
without() {
  rm -rf "$environment"
  printf '%s\n' "$1" >"$missing"
  fail "build/$name cannot be made, what needs it is skipped: $1"
}

# What the user can do something about, in words; else pip's own last word.
reason() {
  if grep -q 'No space left on device' "$log"; then
    echo "no space is left for build/$name (300 MB)"
  elif grep -q 'ensurepip is not available\|No module named venv' "$log"; then
    echo 'this Python has no venv: install python3-venv'
  elif grep -q 'DO NOT MATCH THE HASHES' "$log"; then
    echo "a package has another hash than scripts/packages/$name.txt: $(sed -n 's/^ *\([^ ]*==[^ ]*\) from .*/\1/p' "$log" | head -n 1)"
  elif grep -q 'NewConnectionError\|ConnectTimeoutError\|ReadTimeoutError\|NameResolutionError\|ProxyError\|SSLError' "$log"; then
    echo 'the Python package index cannot be reached'
  elif grep -q 'No matching distribution found' "$log"; then
    echo "no package for $(uname -m) and $(/usr/bin/python3 --version): $(sed -n 's/.*No matching distribution found for \([^ ]*\).*/\1/p' "$log" | tail -n 1)"
  else
    sed -n 's/^ERROR: //p' "$log" | tail -n 1 | grep . || tail -n 1 "$log"
  fi
}

# A minimal system has certificates that pip does not look for.
certificates=/etc/ssl/certs/ca-certificates.crt
if [ -z "${PIP_CERT:-}" ] && [ -f "$certificates" ]; then export PIP_CERT="$certificates"; fi

case "$name" in
  jazzy | kilted) see=() ;;
  *) see=(--system-site-packages) ;;
esac

echo "making build/$name from ${list#"$TANDEM_ROOT"/}"
rm -rf "$environment" "$missing"
mkdir -p "$TANDEM_ROOT/build" || exit 1
# Nothing but the list is fetched, and no source is built.
if ! { /usr/bin/python3 -m venv "${see[@]}" "$environment" &&
  _ROS_WHEELS_BOOTSTRAP_COMPLETE=1 "$environment/bin/python" -m pip install --no-deps --only-binary :all: --require-hashes \
    --disable-pip-version-check --retries 3 -r "$list" &&
  cp "$list" "$installed"; } >"$log" 2>&1 </dev/null; then
  without "$(reason)"
fi
