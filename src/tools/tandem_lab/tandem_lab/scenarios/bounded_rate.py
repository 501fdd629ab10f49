"""The highest rate at which nothing is lost and 99 % of the messages arrive within `bound_us` of when they were due.

A search: from `start_hz`, doubled until it fails (or halved until it does not), then the gap is divided until it is
narrow. Each rate is tried in fresh processes, and once more when it fails: the machine may have been busy otherwise.
"""

import itertools
import math

from tandem_lab.results.hlog import read_histogram

SETTINGS = {'bound_us', 'start_hz'}
LOWEST, HIGHEST = 250, 1_000_000  # messages a second
NARROW = 1.1  # ratio of the lowest failure to the highest success that is good enough
SAMPLES = 1100  # at least, for a 99th percentile
RESERVE = 1.5  # times the length of a probe: what must be left of the trial's time for another one


def run(trial, point, settings):
    held = {}  # rate: its peers
    names = itertools.count()

    def holds(rate):
        for _ in range(2):
            is_good, peers = probe(trial, rate, next(names))
            if is_good:
                held[rate] = peers
                return True
            if not has_time(trial, rate):
                break
        return False

    best = search(holds, float(trial.value('start_hz', 4000)), lambda rate: has_time(trial, rate))
    if best is None:
        trial.note('below %d Hz, which is as low as the search goes' % LOWEST)
        return
    trial.collect(held[best])
    trial.figure('best_rate_hz', best)
    if best >= HIGHEST:
        trial.note('the search ends at %d Hz' % HIGHEST)


def search(holds, start, has_time):
    """The highest rate that was found to hold; None when the lowest does not. Ends early when there is no more time."""
    good, bad = None, None
    rate = start
    while has_time(rate):
        if holds(rate):
            good = rate
        else:
            bad = rate
        if good is None:
            if bad <= LOWEST:
                return None
            rate = max(bad / 2, LOWEST)
        elif bad is None:
            if good >= HIGHEST:
                return good
            rate = min(good * 2, HIGHEST)
        elif bad / good <= NARROW:
            return good
        else:
            rate = math.sqrt(bad * good)
    return good


def seconds_of(trial, rate):
    return max(float(trial.value('seconds', 0.5)), SAMPLES / rate)


def has_time(trial, rate):
    return trial.remaining() > RESERVE * seconds_of(trial, rate) + 2


def probe(trial, rate, number):
    """(whether it holds, the peers) at this rate."""
    seconds = seconds_of(trial, rate)
    # The publisher ends after this time even if it has not sent all: then it was too slow.
    given = {'rate': rate, 'count': math.ceil(rate * seconds), 'seconds': 1.5 * seconds, 'peers': 1, 'samples': False}
    subscriber = trial.start('subscribe', name='subscribe-%d' % number, **given)
    publisher = trial.start('publish', name='publish-%d' % number, **given)
    trial.matched([subscriber, publisher])
    publisher.say('go')
    publisher.wait('finished')
    trial.drain([subscriber], publisher.sent)
    publisher.stop()
    subscriber.stop()
    within = read_histogram(trial.folder / (subscriber.name + '.hlog'), 'intended').percentile(99)
    good = (publisher.sent >= given['count'] and not subscriber.figures.get('lost') and within is not None and
            within <= float(trial.value('bound_us', 1000)) * 1000)
    return good, [publisher, subscriber]
