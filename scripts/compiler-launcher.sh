#!/usr/bin/env bash
# compiler-launcher.sh COMPILER ARGUMENT...: compiles through ccache.
# An old precompiled header goes before its new one is made: the compiler would read it instead of the headers, so ccache would
# not see what has changed in them, and could hand out the result of other sources.
set -euo pipefail
if [[ " $* " == *" -x c++-header "* ]]; then
  previous=
  for argument; do
    if [ "$previous" = -o ]; then rm -f "$argument"; fi
    previous=$argument
  done
fi
exec ccache "$@"
