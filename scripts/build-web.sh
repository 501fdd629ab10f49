#!/usr/bin/env bash
# Builds the page of `tandem view` into build/web, where its package looks for it. The first time takes seconds and needs npm and
# its registry, or its cache; afterwards a second, and no network.
# With --optional, as build.sh calls it, what is missing is said in one line and is no error.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

missing() {
  [ "$optional" = no ] || {
    echo "web: tandem view is left out of the build: $1"
    exit 0
  }
  fail "$1"
}
optional=no
[ "${1:-}" != --optional ] || optional=yes

web=src/tools/tandem_view/web
modules=build/web-modules # what npm installs stays out of the sources
page=build/web

sources() { find "$web" scripts/build-web.sh -type f -newer "$page/index.html"; }
if [ -e "$page/index.html" ] && [ -z "$(sources)" ]; then
  exit 0
fi
command -v npm >/dev/null || missing "npm is missing; 'make web' installs it and builds the page"
mkdir -p "$modules"
if ! cmp --quiet "$web/package-lock.json" "$modules/package-lock.json" || [ ! -d "$modules/node_modules" ]; then
  echo "web: fetching $(grep -c '"integrity"' "$web/package-lock.json") packages of npm"
  rm -rf "$modules"
  mkdir -p "$modules"
  cp "$web/package.json" "$modules"
  cp "$web/package-lock.json" "$modules"
  # Scripts of packages are not run: esbuild comes as a program.
  if ! (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error \
    --fetch-retries=1 --fetch-timeout=10000) >"$modules/npm.log" 2>&1; then
    grep -m 3 '^npm error' "$modules/npm.log" || tail -n 3 "$modules/npm.log"
    rm -rf "$modules"
    missing "npm's registry cannot be reached, or refuses (see above); 'make web' tries again"
  fi
fi

export NODE_PATH="$TANDEM_ROOT/$modules/node_modules"
new=$(mktemp -d build/web.XXXXXX)
trap 'rm -rf "$new"' EXIT
"$modules/node_modules/.bin/esbuild" "$web/src/main.jsx" --bundle --minify --format=iife --target=es2022 \
  --jsx=automatic --jsx-import-source=preact --legal-comments=none --outfile="$new/app.js" --log-level=warning
install --mode=644 "$web/index.html" "$web/icon.svg" "$new"
{
  echo "The page of tandem view is part of Tandem (Apache-2.0) and holds these packages:"
  for package in preact uplot; do
    printf '\n==== %s %s ====\n\n' "$package" "$(node -p "require('$package/package.json').version")"
    cat "$NODE_PATH/$package"/LICENSE*
  done
} >"$new/licences.txt"
chmod 755 "$new"
rm -rf "$page"
mv "$new" "$page"
trap - EXIT
echo "web: $(du -bc "$page"/* | tail -n 1 | cut -f 1) bytes in $page"
