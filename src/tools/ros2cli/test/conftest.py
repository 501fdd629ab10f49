"""Running the ros2 command and its peers as real processes, each test in a shared memory of its own."""

import os
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

ROS2 = os.environ['ROS2']
PEER = os.environ['PEER']
PATIENCE = 120  # seconds, for a machine that is busy with other things


def wait_for(condition, what):
    """The first true value of the condition."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f'{what} did not happen within {PATIENCE} s')


class Running:
    """A process in the background whose output is read while it runs."""

    def __init__(self, command, env):
        self._folder = tempfile.TemporaryDirectory()
        self._out = Path(self._folder.name) / 'out'
        self._err = Path(self._folder.name) / 'err'
        with open(self._out, 'w') as out, open(self._err, 'w') as err:
            self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=out, stderr=err)

    def output(self):
        return self._out.read_text()

    def errors(self):
        return self._err.read_text()

    def wait_for_output(self, text):
        wait_for(lambda: text in self.output() or self.process.poll() is not None, f'{text!r} in the output')
        assert text in self.output(), self.output() + self.errors()

    def wait(self):
        return self.process.wait(timeout=PATIENCE)

    def send(self, number):
        self.process.send_signal(number)

    def interrupt(self):
        """Ctrl-C. Returns the exit status."""
        self.send(signal.SIGINT)
        return self.wait()

    def end(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self._folder.cleanup()


class Domain:
    """A shared memory with the processes in it."""

    def __init__(self, folder):
        self.env = {**os.environ, 'TANDEM_SHM_DIR': folder}
        self.env.pop('ROS_DOMAIN_ID', None)
        self.env.pop('RMW_IMPLEMENTATION', None)
        self.running = []

    def ros2(self, *arguments, **options):
        """Runs a command to its end."""
        return subprocess.run([ROS2, *arguments], env=self.env, capture_output=True, text=True, timeout=PATIENCE,
                              **options)

    def out(self, *arguments, **options):
        """Output of a command that succeeds."""
        done = self.ros2(*arguments, **options)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def start(self, *arguments):
        self.running.append(Running([ROS2, *arguments], self.env))
        return self.running[-1]

    def peer(self, *arguments):
        self.running.append(Running([PEER, *map(str, arguments)], self.env))
        return self.running[-1]

    def wait_for_topic(self, name, ends='Publisher count: 1'):
        wait_for(lambda: ends in self.ros2('topic', 'info', name).stdout, f'{ends} of {name}')

    def serve(self, name, kind, values='{}'):
        """A peer that serves, once commands see it."""
        peer = self.peer('serve', name, kind, values)
        peer.wait_for_output('ready')
        return peer


@pytest.fixture
def domain():
    with tempfile.TemporaryDirectory(prefix='tandem-ros2cli-', dir='/dev/shm') as folder:
        made = Domain(folder)
        yield made
        for running in made.running:
            running.end()
