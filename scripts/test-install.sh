#!/usr/bin/env bash
# Checks the installation: installs to one folder, moves it to another, and runs from there in a clean environment.
set -euo pipefail
# shellcheck source=scripts/env.sh
source "$(dirname "$0")/env.sh"

scratch=$(mktemp -d)
shm=$(mktemp -d /dev/shm/tandem-install-XXXXXX)
trap 'rm -rf "$scratch" "$shm"' EXIT

"$TANDEM_ROOT/scripts/install.sh" "$scratch/first"
mv "$scratch/first" "$scratch/moved"
if grep -rIlF "$TANDEM_ROOT/" "$scratch/moved"; then
  fail "the files above name the place where they were built, so the installation depends on it"
fi

# Everything that a user has: the prefix and nothing of the source tree.
for setup in setup.bash local_setup.bash; do
  env -i HOME="$scratch" PATH=/usr/bin:/bin TANDEM_SHM_DIR="$shm" bash --noprofile --norc -euo pipefail -c "
    set +u; source '$scratch/moved/$setup'; set -u
    case \"\$(command -v ros2)\" in '$scratch/moved/'*) ;; *) echo 'ros2 does not come from the moved prefix'; exit 1 ;; esac
    ros2 run hbmem_pubsub talker >'$scratch/talker.txt' 2>&1 & talker=\$!
    for _ in \$(seq 600); do grep -q 'message: 3' '$scratch/talker.txt' && break; sleep 0.1; done
    kill -INT \$talker; wait \$talker || true
    grep -q 'message: 3' '$scratch/talker.txt' || { cat '$scratch/talker.txt'; exit 1; }
    if grep -F '$TANDEM_ROOT/install' /proc/self/environ; then exit 1; fi
  " || fail "the talker did not run from the moved prefix after 'source $setup'"
  echo "the talker runs from the moved prefix after sourcing $setup"
done
