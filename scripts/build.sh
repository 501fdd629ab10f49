#!/usr/bin/env bash
# Builds the workspace, merged, into install/: build.sh [demo|tests] [ARGUMENT...]; the arguments go to colcon build.
# 'demo' builds only what the demo needs; 'tests' the tests too, from then on.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"
cd "$TANDEM_ROOT"
mkdir -p build log

sources=(src)
rust=yes
case "${1:-}" in
  demo)
    # colcon would want the packages for which only tests ask, if it found them.
    sources=(src/core src/interfaces/{tandem_{messages,type_support},rosidl_{generator_tandem,typesupport_cpp,default_generators,default_runtime}}
      src/interfaces/{builtin_interfaces,rcl_interfaces,rosgraph_msgs,service_msgs,statistics_msgs,type_description_interfaces}
      src/transports/{tandem_transport,tandem_shared_memory} src/client/rclcpp
      src/tools/{tandem_measure,performance_test})
    rust=no
    shift
    ;;
  tests)
    touch build/with-tests
    shift
    ;;
esac
[ "${sources[*]}" != src ] || scripts/build-web.sh --optional
testing=OFF
if [ -e build/with-tests ]; then testing=ON; fi

# Sources of a target are compiled several at once: a third of the time, most of which goes into their common headers.
# A source's own classes then look to the compiler as if they stood in a header.
options=("-DBUILD_TESTING=$testing" -DCMAKE_UNITY_BUILD=ON -DCMAKE_CXX_FLAGS=-Wno-subobject-linkage)
if [ -n "${TANDEM_C_MESSAGES:-}" ]; then options+=("-DTANDEM_C_MESSAGES=$TANDEM_C_MESSAGES"); fi

# What `ros2 bag` reads and writes MCAP with. The other Rust parts are built on demand, by `make rust`.
if [ "$rust" = yes ]; then
  scripts/build-rust.sh mcap || echo "build: 'ros2 bag' will be without MCAP (see above)" >&2
fi

# Two packages at a time: one is configured while the other compiles. By itself colcon would limit each by the machine's load,
# so that one that is left alone used one processor. Backtraces name files and lines; all that -g knows takes a third
# longer to compile.
jobs=$(($(nproc) / 2 + 1))
export MAKEFLAGS=-j$jobs CMAKE_BUILD_PARALLEL_LEVEL=$jobs
colcon build --merge-install --executor parallel --parallel-workers 2 --base-paths "${sources[@]}" "$@" \
  --cmake-args --no-warn-unused-cli "${options[@]}" -DCMAKE_BUILD_TYPE=RelWithDebInfo \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
  '-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG' '-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2 -g1 -DNDEBUG' </dev/null
