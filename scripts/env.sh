# Sourced by every script here: one environment for building and testing, wherever it is called from.
# shellcheck shell=bash
TANDEM_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TANDEM_ROOT

# Debian's Python has the ament and rosidl modules; a pyenv Python would shadow it.
export PYENV_VERSION=system
export PYTHONDONTWRITEBYTECODE=1
case ":$PATH:" in
  *:/usr/bin:*) ;;
  *) export PATH="/usr/bin:$PATH" ;;
esac

export CMAKE_GENERATOR=Ninja
export CMAKE_C_COMPILER_LAUNCHER=ccache
export CMAKE_CXX_COMPILER_LAUNCHER="$TANDEM_ROOT/scripts/compiler-launcher.sh"
# A clone elsewhere then hits the same cache.
export CCACHE_BASEDIR="$TANDEM_ROOT"
export CCACHE_NOHASHDIR=1
# What ccache needs, with -fpch-preprocess where they are, to know a precompiled header again.
export CCACHE_SLOPPINESS=pch_defines,time_macros

# A prefix sourced earlier must not leak into the build and the tests of this one.
unset AMENT_PREFIX_PATH CMAKE_PREFIX_PATH COLCON_PREFIX_PATH LD_LIBRARY_PATH RMW_IMPLEMENTATION

# fail MESSAGE...: one clear line, then the end.
fail() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# source_install: puts the built workspace into this shell's environment, as a user does.
source_install() {
  [ -f "$TANDEM_ROOT/install/local_setup.bash" ] || fail "nothing is built yet: run 'make build' first"
  # The generated script reads unset variables.
  set +u
  # shellcheck source=/dev/null
  source "$TANDEM_ROOT/install/local_setup.bash"
  set -u
}
