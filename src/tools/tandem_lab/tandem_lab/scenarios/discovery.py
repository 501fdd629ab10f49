"""`processes` start at once, each with a publisher and a subscription of one topic: when have all matched all?"""

import time

SETTINGS = {'processes'}


def run(trial, point, settings):
    number = int(trial.value('processes', 10))
    began = time.monotonic_ns()
    # Nobody counts its own publisher.
    peers = [trial.start('join', peers=number - 1, side=number_of_side(trial, i)) for i in range(number)]
    trial.matched(peers)
    trial.figure('discovery_ns', max(peer.seen('matched')['at'] for peer in peers) - began)
    trial.collect()
    used = [(peer.figures.get('user_ns'), peer.figures.get('system_ns')) for peer in peers]
    if not any(None in times for times in used):
        trial.figure('cpu_ns_per_process', sum(map(sum, used)) / number)


def number_of_side(trial, i):
    """Half of them at each end of a network."""
    return i % 2 if trial.network else 0
