"""Talker and listener where shared memory is as small as a container's: 64 MiB."""

import re
import subprocess

import pytest
from conftest import PATIENCE
from talk import HEARD, SAID

NO_MOUNT = 77
SCRIPT = f"""
mount -t tmpfs -o size=64m,mode=0700 tmpfs "$TANDEM_SHM_DIR" || exit {NO_MOUNT}
ros2 run hbmem_pubsub listener >listener.txt 2>&1 & listener=$!
ros2 run hbmem_pubsub talker >talker.txt 2>&1 & talker=$!
for _ in $(seq {PATIENCE * 10}); do
  [ "$(grep -c 'time cost' listener.txt)" -ge 100 ] && break
  kill -0 $listener || break
  sleep 0.1
done
kill $talker $listener
wait $talker; wait $listener
ls "$TANDEM_SHM_DIR"
"""


def test_messages_of_4_mib_pass_in_64_mib(installation, tmp_path):
    shm = tmp_path / 'shm'
    shm.mkdir(mode=0o700)
    run = subprocess.run(['unshare', '--mount', 'bash', '-c', SCRIPT], cwd=tmp_path, stdin=subprocess.DEVNULL,
                         env={**installation, 'TANDEM_SHM_DIR': str(shm)}, capture_output=True, text=True,
                         timeout=3 * PATIENCE)
    if run.returncode == NO_MOUNT or 'unshare failed' in run.stderr:
        pytest.skip(f'a tmpfs cannot be mounted here: {run.stderr}')
    said, heard = ((tmp_path / name).read_text(encoding='utf-8') for name in ('talker.txt', 'listener.txt'))
    numbers = [int(number) for number in re.findall(HEARD, heard)]
    assert len(numbers) >= 100, heard
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), 'a message was lost'
    assert set(numbers) <= {int(number) for number in re.findall(SAID, said)}
    assert 'no memory' not in said + heard, said + heard
    assert run.stdout == '', 'files are left'
