#!/usr/bin/env bash
# Formatting, static checks and house rules. Every check runs; fails when one of them does.
# Checks can be chosen: scripts/lint.sh format rules
set -uo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT" || exit 1

readonly skipped=77 # what a check returns

# needs PROGRAM: other versions say other things, so that a release of Debian without this one skips the check.
needs() {
  command -v "$1" >/dev/null || {
    echo "$1 is missing; Debian 12 has it"
    return $skipped
  }
}

check_format() {
  needs clang-format-14 || return
  scripts/format.sh --check
}

check_shell() {
  git ls-files -z --cached --others --exclude-standard -- '*.sh' .ci/run | xargs -0 shellcheck -x
}

check_python() { git ls-files -z --cached --others --exclude-standard -- '*.py' | xargs -0 /usr/bin/python3 -m flake8; }

check_rules() { /usr/bin/python3 scripts/check_rules.py; }

# Who may use whom: the layers.txt of src and of the folders in it.
check_layers() { /usr/bin/python3 scripts/check_layers.py; }

# The sources of libraries and tools; tests, fixtures and generated code are left out. Needs compile commands and generated
# headers, so it builds first; that is quick when 'make test' has run or follows.
check_tidy() {
  needs run-clang-tidy-14 || return
  scripts/build.sh tests --continue-on-error >log/lint-build.log 2>&1 || {
    tail -n 60 log/lint-build.log
    return 1
  }
  /usr/bin/python3 scripts/tidy_commands.py log/tidy build/compile_commands.json \
    build/rmw_tests/stock*/compile_commands.json
  run-clang-tidy-14 -quiet -j 2 -p log/tidy -extra-arg=-Wno-unknown-warning-option -extra-arg=-Wthread-safety \
    >log/tidy.log 2>&1 || {
    grep -E -A 4 '(error|warning): ' log/tidy.log || tail -n 40 log/tidy.log
    return 1
  }
}

# Of the library that the check before has built.
check_code() { /usr/bin/python3 scripts/check_machine_code.py; }

# The pages of docs/reference that are made of the sources and of what the programs say.
check_pages() { /usr/bin/python3 scripts/make_reference.py --check; }

checks=(format shell python rules layers tidy code pages)
[ $# -eq 0 ] || checks=("$@")
mkdir -p log
failed=()
for check in "${checks[@]}"; do
  started=$(date +%s)
  printf '%-8s' "$check"
  result=0
  "check_$check" >"log/lint-$check.log" 2>&1 || result=$?
  if [ $result -eq 0 ]; then
    printf 'ok      %4d s\n' "$(($(date +%s) - started))"
  elif [ $result -eq $skipped ]; then
    printf 'skipped: %s\n' "$(cat "log/lint-$check.log")"
  else
    printf 'FAILED  %4d s\n' "$(($(date +%s) - started))"
    head -n 80 "log/lint-$check.log"
    failed+=("$check")
  fi
done
[ "${#failed[@]}" -eq 0 ] || fail "lint failed: ${failed[*]} (whole output in log/lint-*.log; 'make format' formats)"
echo 'lint: all is well'
