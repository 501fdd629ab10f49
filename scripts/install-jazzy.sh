#!/usr/bin/env bash
# install-jazzy.sh: makes build/jazzy, a stock ROS 2 Jazzy from wheels, which tests meet. Needs x86-64 and Python 3.11 or 3.13,
# for which its list has wheels.
set -euo pipefail
exec "$(dirname "$0")/install-python.sh" jazzy
