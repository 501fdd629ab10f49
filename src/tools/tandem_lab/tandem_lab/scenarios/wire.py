"""What is on the wire: a publisher, a subscriber, a cable between them; messages one by one, each a packet."""

import time

from tandem_lab.results import clocks
from tandem_lab.trials import wire
from tandem_lab.trials.processes import Unsupported

SETTINGS = {'mode'}
RATE = 200  # messages a second: slow enough that nothing is sent together


def run(trial, point, settings):
    if trial.network is None:
        raise Unsupported('this scenario needs the environment veth')
    count = int(trial.value('count', 200))
    with wire.capture(trial) as capture:
        subscriber = trial.start('subscribe', count=count)
        publisher = trial.start('publish', count=count, warm_up=0, rate=trial.value('rate', RATE))
        trial.matched([subscriber, publisher])
        go = time.monotonic_ns()
        publisher.say('go')
        publisher.wait('done')
        subscriber.say(f'expect {count}')
        last = subscriber.wait('done')['at']
        trial.collect()
    fill(trial, capture, (subscriber, publisher), (go, last))


def fill(trial, capture, peers, data):
    """What was captured, into the record."""
    ahead = clocks.ahead()  # the capture's stamps are of the other clock
    matched = max(peer.seen('matched')['at'] for peer in peers)
    joined = max(peer.seen('joined')['at'] for peer in peers)
    cut = wire.Cut(matched + ahead, data[0] + ahead, data[1] + ahead)
    sent, size = trial.record['figures'].get('sent'), int(trial.value('size'))
    figures, properties = wire.describe(capture.packets(), cut, size, sent, trial.network.address(0))
    for name, value in figures.items():
        trial.figure(name, value)
    trial.figure('discovery_ns', max(matched - joined, 0))
    trial.record['properties'] = properties
    if capture.dropped:
        trial.note(f'{capture.dropped} packets were not captured: counts of packets are too low')
