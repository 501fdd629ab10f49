"""Launch files as real runs of `ros2 launch`, against a made-up installation prefix."""

import configparser
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2]
PROGRAM = TOOLS / 'ros2launch/bin/ros2-launch'
MODULES = [str(TOOLS / name) for name in ('launch', 'launch_ros', 'launch_xml', 'launch_yaml', 'ros2launch')]
# Those of messages, which are generated.
INSTALLED = [str(path) for path in Path(shutil.which('ros2')).parents[1].glob('lib/python3*/*-packages')]
OWN = ('start_type_description_service', 'use_sim_time', 'qos_overrides.')  # what nodes declare themselves
PATIENCE = 120  # seconds, for a machine that is busy with other things
HEAD = '''
import os
import launch
import launch_ros
from launch import LaunchDescription
from launch.actions import *
from launch.conditions import *
from launch.event_handlers import *
from launch.substitutions import *
from launch_ros.actions import *
from launch_ros.parameter_descriptions import *
from launch_ros.substitutions import *


def sh(script, **kwargs):
    return ExecuteProcess(cmd=['sh', '-c', script], name=kwargs.pop('name', 'sh'),
                          output=kwargs.pop('output', 'screen'), **kwargs)


def generate_launch_description():
    return LaunchDescription([
'''


def wait_for(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f'{what} did not happen within {PATIENCE} s'
        time.sleep(0.02)


def is_alive(pid):
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[0] != 'Z'
    except OSError:
        return False


class Running:
    """A launch in the background."""

    def __init__(self, command, env, folder):
        self._out = folder / 'running.txt'
        with open(self._out, 'w') as out:
            self.process = subprocess.Popen(command, env=env, stdin=subprocess.DEVNULL, stdout=out,
                                            stderr=subprocess.STDOUT, start_new_session=True)

    def output(self):
        return self._out.read_text()

    def wait_for(self, text):
        wait_for(lambda: text in self.output() or self.process.poll() is not None, repr(text))
        assert text in self.output(), self.output()

    def pid_of(self, name):
        """Of a process that was launched."""
        line = next(line for line in self.output().splitlines() if f'[{name}]: process started' in line)
        return int(line.rpartition('[')[2].rstrip(']'))

    def send(self, number):
        self.process.send_signal(number)

    def end(self, number=signal.SIGINT):
        """Returns exit status and output."""
        self.send(number)
        return self.process.wait(PATIENCE), self.output()


def register(folder):
    """Writes the entry points of the modules as their installation does, from each setup.cfg."""
    for source in TOOLS.glob('*/*/setup.cfg'):
        if str(source.parents[1]) in MODULES:
            settings = configparser.ConfigParser()
            settings.read(source)
            metadata = folder / f'{source.parent.name}-0.dist-info'
            metadata.mkdir(parents=True)
            (metadata / 'METADATA').write_text(f'Name: {source.parent.name}\nVersion: 0\n')
            (metadata / 'entry_points.txt').write_text(
                ''.join(f'[{group}]{names}\n' for group, names in settings['options.entry_points'].items()))
    return str(folder)


class Launch:
    """Writes launch files and runs them."""

    def __init__(self, folder):
        self.folder = folder
        self.prefix = folder / 'prefix'
        self.share = self.prefix / 'share/demo'
        self.share.mkdir(parents=True)
        self.log = folder / 'log'
        self.env = {**os.environ, 'PYTHONPATH': os.pathsep.join([*MODULES, register(folder / 'metadata'), *INSTALLED]),
                    'AMENT_PREFIX_PATH': str(self.prefix), 'ROS_LOG_DIR': str(self.log),
                    'ROS_DOMAIN_ID': '11',
                    # The modules are compiled once, and not in the source folders.
                    'PYTHONPYCACHEPREFIX': str(folder.parent / 'compiled')}
        for name in ('RMW_IMPLEMENTATION', 'OVERRIDE_LAUNCH_PROCESS_OUTPUT', 'PYTHONDONTWRITEBYTECODE'):
            self.env.pop(name, None)
        marker = self.prefix / 'share/ament_index/resource_index/packages/demo'
        marker.parent.mkdir(parents=True)
        marker.touch()
        self.running = []
        self.executable('words', 'for word; do echo "<$word>"; done')
        # Prints each parameter file that it gets.
        self.executable('parameters', 'while [ $# -gt 0 ]; do [ "$1" = --params-file ] && cat "$2"; shift; done')

    def executable(self, name, script):
        path = self.prefix / 'lib/demo' / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f'#!/bin/sh\n{script}\n')
        path.chmod(0o755)

    def file(self, name, text):
        path = self.share / name
        path.write_text(textwrap.dedent(text))
        return path

    def python(self, actions, name='test.launch.py'):
        """A launch file with these actions."""
        body = textwrap.indent(textwrap.dedent(actions).strip('\n'), ' ' * 8)
        return self.file(name, HEAD + body + '\n    ])\n')

    def command(self, words):
        return [sys.executable, str(PROGRAM), *map(str, words)]

    def run(self, *words):
        """Runs `ros2 launch` to its end."""
        return subprocess.run(self.command(words), env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)

    def actions(self, actions, *arguments, status=0):
        """Output of a launch file with these actions."""
        done = self.run(self.python(actions), *arguments)
        assert done.returncode == status, done.stdout
        assert 'Traceback' not in done.stdout
        return done.stdout

    def start(self, actions, *arguments):
        return self.start_file(self.python(actions), *arguments)

    def start_file(self, *words):
        self.running.append(Running(self.command(words), self.env, self.folder))
        return self.running[-1]


@pytest.fixture
def launch(tmp_path):
    made = Launch(tmp_path)
    yield made
    for running in made.running:
        if running.process.poll() is None:
            running.process.kill()
            running.process.wait()


@pytest.fixture
def nodes(launch):
    """With the package demo's node `shown`."""
    (launch.prefix / 'lib/demo/shown').symlink_to(os.environ['SHOW_PARAMETERS'])
    with tempfile.TemporaryDirectory(prefix='tandem-launch-', dir='/dev/shm') as folder:
        launch.env['TANDEM_SHM_DIR'] = folder
        yield launch


def shown(output, node):
    """What this node says of itself, without OWN."""
    lines = [line.partition('] ')[2] for line in output.splitlines()]
    said = [line.removeprefix(node + ': ') for line in lines if line.startswith(node + ': ')]
    return [line for line in said if not line.startswith(OWN)]
