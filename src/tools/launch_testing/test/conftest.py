"""Launch tests as real runs of `launch_test`."""

import os
import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2]
PROGRAM = TOOLS / 'launch_testing/bin/launch_test'
MODULES = [str(TOOLS / name) for name in ('launch', 'launch_testing')]
PATIENCE = 120  # seconds, for a machine that is busy with other things
sys.path[:0] = MODULES

HEAD = '''
import os
import sys
import time
import unittest

import launch
import launch_testing
import pytest
from launch import LaunchDescription
from launch.actions import *
from launch.event_handlers import *
from launch.substitutions import *
from launch_testing import post_shutdown_test
from launch_testing.actions import *
from launch_testing.asserts import *
from launch_testing.event_handlers import *
from launch_testing.markers import keep_alive, retry_on_failure
from launch_testing.util import KeepAliveProc


def sh(script, **kwargs):
    return ExecuteProcess(cmd=['sh', '-c', script], name=kwargs.pop('name', 'sh'), **kwargs)


WAITING = 'trap "echo ending; exit 0" INT; echo up; while :; do sleep 0.05; done'
'''


class Results:
    """What came of a run."""

    def __init__(self, done, xml):
        self.status = done.returncode
        self.output = done.stdout
        self.xml = ElementTree.parse(xml).getroot() if xml.exists() else None

    def cases(self, tag=None):
        """Names of the test cases; of those with such an element only."""
        return [case.get('name') for case in self.xml.iter('testcase') if tag is None or case.find(tag) is not None]

    def counts(self):
        return {name: int(self.xml.get(name)) for name in ('tests', 'failures', 'errors', 'skipped')
                if self.xml.get(name) != '0'}


class Runner:
    """Writes launch tests and runs them."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {**os.environ, 'PYTHONPATH': os.pathsep.join(MODULES), 'ROS_LOG_DIR': str(folder / 'log'),
                    'PYTHONPYCACHEPREFIX': str(folder.parent / 'compiled')}
        for name in ('OVERRIDE_LAUNCH_PROCESS_OUTPUT', 'PYTHONDONTWRITEBYTECODE'):
            self.env.pop(name, None)

    def file(self, text, name='some_launch_test.py'):
        path = self.folder / name
        path.write_text(HEAD + textwrap.dedent(text))
        return path

    def command(self, path, *words):
        return [sys.executable, str(PROGRAM), str(path), f'--junit-xml={self.folder / "results.xml"}', *words]

    def run(self, text, *words):
        return self.run_command(self.command(self.file(text), *words))

    def run_command(self, command):
        done = subprocess.run(command, env=self.env, cwd=self.folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=PATIENCE)
        return Results(done, self.folder / 'results.xml')


@pytest.fixture
def runner(tmp_path):
    return Runner(tmp_path)
