#!/usr/bin/env bash
# compiler-launcher.sh COMPILER ARGUMENT...: compiles through ccache.
# A precompiled header is looked up by the text of the headers in it. By itself ccache compares what the preprocessor leaves of
# them, without comments; the compiler compares their text, and reads a header again, in vain, whose comments have changed.
# An old precompiled header goes before its new one is made: the compiler would read it instead of the headers, so ccache would
# not see what has changed in them, and could hand out the result of other sources.
set -euo pipefail
if [[ " $* " == *" -x c++-header "* ]]; then
  export CCACHE_DEPEND=1 CCACHE_NAMESPACE=precompiled-headers
  previous=
  for argument; do
    if [ "$previous" = -o ]; then rm -f "$argument"; fi
    previous=$argument
  done
fi
exec ccache "$@"
