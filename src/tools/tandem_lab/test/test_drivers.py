"""The search for the throughput, and what the drivers make of other programs' results."""

import json
import os
import random

import pytest
from fake_lab import SOURCE, Lab

from tandem_lab import paths
from tandem_lab.drivers import perf_test
from tandem_lab.scenarios import throughput
from tandem_lab.trials.processes import Failed


class FakeTrial:
    """Time and notes of a trial. `capacity`: messages a second that arrive without loss."""

    def __init__(self, capacity, seconds=1000.0):
        self.capacity = capacity
        self.notes = []
        self.left = seconds
        self.played = []

    def remaining(self):
        return self.left

    def note(self, text):
        self.notes.append(text)

    def play(self, _trial, demand, recovery_us):
        self.left -= 1.0
        self.played.append(demand)
        rate = demand * 1e6 / recovery_us if demand else 3 * self.capacity
        got = min(rate, self.capacity)
        return throughput.Step(demand, recovery_us, [], 100, rate <= self.capacity, rate, got)


@pytest.mark.parametrize('seed', range(20))
def test_the_search_finds_nearly_the_capacity(monkeypatch, seed):
    capacity = 10 ** random.Random(seed).uniform(2.5, 6.5)
    trial = FakeTrial(capacity)
    monkeypatch.setattr(throughput, 'play', trial.play)
    first = trial.play(trial, 0, 0)
    recovery_us = 50000 if capacity < 1000 else 5000
    best = throughput.search(trial, first, recovery_us, 12)
    assert best.is_good and len(trial.played) <= 13
    step = 1e6 / recovery_us  # one message more in a burst
    assert capacity / throughput.CLOSE - 2 * step <= best.receiver <= capacity


def test_the_search_has_few_steps_and_may_find_nothing(monkeypatch):
    trial = FakeTrial(capacity=100)
    monkeypatch.setattr(throughput, 'play', trial.play)
    first = throughput.Step(0, 0, [], 100, False, 1e6, 1e6)  # much more than is without loss
    assert throughput.search(trial, first, 5000, 4) is None and len(trial.played) == 4


def test_the_search_ends_before_the_trial_does(monkeypatch):
    trial = FakeTrial(capacity=10000, seconds=5.0)
    monkeypatch.setattr(throughput, 'play', trial.play)
    best = throughput.search(trial, trial.play(trial, 0, 0), 5000, 50)
    assert best is not None and len(trial.played) <= 4 and 'only so much time' in trial.notes[0]


def row(at, sent=0, received=0, utime=0):
    nothing = ('stime', 'minflt', 'majflt', 'nvcsw', 'nivcsw')
    return {'time_since_start': at, 'num_samples_sent': sent, 'num_samples_received': received, 'num_samples_lost': 0,
            'num_failed_borrows': 0, 'sys_tracker_ru_utime': utime, **{'sys_tracker_ru_' + name: 0 for name in nothing}}


def test_costs_of_perf_test_are_counted_after_the_first_second():
    talker = [row(1, sent=100, utime=9000), row(2, sent=100, utime=9500), row(3, sent=100, utime=10000)]
    before, rows = perf_test.measured(talker, 'num_samples_sent')
    assert before is talker[0] and rows == talker[1:]
    assert perf_test.cost((before, rows, 'num_samples_sent', 1, 'sender'), ('sys_tracker_ru_utime',)) == 5
    listener = [row(1), row(2, received=50, utime=100), row(3, received=200, utime=1100)]
    before, rows = perf_test.measured(listener, 'num_samples_received')
    # Two subscriptions: 200 receipts are 100 messages.
    assert perf_test.cost((before, rows, 'num_samples_received', 2, 'receiver'), ('sys_tracker_ru_utime',)) == 10
    assert perf_test.measured([row(1), row(2)], 'num_samples_sent') == (None, [])
    assert perf_test.measured([row(1, sent=5)], 'num_samples_sent') == (None, [])


def test_sizes_without_a_message_are_told():
    class Trial:
        contestant = None

        def value(self, key, default=None):
            return {'size': 1000}.get(key, default)
    with pytest.raises(Failed, match='no message of 1000 bytes; there are: 1024'):
        perf_test.arguments(Trial())


def test_perf_test_is_driven(tmp_path):
    if not paths.program('performance_test', 'perf_test') or not paths.library('libtandem_shared_memory.so'):
        pytest.skip('perf_test is not installed')
    lab = Lab(tmp_path)
    (tmp_path / 'contestants.yaml').write_text((SOURCE / 'contestants.yaml').read_text())
    path = lab.experiment(contestants='tandem, zeromq-bare', timeout=100)
    path.write_text(path.read_text().replace('driver: peers\nscenario: one_way\n', 'driver: perf_test\n').replace(
        '{count: 10, seconds: 0}', '{seconds: 1, zero_copy: true, rate: 200, subscribers: 2, history_depth: 1000}'
    ).replace('[64]', '[1024]'))
    status, _, err = lab.run('run', path, '--output', lab.run_folder)
    assert status == 0, err
    records = {record['contestant']: record for record in lab.records()}
    assert records['zeromq-bare']['status'] == 'unsupported'
    record = records['tandem']
    assert record['status'] == 'ok', record['reason']
    # How much arrives before the end is the machine's business.
    assert record['figures']['sent'] > 200 and record['figures']['received'] > 0
    assert record['figures']['rss_kib'] > 0 and record['figures']['cpu_ns_per_msg'] > 0
    text = (lab.run_folder / record['folder'] / record['histograms']['intended']).read_text()
    assert text.count('Tag=service,') == text.count('Tag=intended,') == 1
    assert json.loads((lab.run_folder / 'run.json').read_text())['run']['complete']
    assert not os.path.exists('/dev/shm/tandem-lab-%d' % lab.pid)
