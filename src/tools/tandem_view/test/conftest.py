"""Processes for the tests: a domain with a robot and somebody who listens, and `tandem view` looking at them."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
LAB = HERE.parent.parent / 'tandem_lab'
sys.path[:0] = [str(HERE), str(LAB), str(LAB / 'test' / 'browser')]

ROOT = HERE.parents[3]
BUILD = ROOT / 'build' / 'tandem_view'
# ctest sets them; programs that are run by hand need not.
for program, file in {'VIEW': BUILD / 'tandem-view', 'WEB': ROOT / 'build/web', 'ROBOT': BUILD / 'test/robot'}.items():
    os.environ.setdefault(program, str(file))

PATIENCE = 30  # seconds: a loaded machine is slow


def wait_for(condition, what):
    """The first value of condition() that holds."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, f'never came true: {what}'
        time.sleep(0.02)
    return value


class Domain:
    """A folder of shared memory, and the processes in it."""

    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix='tandem-view-test-', dir='/dev/shm')
        self.environment = {**os.environ, 'TANDEM_SHM_DIR': self.folder, 'ROS_DOMAIN_ID': '61',
                            'RMW_IMPLEMENTATION': 'rmw_tandem_cpp'}
        self.processes = []

    def start(self, *command, **options):
        process = subprocess.Popen(command, env=self.environment, **options)
        self.processes.append(process)
        return process

    def robot(self, *words):
        return self.start(os.environ['ROBOT'], *words)

    def view(self, *words):
        """`tandem view` on a port that is free: its process has `port` and `token`, and `page`, its address."""
        port = [] if '--port' in words else ['--port', '0']
        process = self.start(os.environ['VIEW'], *port, '--web', os.environ['WEB'], *words,
                             stdout=subprocess.PIPE, text=True)
        line = process.stdout.readline()
        process.page = line.split()[1]
        process.port = int(re.search(r':(\d+)', process.page)[1])
        process.token = process.page.rstrip('/').rpartition('/')[2] if process.page.endswith('/') else ''
        return process

    def close(self):
        for process in self.processes:
            process.terminate()
        codes = [process.wait(PATIENCE) for process in self.processes]
        shutil.rmtree(self.folder)
        assert not any(codes), 'all end in good order'


@pytest.fixture(scope='session')
def robot_domain():
    """A domain with a robot that publishes and a node that listens."""
    domain = Domain()
    domain.robot('publish')
    domain.robot('listen')
    yield domain
    domain.close()


@pytest.fixture(scope='session')
def view(robot_domain):
    return robot_domain.view()


@pytest.fixture
def empty_domain():
    domain = Domain()
    yield domain
    domain.close()
