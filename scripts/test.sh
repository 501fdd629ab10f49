#!/usr/bin/env bash
# Builds everything and runs every test: the packages', the core's under sanitizers and for arm64, the installation.
# A failed stage does not keep the following ones from running. The last line is 'N passed, N failed'.
# Stages can be chosen: scripts/test.sh build packages
set -uo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT" || exit 1

readonly logs=log/test
readonly test_timeout=300  # seconds, for a test that sets none itself
readonly core_parallel=3   # of the core's test programs: they wait more than they work
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs"/*.started "$logs/stages.tsv" "$logs/summary.txt"

# stage NAME COMMAND...: runs it with its output on the terminal and in a log, and notes its time and result.
stage() {
  local name=$1 started result=0
  shift
  printf '\n=== %s ===\n' "$name"
  touch "$logs/$name.started"
  started=$(date +%s)
  "$@" 2>&1 </dev/null | tee "$logs/$name.log" || result=1
  printf '%s\t%s\t%s\n' "$name" "$(($(date +%s) - started))" "$result" >>"$logs/stages.tsv"
}

# The scripts themselves: what fails must not be counted as a pass.
test_house() {
  mkdir -p build/house/test_results
  /usr/bin/python3 -B -m pytest -q -p no:cacheprovider scripts/test --junit-xml=build/house/test_results/house.xml
}

# colcon_test PARALLEL ARGUMENT...: the tests of the packages that the arguments choose, so many of each at a time.
colcon_test() {
  local parallel=$1
  shift
  colcon test --merge-install --executor sequential --base-paths src --return-code-on-test-failure "$@" \
    --ctest-args -j "$parallel" --timeout "$test_timeout" -LE torture
}

# One test at a time, because they measure, kill and fill memory; the result files tell what failed, see test_report.py.
# Those of the core have a folder each.
test_packages() {
  local result=0
  colcon_test "$core_parallel" --packages-select tandem_core || result=1
  colcon_test 1 --packages-skip tandem_core || result=1
  return $result
}

# build_core PRESET: the core and its tests as src/core/CMakePresets.json says, in build/core-PRESET.
build_core() {
  (cd src/core && cmake --preset "$1") >"$logs/core-$1.configure" || {
    cat "$logs/core-$1.configure"
    return 1
  }
  cmake --build "build/core-$1" --parallel 2 -- --quiet
}

test_core() {
  local build=build/core-$1
  build_core "$1" || return 1
  ctest --test-dir "$build" -LE torture --parallel "$core_parallel" --timeout "$((test_timeout * 2))" --no-tests=error \
    --output-on-failure --output-junit "$TANDEM_ROOT/$build/ctest.xml"
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
    --cmake-args --no-warn-unused-cli "-DBUILD_TESTING=$testing" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
    '-DCMAKE_CXX_FLAGS=-fsanitize=thread -fno-omit-frame-pointer' '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DNDEBUG'
}

# For the client's tests: what they test, and what that runs on.
build_client() {
  local tested=(rclcpp rclcpp_action rclcpp_components rclcpp_lifecycle tandem_shared_memory transport_conformance)
  sanitized_build OFF --packages-up-to "${tested[@]}" --packages-skip "${tested[@]}" || return 1
  sanitized_build ON --packages-select "${tested[@]}"
}

# Builds for the stages behind the packages' tests, which mostly wait: a processor that has nothing else to do compiles. Each
# stage builds what is left. What fails here fails there, too.
build_ahead() {
  for preset in asan tsan arm64; do
    if wanted "core-$preset"; then build_core "$preset"; fi
  done
  if wanted client-tsan; then build_client; fi
}
ahead=
start_ahead() {
  set -m # a process group, so that all of it can be stopped
  {
    chrt --idle --pid 0 "$BASHPID"
    build_ahead
  } >"$logs/ahead.log" 2>&1 </dev/null &
  ahead=$!
  set +m
}
stop_ahead() {
  [ -n "$ahead" ] || return 0
  kill -- "-$ahead" 2>/dev/null
  wait "$ahead" 2>/dev/null
  ahead=
}
trap stop_ahead EXIT

# sanitized_test PACKAGE ARGUMENT...: the tests of a package that the arguments choose.
sanitized_test() {
  local build=build/client-tsan/$1
  shift
  # One test ends with SIGSEGV, as it should; the sanitizer's handler would make an exit status of it.
  TSAN_OPTIONS=handle_segv=0 ctest --test-dir "$build" "$@" -LE torture --parallel 2 --timeout "$((test_timeout * 2))" \
    --no-tests=error --output-on-failure --output-junit "$TANDEM_ROOT/$build/ctest.xml"
}

# The client libraries and the default transport under the thread sanitizer. All that they run on is instrumented too, else the
# sanitizer would not see that the core orders the accesses to messages.
test_client_tsan() {
  local result=0
  build_client || return 1
  set +u
  # shellcheck source=/dev/null
  source build/client-tsan/install/local_setup.bash
  set -u
  sanitized_test rclcpp -E _over_ || result=1
  sanitized_test rclcpp_action -E _over_ || result=1
  sanitized_test rclcpp_lifecycle -E _over_ || result=1
  # Without the test that replaces malloc, as the sanitizer does, and the one that reads from hundreds of processes in turn.
  sanitized_test tandem_shared_memory -E 'steady_state|fuzz' || result=1
  sanitized_test transport_conformance -R '_rmw_tandem_cpp$' || result=1
  return "$result"
}

# Which stages run: all, or those named on the command line.
wanted() {
  [ "${#chosen[@]}" -eq 0 ] || [[ " ${chosen[*]} " == *" $1 "* ]]
}
chosen=("$@")

printf '%s cores, %s of memory, %s in /dev/shm\n' "$(nproc)" "$(free -h | awk '/^Mem/ {print $2}')" \
  "$(df -h --output=size /dev/shm | tail -n 1 | tr -d ' ')"
wanted house && stage house test_house
wanted build && stage build scripts/build.sh tests --continue-on-error --event-handlers console_direct- console_stderr+
if wanted packages; then
  start_ahead
  stage packages test_packages
  stop_ahead
fi
for preset in asan tsan arm64; do
  wanted "core-$preset" && stage "core-$preset" test_core "$preset"
done
wanted client-tsan && stage client-tsan test_client_tsan
wanted install && stage install scripts/test-install.sh

/usr/bin/python3 scripts/test_report.py "$logs"
