"""Nodes as processes that are spoken to in lines: ours and those of the other implementations, all alike."""

import json
import os
import subprocess
import sys
from pathlib import Path

import yaml
from line_process import PATIENCE, LineProcess, wait_for

HERE = Path(__file__).resolve().parent
PREFIX = Path(os.environ['INSTALL_PREFIX'])
CONNEXT = HERE.parents[3] / 'build/connext/bin/python'  # made by `make connext`; else not there

OURS = [name for name in ('rmw_fastrtps_cpp', 'rmw_cyclonedds_cpp')
        if (PREFIX / 'share/ament_index/resource_index/tandem_transport' / name).exists()]


class Peer(LineProcess):
    """A running node."""

    def send(self, *words):
        # YAML has no surrogates, so nothing is escaped.
        self.send_line(' '.join(word if isinstance(word, str) else json.dumps(word, ensure_ascii=False)
                                for word in words))

    def answers(self, word, since=0):
        """What stands behind the word in the lines that begin with it."""
        return [line[len(word) + 1:] for line in self.lines[since:] if f'{line} '.startswith(f'{word} ')]

    def await_answer(self, word, condition=bool, since=0):
        """The answers, as soon as they meet the condition."""
        def found():
            answers = self.answers(word, since)
            return (answers or [None]) if condition(answers) else None
        return self.wait_for_lines(found, lambda: f"such '{word}' from {self.name}; it says: {self.errors()[-2000:]}")

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
