"""What the examples' tests share: the environment of an installation, and nodes in a folder of their own."""

import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

PATIENCE = 120  # seconds; a loaded machine is slow, and no test says how fast things are


def sourced(setup, base=None):
    """The environment after `source setup` in bash, as a dict."""
    command = ['bash', '-c', f'source "{setup}" >&2 && env -0']
    raw = subprocess.run(command, env=base, stdout=subprocess.PIPE, check=True, timeout=PATIENCE).stdout.decode()
    return dict(entry.split('=', 1) for entry in raw.split('\0') if entry)


def wait_until(condition, what, patience=PATIENCE):
    deadline = time.monotonic() + patience
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(f'{what}: not within {patience} s')
        time.sleep(0.02)


class NodeProcess:
    """A running executable with its output in a file."""

    def __init__(self, command, environment, log, folder=None):
        self.log = log
        with log.open('wb') as output:
            self._process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                             stderr=subprocess.STDOUT, cwd=folder)

    def text(self):
        return self.log.read_text(errors='replace')

    def numbers(self, pattern):
        """The first group of each match in the output, as integers."""
        return [int(n) for n in re.findall(pattern, self.text())]

    def is_running(self):
        return self._process.poll() is None

    def wait(self):
        """Until it ends by itself. Returns the exit status."""
        try:
            return self._process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            pytest.fail(f'does not end by itself:\n{self.text()}')

    def kill(self):
        """As a crash: the process gets no say."""
        self._process.kill()
        self._process.wait()

    def stop(self):
        """As Ctrl-C. Returns the exit status."""
        if self.is_running():
            self._process.send_signal(signal.SIGINT)
        try:
            return self._process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            pytest.fail(f'does not end on SIGINT:\n{self.text()}')


class Bench:
    """Starts nodes that meet in a shared-memory folder of their own."""

    def __init__(self, environment, shm, logs):
        self.environment = {**environment, 'TANDEM_SHM_DIR': str(shm), 'ROS_DOMAIN_ID': '0'}
        for name in ('RMW_IMPLEMENTATION', 'RCUTILS_CONSOLE_OUTPUT_FORMAT'):
            self.environment.pop(name, None)
        self.shm = shm
        self._logs = logs
        self._started = []

    def start(self, name, command, environment=None, folder=None):
        log = self._logs / f'{len(self._started)}-{name}.txt'
        process = NodeProcess(command, {**self.environment, **(environment or {})}, log, folder)
        self._started.append(process)
        return process

    def ros2_run(self, package, executable, *arguments, environment=None, folder=None):
        return self.start(executable, ['ros2', 'run', package, executable, *arguments], environment, folder)

    def files_left(self):
        return sorted(str(f.relative_to(self.shm)) for f in self.shm.rglob('*') if not f.is_dir())

    def kill_all(self):
        """Ends what still runs, and prints the ends of all outputs for whoever reads why a test failed."""
        for process in self._started:
            if process.is_running():
                process.kill()
            print(f'--- {process.log.name}\n{process.text()[-400:]}', flush=True)


@pytest.fixture(scope='session')
def installation():
    """Environment of the workspace under test."""
    prefix = os.environ.get('TANDEM_TEST_PREFIX')
    if not prefix:
        pytest.fail('TANDEM_TEST_PREFIX is not set: run this by colcon test or ctest')
    return sourced(Path(prefix) / 'local_setup.bash')


@pytest.fixture
def bench(installation, tmp_path):
    # The default temporary folder may be a disk; messages belong into memory.
    shm = Path(tempfile.mkdtemp(prefix='tandem-test-', dir='/dev/shm'))
    bench = Bench(installation, shm, tmp_path)
    try:
        yield bench
    finally:
        bench.kill_all()
        shutil.rmtree(shm, ignore_errors=True)
