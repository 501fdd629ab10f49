"""Numbered messages between hosts: starts flow (src/flow.cpp) and checks what it says."""

import json
import os
import signal

FLOW = os.environ.get('FLOW', 'flow')
TOPIC = '/camera'


class Flow:
    """A running flow."""

    def __init__(self, host, kind, *words, node=None, env=None):
        remap = ['--ros-args', '-r', f'__node:={node}'] if node else []
        self.node = node
        self.program = host.start(FLOW, kind, *map(str, words), *remap, env=env)
        self.program.wait_for('"there"')

    def events(self, kind):
        lines = [json.loads(line) for line in self.program.stdout.splitlines() if line.startswith('{')]
        return [line for line in lines if line['event'] == kind]

    def published(self, timeout=120):
        """Waits until all is published. Returns what it says."""
        self.program.wait_for('"published"', timeout=timeout)
        return self.events('published')[0]

    def publish_last(self):
        """Of one that publishes without a count: lets it end. Returns how many it has published."""
        self.program.process.send_signal(signal.SIGUSR1)
        told = self.published()
        assert told['failed'] == 0
        return told['count']

    def copied(self):
        """Ends it. Returns how many messages it had to copy."""
        self.program.interrupt()
        return self.events('end')[0]['copied']

    def heard(self, timeout=180):
        """Waits until it has heard all. Returns what it heard by the publisher's node, and how many were copied."""
        self.program.wait_for('"end"', timeout=timeout)
        return {line['node']: line for line in self.events('heard')}, self.events('end')[0]['copied']

    def heard_so_far(self):
        """Ends it. Returns what it heard by the publisher's node."""
        self.program.interrupt()
        return self.heard()[0]


def publisher(host, node, *words, topic=TOPIC, **options):
    return Flow(host, 'pub', topic, *words, node=node, **options)


def listener(host, senders, *words, topic=TOPIC, **options):
    """Senders: how many messages each node publishes; 0: until it is told to end."""
    wanted = [word for node, count in senders.items() for word in ('--from', f'{node}:{count}')]
    return Flow(host, 'sub', topic, *wanted, *words, **options)


def is_whole(line, count):
    """Each message once, in order, undamaged."""
    assert line['messages'] == count and line['first'] == 1, line
    assert line['missing'] == line['twice'] == line['disordered'] == line['damaged'] == 0, line


def start_gateway(host, network, *words):
    gateway = host.start('tandem-gateway', '--network', network, *words)
    gateway.wait_for('carrying topics', 'stderr')
    return gateway
