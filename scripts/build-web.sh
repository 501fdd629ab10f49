#!/usr/bin/env bash
# Builds the page of `tandem view` into build/web, where its package looks for it. The first time needs npm and its registry, or
# its cache; afterwards a second, and no network.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

web=src/tools/tandem_view/web
modules=build/web-modules # what npm installs stays out of the sources
page=build/web

command -v npm >/dev/null || fail "npm is missing: apt-get install npm"
mkdir -p "$modules"
if ! cmp --quiet "$web/package-lock.json" "$modules/package-lock.json" || [ ! -d "$modules/node_modules" ]; then
  echo "web: fetching $(grep -c '"integrity"' "$web/package-lock.json") packages of npm"
  rm -rf "$modules"
  mkdir -p "$modules"
  cp "$web/package.json" "$modules"
  cp "$web/package-lock.json" "$modules"
  # Scripts of packages are not run: esbuild comes as a program.
  (cd "$modules" && npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error) || {
    rm -rf "$modules"
    fail "npm's registry cannot be reached, or refuses (see above): try again with a network"
  }
fi

export NODE_PATH="$TANDEM_ROOT/$modules/node_modules"
new=$(mktemp -d build/web.XXXXXX)
trap 'rm -rf "$new"' EXIT
"$modules/node_modules/.bin/esbuild" "$web/src/main.jsx" --bundle --minify --format=iife --target=es2022 \
  --jsx=automatic --jsx-import-source=preact --legal-comments=none --outfile="$new/app.js" --log-level=warning
cp "$web/index.html" "$web/icon.svg" "$new"
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
