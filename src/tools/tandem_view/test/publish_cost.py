#!/usr/bin/python3
"""Measures what `tandem view` costs a publisher whose topic it shows: images of 640 x 480, 1000 a second.

Rounds with nobody, with the page (tree and picture), with a client of the Foxglove protocol and, to compare, with a
subscription that waits (`ros2 topic echo`) alternate in one run. After `source install/local_setup.bash`:

    src/tools/tandem_view/test/publish_cost.py [ROUNDS [SECONDS]]
"""

import json
import statistics
import subprocess
import sys
import threading
import time

from conftest import BUILD, Domain
from raw_websocket import BINARY, TEXT, RawWebSocket


class Reader:
    """A client that reads all it gets, and says so where it is asked to."""

    def __init__(self, view, protocol):
        self.client = RawWebSocket(view.port, f'/{view.token}', protocol)
        self.got = 0
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while True:
                opcode, payload = self.client.receive()
                if opcode == BINARY:
                    self.got += 1
                    if payload[0] >= 0x80:
                        self.client.send_json(op='tandem.shown', id=payload[1])
                elif opcode == TEXT and b'"tandem.message"' in payload[:40]:
                    self.got += 1
                    self.client.send_json(op='tandem.shown', id=json.loads(payload)['id'])
        except (OSError, ConnectionError):
            pass

    def end(self):
        self.client.sock.shutdown(2)
        self.client.close()


def channel_of(view):
    """The number of the topic."""
    client = RawWebSocket(view.port, f'/{view.token}', 'tandem.view.v1')
    while True:
        for row in client.until('tandem.topics')['changed']:
            if row[1] == '/cost':
                client.close()
                return row[0]


def page(view, domain, channel):
    reader = Reader(view, 'tandem.view.v1')
    for id, way in enumerate(['tree', 'picture']):
        reader.client.send_json(op='tandem.watch', id=id, channel=channel, rate=15, **{'as': way})
    return reader


def foxglove(view, domain, channel):
    reader = Reader(view, 'foxglove.sdk.v1')
    reader.client.send_json(op='subscribe', subscriptions=[{'id': 0, 'channelId': channel}])
    return reader


class Echo:
    """`ros2 topic echo`, which waits for each message."""

    def __init__(self, domain):
        self.process = subprocess.Popen(['ros2', 'topic', 'echo', '--no-arr', '/cost'], env=domain.environment,
                                        stdout=subprocess.DEVNULL)
        self.got = -1

    def end(self):
        self.process.terminate()
        self.process.wait()


WATCHERS = {'nobody': None, 'page': page, 'Foxglove': foxglove,
            'ros2 topic echo': lambda view, domain, channel: Echo(domain)}


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 10
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 2
    domain = Domain()
    publisher = domain.start(BUILD / 'test' / 'publish_cost', stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    view = domain.view()
    channel = channel_of(view)
    results = {name: [] for name in WATCHERS}
    for turn in range(rounds):
        for name, watch in WATCHERS.items():
            watcher = watch(view, domain, channel) if watch else None
            time.sleep(0.5)
            publisher.stdin.write(f'{seconds}\n')
            publisher.stdin.flush()
            results[name].append(json.loads(publisher.stdout.readline()))
            if watcher:
                assert watcher.got != 0, f'{name} got nothing'
                watcher.end()
    publisher.stdin.close()
    domain.close()
    floor = {}
    print(f'{rounds} rounds of {seconds} s; medians, and the ratio to nobody')
    for name, each in results.items():
        line = f'{name:16}'
        for key in ['p50', 'p99', 'processor']:
            value = statistics.median(one[key] for one in each)
            floor.setdefault(key, value)
            line += f'  {key} {value / 1000:7.2f} us  x {value / floor[key]:.2f}'
        print(line)


main()
