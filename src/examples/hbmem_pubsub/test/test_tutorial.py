"""The tutorial's two source files, as they are printed there, build in an overlay workspace and run."""

import shutil
import subprocess
from pathlib import Path

from conftest import PATIENCE, Bench, sourced, wait_until
from talk import HEARD, SAID

TUTORIAL = Path(__file__).resolve().parent / 'tutorial'


def test_files_of_the_tutorial_build_and_run(bench, installation, tmp_path):
    workspace = tmp_path / 'overlay'
    shutil.copytree(TUTORIAL, workspace / 'src' / 'hbmem_tutorial')
    built = subprocess.run(['colcon', 'build'], cwd=workspace, env=installation, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=5 * PATIENCE)
    assert built.returncode == 0, built.stdout

    overlay = sourced(workspace / 'install' / 'local_setup.bash', installation)
    nodes = Bench(overlay, bench.shm, tmp_path)
    try:
        talker = nodes.ros2_run('hbmem_tutorial', 'talker')
        listener = nodes.ros2_run('hbmem_tutorial', 'listener')
        wait_until(lambda: len(listener.numbers(HEARD)) >= 20, 'the listener hears 20 messages')
        assert (talker.stop(), listener.stop()) == (0, 0)
        assert set(listener.numbers(HEARD)) <= set(talker.numbers(SAID))
        assert '[minimal_hbmem_publisher]' in talker.text()
        assert '[minimal_hbmem_subscriber]' in listener.text()
    finally:
        nodes.kill_all()
    assert nodes.files_left() == []
