#!/usr/bin/env bash
# Formats the C++ sources in place, and renews what documents quote or list of them; with --check only says what is not
# formatted.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"

mode=(-i)
[ "${1:-}" = --check ] && mode=(--dry-run -Werror --ferror-limit=1)
command -v clang-format-14 >/dev/null || fail "clang-format-14 is missing: other versions format otherwise; Debian 12 has it"
# Fixtures under test/tutorial are printed elsewhere and kept byte for byte.
git ls-files -z --cached --others --exclude-standard -- '*.hpp' '*.h' '*.cpp' '*.cc' '*.c' '*.inl' \
  ':!:*/test/tutorial/*' ':!:third_party/*' |
  xargs -0 --no-run-if-empty -n 20 -P 2 clang-format-14 "${mode[@]}"

# Documents follow the sources that they quote whole, draw or list.
if [ "${1:-}" != --check ]; then
  /usr/bin/python3 scripts/check_rules.py --renew-quotes
  /usr/bin/python3 scripts/check_layers.py --draw
  /usr/bin/python3 scripts/make_reference.py
fi
