"""Nodes in processes of their own, each test in a shared memory of its own."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import pytest
import rclpy
from rclpy.executors import SingleThreadedExecutor

PATIENCE = 120  # seconds, for a machine that is busy with other things


@pytest.fixture(autouse=True)
def shared_memory(monkeypatch):
    """Meet no other process."""
    folder = tempfile.mkdtemp(prefix='tandem-rclpy-', dir='/dev/shm')
    monkeypatch.setenv('TANDEM_SHM_DIR', folder)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def context(shared_memory):
    """A context, which is shut down at the end."""
    context = rclpy.Context()
    context.init(args=[])
    yield context
    context.try_shutdown()


@pytest.fixture
def node(context):
    """A node that no executor serves."""
    with rclpy.create_node('tested', context=context) as node:
        yield node


@pytest.fixture
def executor(node):
    """An executor that serves the node."""
    with SingleThreadedExecutor(context=node.context) as executor:
        executor.add_node(node)
        yield executor


def spin_until(executor, condition, what='what was waited for'):
    """Spin until a condition holds."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f'{what} did not happen within {PATIENCE} s'
        executor.spin_once(timeout_sec=0.05)


def wait_until(condition, what='what was waited for'):
    """Wait until a condition holds that others bring about."""
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, f'{what} did not happen within {PATIENCE} s'
        time.sleep(0.01)


class Program:
    """A program in Python that runs in a process of its own; its output is read while it runs."""

    def __init__(self, text, *arguments):
        # A shell in the background would have it ignore Ctrl-C.
        def begin():
            signal.signal(signal.SIGINT, signal.default_int_handler)

        self.process = subprocess.Popen(
            [sys.executable, '-u', '-c', text, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, preexec_fn=begin, env=os.environ)
        self.lines = []
        self.errors = []
        self._readers = [threading.Thread(target=self._read, args=pipe, daemon=True)
                         for pipe in ((self.process.stdout, self.lines), (self.process.stderr, self.errors))]
        for reader in self._readers:
            reader.start()

    @staticmethod
    def _read(pipe, lines):
        for line in pipe:
            lines.append(line.rstrip('\n'))

    def wait_for(self, line):
        """Wait until it has printed a line."""
        wait_until(lambda: line in self.lines or self.process.poll() is not None, f'{line!r} in the output')
        self._join_if_ended()
        assert line in self.lines, '\n'.join(self.lines + self.errors)

    def _join_if_ended(self):
        if self.process.poll() is not None:
            for reader in self._readers:
                reader.join(PATIENCE)

    def end(self, number):
        """Send a signal; return the exit status."""
        self.process.send_signal(number)
        return self.wait()

    def wait(self):
        """Return the exit status."""
        status = self.process.wait(PATIENCE)
        self._join_if_ended()
        return status

    def close(self):
        """Kill what is left of it."""
        self.process.kill()
        self.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            pipe.close()


@pytest.fixture
def run(shared_memory):
    """Start programs, which are killed at the end."""
    programs = []

    def start(text, *arguments):
        programs.append(Program(text, *arguments))
        return programs[-1]

    yield start
    for program in programs:
        program.close()
