#!/usr/bin/env bash
# Copies the built workspace to a prefix: install.sh PREFIX. What lies there of an earlier installation is replaced.
# The prefix may be moved afterwards: setup.bash and local_setup.bash find out where they are.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

if [ $# -ne 1 ] || [ -z "$1" ]; then fail "usage: make install PREFIX=/opt/tandem"; fi
prefix=$(realpath -m "$1")
built="$TANDEM_ROOT/install"
[ -f "$built/local_setup.bash" ] || fail "nothing is built yet: run 'make build' first"
[ "$prefix" != "$built" ] || fail "PREFIX=$1 is the build's own folder; choose another"
if [ -d "$prefix" ] && [ -n "$(ls -A "$prefix")" ] && [ ! -f "$prefix/share/tandem_core/package.xml" ]; then
  fail "PREFIX=$1 is not empty and holds no earlier installation; choose another folder"
fi
mkdir -p "$prefix" 2>/dev/null || fail "cannot create $prefix: run 'make install' as root or choose another PREFIX"
[ -w "$prefix" ] || fail "cannot write to $prefix: run 'make install' as root or choose another PREFIX"

find "$prefix" -mindepth 1 -delete
cp -a "$built/." "$prefix/"
# Plain sh cannot tell where a sourced script lies, so colcon writes the place into these files.
grep -rlIF --null "$built" "$prefix" | xargs -0 --no-run-if-empty sed -i "s|$built|$prefix|g"
echo "installed to $prefix; use it with: source $prefix/setup.bash"
