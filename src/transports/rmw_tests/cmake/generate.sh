#!/usr/bin/env bash
# generate.sh PACKAGE OUT FOLDER:FILE...: ROS 2's C and C++ of interfaces, with introspection, into OUT.
# The two introspections call their files the same, so each gets a name of its own.
set -euo pipefail
package=$1 out=$2
shift 2
export PYENV_VERSION=system PYTHONDONTWRITEBYTECODE=1
quiet() { "$@" >"$out.log" 2>&1 || { cat "$out.log" >&2; return 1; }; }

mkdir -p "$out"
for target in "-t c" "-t cpp" "-ts introspection_c" "-ts introspection_cpp"; do
  # shellcheck disable=SC2086
  quiet /usr/bin/rosidl generate -o "$out" $target "$package" "$@"
  for made in "$out"/*/detail/*__type_support.c "$out"/*/detail/*__type_support.cpp; do
    [ -e "$made" ] || continue
    base=${made%__type_support.*}
    mv "$made" "${base}__introspection_${made##*__type_support.}.${made##*.}"
  done
done
