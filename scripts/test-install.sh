#!/usr/bin/env bash
# Checks the installation: installs to one folder, moves it to another, and runs from there in a clean environment. Then it
# builds, runs and tests the package of docs/guide/first-nodes.md and docs/guide/test-nodes.md there.
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
  said=$scratch/talker-$setup.txt # its own: in one of before the message would be there already
  env -i HOME="$scratch" PATH=/usr/bin:/bin TANDEM_SHM_DIR="$shm" bash --noprofile --norc -euo pipefail -c "
    set +u; source '$scratch/moved/$setup'; set -u
    case \"\$(command -v ros2)\" in '$scratch/moved/'*) ;; *) echo 'ros2 does not come from the moved prefix'; exit 1 ;; esac
    ros2 run hbmem_pubsub talker >'$said' 2>&1 & talker=\$!
    for _ in \$(seq 600); do grep -q 'message: 3' '$said' && break; sleep 0.1; done
    kill -INT \$talker; wait \$talker || true
    grep -q 'message: 3' '$said' || { cat '$said'; exit 1; }
    if grep -F '$TANDEM_ROOT/install' /proc/self/environ; then exit 1; fi
  " || fail "the talker did not run from the moved prefix after 'source $setup'"
  echo "the talker runs from the moved prefix after sourcing $setup"
done

"$TANDEM_ROOT/scripts/write_guide_package.py" "$scratch/workspace/src/my_robot"
env -i HOME="$scratch" PATH=/usr/bin:/bin TANDEM_SHM_DIR="$shm" bash --noprofile --norc -euo pipefail -c "
  cd '$scratch/workspace'
  set +u; source '$scratch/moved/setup.bash'
  colcon build >'$scratch/build.txt' 2>&1 || { cat '$scratch/build.txt'; exit 1; }
  source install/local_setup.bash; set -u
  ros2 run my_robot camera & camera=\$!
  ros2 run my_robot viewer >'$scratch/viewer.txt' 2>&1 & viewer=\$!
  for _ in \$(seq 600); do grep -q ' ms old' '$scratch/viewer.txt' && break; sleep 0.1; done
  kill -INT \$camera \$viewer; wait \$camera \$viewer || true
  grep -q '1920x1080, .* ms old' '$scratch/viewer.txt' || { cat '$scratch/viewer.txt'; exit 1; }
  colcon test --packages-select my_robot >'$scratch/test.txt' 2>&1 || { cat '$scratch/test.txt'; exit 1; }
  colcon test-result --verbose || { cat build/my_robot/ros_test/*.txt; exit 1; }
" || fail "the package of docs/guide/first-nodes.md and docs/guide/test-nodes.md did not build, run and pass its tests"
echo "the package of docs/guide/first-nodes.md and docs/guide/test-nodes.md builds, runs and passes its tests"
