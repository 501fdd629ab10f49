#!/usr/bin/env bash
# Fuzzes one target with clang's libFuzzer: run.sh TARGET BUILD_FOLDER SECONDS. The inputs found are kept in
# BUILD_FOLDER/corpus/TARGET and used the next time; one that breaks a promise is left in BUILD_FOLDER/crash-TARGET-*.
set -euo pipefail
target=$1 build=$2 seconds=$3
here=$(cd "$(dirname "$0")" && pwd)

# Debian 12's, or the one that is there.
compiler=$(command -v clang++-14 || command -v clang++) || {
  echo "clang++ is missing: install the packages of scripts/packages/torture.txt" >&2
  exit 1
}
mkdir -p "$build/corpus/$target"
(
  flock 9
  [ -f "$build/build.ninja" ] || cmake -S "$here/libfuzzer" -B "$build" -G Ninja -DCMAKE_CXX_COMPILER="$compiler"
  cmake --build "$build" --target "fuzz_$target"
) 9>"$build/lock"

shm=$(mktemp -d /dev/shm/tandem_fuzz_XXXXXX)
trap 'rm -rf "$shm"' EXIT
status=0
TANDEM_SHM_DIR=$shm TANDEM_REGION_SIZE=256 "$build/fuzz_$target" -max_total_time="$seconds" -max_len=2000 -len_control=0 -timeout=20 \
  -rss_limit_mb=4096 -use_value_profile=1 -print_final_stats=1 -artifact_prefix="$build/crash-$target-" \
  "$build/corpus/$target" "$here/corpus/$target" 2>&1 | tee "$build/$target.log" || status=1
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$build/$target.log")
covered=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$build/$target.log" | tail -n 1)
echo "figures: $target: ${runs:-0} inputs in $seconds s, ${covered:-0} edges reached"
exit $status
