#!/usr/bin/env bash
# Builds everything and runs every test: the packages', the core's under sanitizers and for arm64, the installation.
# A failed stage does not keep the following ones from running. The last line is 'N passed, N failed'.
# Stages can be chosen: scripts/test.sh build packages
set -uo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT" || exit 1

readonly logs=log/test
readonly all=(house build packages core-asan core-tsan core-arm64 client-tsan install)
chosen=("$@")
[ $# -gt 0 ] || chosen=("${all[@]}")
for name in "${chosen[@]}"; do
  [[ " ${all[*]} " == *" $name "* ]] || fail "there is no stage $name; there are ${all[*]}"
done
mkdir -p "$logs"
rm -rf "$logs"/*.log "$logs"/*.started "$logs"/{tests,stages.tsv,summary.txt,house.xml}

wanted() { [[ " ${chosen[*]} " == *" $1 "* ]]; }

# stage NAME COMMAND...: runs it with its output on the terminal and in a log, and notes its times and result.
stage() {
  local name=$1 result=0 TIMEFORMAT='%R %U %S' elapsed user system
  shift
  printf '\n=== %s ===\n' "$name"
  touch "$logs/$name.started"
  { time "$@" 2>&1 </dev/null; } 2>"$logs/$name.time" | tee "$logs/$name.log" || result=1
  read -r elapsed user system <"$logs/$name.time"
  printf '%s\t%s\t%s\t%s\n' "$name" "$elapsed" "$(awk "BEGIN { print $user + $system }")" "$result" >>"$logs/stages.tsv"
}

# The scripts themselves: what fails must not be counted as a pass.
test_house() {
  /usr/bin/python3 -B -m pytest -q -p no:cacheprovider scripts/test --junit-xml="$logs/house.xml"
}

# Packages with their tests, and what these meet.
build_tests() {
  # Without cargo or crates.io the tests with ros2-client are skipped, and say so.
  src/transports/wire_tests/peer/build.sh build/wire_tests/peers || true
  scripts/build.sh tests --continue-on-error --event-handlers console_direct- console_stderr+
}

# build_core PRESET: the core and its tests as src/core/CMakePresets.json says, in build/core-PRESET.
build_core() {
  (cd src/core && cmake --preset "$1") >"$logs/core-$1.configure" || {
    cat "$logs/core-$1.configure"
    return 1
  }
  cmake --build "build/core-$1" --parallel "$(nproc)" -- --quiet
}

# sanitized_build BUILD_TESTING ARGUMENT...: for the thread sanitizer, in folders of its own, the packages that the
# arguments choose. The other transports serve tests that this stage leaves out.
sanitized_build() {
  local testing=$1 base=build/client-tsan
  local others=(connextdds cyclonedds_cpp fastrtps_cpp iceoryx_cpp iceoryx2_cpp opensplice_cpp zenoh_cpp zeromq_cpp)
  shift
  colcon build --merge-install --executor parallel --parallel-workers 2 --build-base $base --install-base $base/install \
    --event-handlers console_direct- console_stderr+ --base-paths src "$@" \
    --packages-ignore "${others[@]/#/rmw_}" \
    --cmake-args --no-warn-unused-cli "-DBUILD_TESTING=$testing" -DCMAKE_UNITY_BUILD=ON -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    '-DCMAKE_CXX_FLAGS=-fsanitize=thread -fno-omit-frame-pointer' '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG'
}

# The client libraries and the default transport under the thread sanitizer. All that they run on is instrumented too, else the
# sanitizer would not see that the core orders the accesses to messages.
build_client() {
  local tested=(rclcpp rclcpp_action rclcpp_components rclcpp_lifecycle tandem_shared_memory transport_conformance)
  sanitized_build OFF --packages-up-to "${tested[@]}" --packages-skip "${tested[@]}" || return 1
  sanitized_build ON --packages-select "${tested[@]}"
}

# What the sanitizers' and arm64's groups of tests need.
build_groups() {
  local group result=0
  for group; do
    case "$group" in
      core-*) build_core "${group#core-}" || result=1 ;;
      client-tsan) build_client || result=1 ;;
    esac
  done
  return $result
}

# Also when a stage is interrupted: what was run is counted.
finish() {
  /usr/bin/python3 -B scripts/testing/report.py "$logs"
  exit $?
}
trap finish EXIT

printf '%s cores, %s of memory, %s in /dev/shm\n' "$(nproc)" "$(free -h | awk '/^Mem/ {print $2}')" \
  "$(df -h --output=size /dev/shm | tail -n 1 | tr -d ' ')"
wanted house && stage house test_house
wanted build && stage build build_tests
groups=()
for name in packages core-asan core-tsan core-arm64 client-tsan; do
  if wanted "$name"; then groups+=("$name"); fi
done
if [ "${#groups[@]}" -gt 0 ]; then
  stage build-groups build_groups "${groups[@]}"
  # All at once: a test that waits costs nothing beside others that work.
  stage tests /usr/bin/python3 -B scripts/testing/run.py "${groups[@]}"
fi
wanted install && stage install scripts/test-install.sh
