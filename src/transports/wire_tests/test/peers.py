"""Nodes as processes that are spoken to in lines: ours and those of the other implementations, all alike."""

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
PREFIX = Path(os.environ['INSTALL_PREFIX'])
CONNEXT = HERE.parents[3] / 'build/connext/bin/python'  # made by `make connext`; else not there
PATIENCE = float(os.environ.get('TEST_PATIENCE', 120))  # seconds, for a machine that is busy with other things

OURS = [name for name in ('rmw_fastrtps_cpp', 'rmw_cyclonedds_cpp')
        if (PREFIX / 'share/ament_index/resource_index/tandem_transport' / name).exists()]


def wait_for(condition, what, patience=PATIENCE):
    """The first true value of the condition."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f'within {patience} s there was no {what() if callable(what) else what}')


class Peer:
    """A running node. It ends with its standard input, so also when the test is killed."""

    def __init__(self, name, command, env):
        self.name = name
        self.errors_file = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors_file, text=True)
        self.lines = []
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))

    def errors(self):
        return os.pread(self.errors_file.fileno(), 1 << 20, 0).decode(errors='replace')

    def send(self, *words):
        # YAML has no surrogates, so nothing is escaped.
        line = ' '.join(word if isinstance(word, str) else json.dumps(word, ensure_ascii=False) for word in words)
        try:
            self.process.stdin.write(line + '\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            self.process.wait()
            raise AssertionError(f'{self.name} has ended: {self.errors()}') from None

    def answers(self, word, since=0):
        """What stands behind the word in the lines that begin with it."""
        return [line[len(word) + 1:] for line in self.lines[since:] if f'{line} '.startswith(f'{word} ')]

    def await_answer(self, word, condition=bool, since=0):
        """The answers, as soon as they meet the condition."""
        def met():
            # Whether it has ended is asked first: what it said last counts.
            has_ended = self.process.poll() is not None
            if has_ended:
                self._reader.join(PATIENCE)
            answers = self.answers(word, since)
            if condition(answers):
                return answers or [None]
            assert not has_ended, f'{self.name} has ended with {self.process.returncode}: {self.errors()}'
            return None
        return wait_for(met, lambda: f"such '{word}' from {self.name}; it says: {self.errors()[-2000:]}")

    def ask(self, *words, answer):
        since = len(self.lines)
        self.send(*words)
        return self.await_answer(answer, since=since)[0]

    def graph(self):
        return json.loads(self.ask('graph', answer='graph'))

    def messages(self, topic):
        """What was received there."""
        return [self.parse(text) for text in self.answers(f'message {topic}')]

    @staticmethod
    def parse(text):
        return json.loads(text)

    def end(self):
        """Returns the exit status."""
        if not self.process.stdin.closed:
            self.process.stdin.close()
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            status = self.process.wait()
        self._reader.join()
        self.process.stdout.close()
        return status


class OurPeer(Peer):
    @staticmethod
    def parse(text):
        """YAML, in which a byte is a character."""
        content = yaml.load(text, yaml.CSafeLoader)
        for status in content.get('status', []):
            status['level'] = ord(status['level'])
        return content


class Domain:
    """Where peers meet: ROS_DOMAIN_ID. `distribution`: whose conventions the others follow; ours are told of none.
    `strict`: those on 'cyclonedds' end when they get a ros_discovery_info that is not in their form."""

    def __init__(self, number, distribution='jazzy', strict=False):
        self.distribution = distribution
        self.env = {**os.environ, 'ROS_DOMAIN_ID': str(number), 'PYTHONDONTWRITEBYTECODE': '1', 'RUST_LOG': 'error',
                    'WIRE_STRICT': '1' if strict else ''}
        self.env.pop('TANDEM_ROS_DISTRO', None)
        self.peers = []

    def start(self, kind, name, *specs, distribution=None):
        """A node named `name` on one of OURS, on 'ros2_client', on 'cyclonedds' or on 'connext'."""
        distribution = distribution or self.distribution
        env, make = {**self.env, 'WIRE_DISTRO': distribution}, Peer
        if kind == 'ros2_client':
            command = [f"{os.environ['WIRE_PEERS']}/wire_peer_{distribution}"]
        elif kind == 'cyclonedds':
            command = [sys.executable, str(HERE / 'cyclone_peer.py')]
        elif kind == 'connext':
            command = [str(CONNEXT), str(HERE.parent / 'connext/connext_peer.py')]
        else:
            command, env, make = [os.environ['WIRE_NODE']], {**env, 'RMW_IMPLEMENTATION': kind}, OurPeer
        peer = make(name, [*command, name, *specs], env)
        self.peers.append(peer)
        peer.transport = kind
        peer.full_name = f'/{name}' if kind in OURS else f'/peers/{name}'
        return peer

    def ros2(self, transport, *arguments, **options):
        """Runs the command line to its end on one of OURS."""
        return subprocess.run([PREFIX / 'bin/ros2', *arguments], env={**self.env, 'RMW_IMPLEMENTATION': transport},
                              capture_output=True, text=True, timeout=PATIENCE, **options)

    def eventually(self, transport, *command, holds):
        """The output of a command that looks around, as soon as it holds: each time it looks for a moment only."""
        outputs = []

        def done():
            result = self.ros2(transport, *command, '--spin-time', '1')
            assert result.returncode == 0, result.stderr
            outputs.append(result.stdout)
            return holds(result.stdout)
        wait_for(done, lambda: f'such output of ros2 {command}: {outputs[-1]}')
        return outputs[-1]

    def end(self):
        for peer in self.peers:
            if not peer.process.stdin.closed:
                peer.process.stdin.close()
        return [peer.end() for peer in self.peers]
