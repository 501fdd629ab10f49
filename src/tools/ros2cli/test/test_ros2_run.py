"""`ros2 run` against a made-up installation prefix."""

import os
import signal
import subprocess
import sys
import time

import pytest
from conftest import ROS2


def add_executable(prefix, package, name, body):
    marker = prefix / 'share/ament_index/resource_index/packages' / package
    marker.parent.mkdir(parents=True, exist_ok=True)
    marker.touch()
    path = prefix / 'lib' / package / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(body)
    path.chmod(0o755)
    return path


@pytest.fixture
def prefix(tmp_path):
    add_executable(tmp_path, 'demo_nodes', 'talker', '#!/bin/sh\necho talker "$@"\n')
    add_executable(tmp_path, 'demo_nodes', 'listener', '#!/bin/sh\nexit 7\n')
    (tmp_path / 'lib/demo_nodes/notes.txt').write_text('not executable')
    marker = tmp_path / 'share/ament_index/resource_index/packages/only_messages'
    marker.touch()
    return tmp_path


def environment(*prefixes):
    return {**os.environ, 'AMENT_PREFIX_PATH': os.pathsep.join(map(str, prefixes))}


def ros2(*arguments, prefixes=(), extra=None, **options):
    return subprocess.run([ROS2, *arguments], env={**environment(*prefixes), **(extra or {})}, capture_output=True,
                          text=True, timeout=120, **options)


def test_passes_arguments_on_unchanged(prefix):
    done = ros2('run', 'demo_nodes', 'talker', '-x', '--help', 'a b', '--ros-args', '-r', 'a:=b', prefixes=[prefix])
    assert (done.returncode, done.stdout) == (0, 'talker -x --help a b --ros-args -r a:=b\n')


def test_exit_status_is_the_programs(prefix):
    assert ros2('run', 'demo_nodes', 'listener', prefixes=[prefix]).returncode == 7


def test_prefix_runs_before_the_executable(prefix):
    done = ros2('run', '--prefix', 'env GREETING="good day" sh', 'demo_nodes', 'talker', '1', prefixes=[prefix])
    assert (done.returncode, done.stdout) == (0, 'talker 1\n')


def test_prefix_that_cannot_be_run(prefix):
    done = ros2('run', '--prefix', 'no-such-command', 'demo_nodes', 'talker', prefixes=[prefix])
    assert done.returncode == 1
    assert "cannot run 'no-such-command'" in done.stderr
    done = ros2('run', '--prefix', 'open "quote', 'demo_nodes', 'talker', prefixes=[prefix])
    assert done.returncode == 1
    assert 'is no command' in done.stderr


def test_unknown_package_names_the_closest(prefix):
    done = ros2('run', 'demo_node', 'talker', prefixes=[prefix])
    assert done.returncode == 1
    assert "no package 'demo_node'; did you mean 'demo_nodes'?" in done.stderr
    assert 'Traceback' not in done.stderr


def test_unknown_executable_lists_what_exists(prefix):
    done = ros2('run', 'demo_nodes', 'takler', prefixes=[prefix])
    assert done.returncode == 1
    assert "did you mean 'talker'?" in done.stderr
    assert 'These exist: listener, talker' in done.stderr
    assert 'notes.txt' not in done.stderr


def test_missing_executable_lists_what_exists(prefix):
    done = ros2('run', 'demo_nodes', prefixes=[prefix])
    assert done.returncode == 1
    assert 'listener, talker' in done.stderr


def test_package_without_executables(prefix):
    done = ros2('run', 'only_messages', 'talker', prefixes=[prefix])
    assert done.returncode == 1
    assert "package 'only_messages' has no executables" in done.stderr


def test_first_prefix_wins(prefix, tmp_path_factory):
    overlay = tmp_path_factory.mktemp('overlay')
    add_executable(overlay, 'demo_nodes', 'talker', '#!/bin/sh\necho overlay\n')
    assert ros2('run', 'demo_nodes', 'talker', prefixes=[overlay, prefix]).stdout == 'overlay\n'


def test_nothing_sourced():
    done = ros2('run', 'demo_nodes', 'talker')
    assert done.returncode == 1
    assert 'local_setup.bash' in done.stderr


def test_unknown_command_and_help():
    done = ros2('rnu')
    assert done.returncode == 1
    assert "no ros2 command 'rnu'; did you mean 'run'?" in done.stderr
    done = ros2('--help')
    assert done.returncode == 0
    assert 'Run an executable' in done.stdout
    assert ros2().returncode == 0
    assert ros2('--no-such-option').returncode == 2


@pytest.mark.parametrize('rate', ['0', '-1', 'fast', 'nan', 'inf'])
def test_refused_number(rate):
    done = ros2('topic', 'pub', '--rate=' + rate, '/x', 'std_msgs/msg/String')
    assert done.returncode == 2
    assert f"--rate: '{rate}' is no number above 0" in done.stderr


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_signals_reach_the_program(prefix, number):
    ready = prefix / 'ready'
    add_executable(prefix, 'demo_nodes', 'sleeper',
                   f'#!{sys.executable}\n'
                   'import pathlib, signal, sys, time\n'
                   f'signal.signal({int(number)}, lambda *_: sys.exit(42))\n'
                   f'pathlib.Path({str(ready)!r}).touch()\n'
                   'while True: time.sleep(1)\n')
    process = subprocess.Popen([ROS2, 'run', 'demo_nodes', 'sleeper'], env=environment(prefix))
    try:
        deadline = time.monotonic() + 60
        while not ready.exists():
            assert process.poll() is None and time.monotonic() < deadline
            time.sleep(0.02)
        process.send_signal(number)
        assert process.wait(timeout=60) == 42
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
