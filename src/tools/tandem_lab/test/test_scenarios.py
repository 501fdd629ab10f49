"""Each scenario once with real peers over our transport, few messages; and the searches against made-up systems."""

import os
import random
import shutil
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from tandem_lab import paths
from tandem_lab.drivers import peers as driver
from tandem_lab.inputs import contestants
from tandem_lab.results.hlog import read_histogram
from tandem_lab.scenarios import bounded_rate
from tandem_lab.trials.peers import Failed, Trial, Unsupported
from tandem_lab.trials.processes import Crew, Stop

DATA = Path(__file__).resolve().parent.parent
DOMAIN = 24
# Nothing may be lost here, however long a loaded machine lets a process wait.
PATIENT = {'history': 'keep_all'}


@pytest.fixture
def run(tmp_path):
    """run(scenario, **settings) -> the trial, after it; its processes end with the test."""
    shm = tempfile.mkdtemp(prefix='tandem-test-', dir='/dev/shm')
    crews = []

    def run(scenario, contestant='tandem', **settings):
        one = contestants.load(DATA / 'contestants.yaml')[contestant]
        if contestants.why_absent(one):
            pytest.skip(contestants.why_absent(one))
        folder = tmp_path / scenario
        folder.mkdir()
        env = {**os.environ, **paths.environment(), **one.environment(), 'TANDEM_SHM_DIR': shm,
               'ROS_DOMAIN_ID': str(DOMAIN)}
        crews.append(Crew(folder, env, time.monotonic() + 100, Stop()))
        experiment = SimpleNamespace(name=scenario, scenario=scenario, settings=settings)
        item = SimpleNamespace(experiment=experiment, contestant=one, attest=False, point={})
        record = {'folder': 'trial', 'commands': [], 'figures': {}, 'histograms': {}, 'samples': {}, 'notes': []}
        trial = Trial(item, crews[-1], record)
        driver.run(trial)
        return trial

    yield run
    for crew in crews:
        crew.end()
        crew.close()
    shutil.rmtree(shm, ignore_errors=True)


def check_latency(trial, histogram, count):
    """A histogram with so many values, and nothing lost or torn."""
    record = trial.record
    assert record['figures'].get('lost') == 0 and record['figures']['torn'] == 0
    assert read_histogram(trial.folder / record['histograms'][histogram], histogram).count == count


def test_slow_subscriber_has_figures_of_the_other_one(run):
    trial = run('slow_subscriber', size=4096, rate=200, count=60, warm_up=5, delay_us=20000, depth=200)
    check_latency(trial, 'service', 60)
    assert trial.record['figures']['sent'] == trial.record['figures']['received'] == 60
    assert trial.record['figures']['slow_received'] <= 60
    assert [peer.spec['delay_us'] for peer in trial.peers] == [0, 20000, 0]


def test_late_joiner_gets_what_it_is_owed(run):
    figures = run('late_joiner', size=65536).record['figures']
    assert figures['owed'] == figures['received'] == 10 and figures['lost'] == 0
    assert figures['join_ns'] > 0


def test_fan_in(run):
    trial = run('fan_in', publishers=3, size=4096, rate=200, count=30, warm_up=5, **PATIENT)
    check_latency(trial, 'service', 90)
    assert trial.record['figures']['sent'] == trial.record['figures']['received'] == 90


def test_parallel_pairs(run):
    trial = run('parallel_pairs', pairs=2, size=64, count=40, warm_up=5, **PATIENT)
    figures = trial.record['figures']
    # A ping that waits for a second is given up, which a loaded machine can bring about.
    assert figures['sent'] == figures['received'] + figures['lost'] == 80
    histogram = read_histogram(trial.folder / trial.record['histograms']['half_round_trip'], 'half_round_trip')
    assert histogram.count == figures['received']


@pytest.mark.parametrize('pinned', ['none', 'both'])
def test_pinning(run, pinned):
    if pinned == 'both' and not os.sched_getaffinity(0) >= {0, 1}:
        with pytest.raises(Unsupported):
            run('one_way', pinned=pinned)
        return
    trial = run('one_way', pinned=pinned, size=4096, rate=500, count=40, warm_up=5, **PATIENT)
    check_latency(trial, 'service', 40)
    cpus = {peer.role: peer.spec['cpus'] for peer in trial.peers}
    assert cpus == ({'publish': [1], 'subscribe': [0]} if pinned == 'both' else {'publish': [], 'subscribe': []})


def test_pinning_of_nobody_known(run):
    with pytest.raises(Failed, match="pinned is 'all'"):
        run('one_way', pinned='all')


def test_discovery(run):
    figures = run('discovery', processes=6).record['figures']
    assert figures['discovery_ns'] > 0 and figures['cpu_ns_per_process'] > 0 and figures['pss_kib'] > 0


def test_start_up(run):
    assert run('start_up', size=1024).record['figures']['start_up_ns'] > 0


def test_crash_in_the_middle_of_a_loan(run):
    trial = run('crash_mid_loan', size=65536, rate=100, before=0.2, after=0.2, **PATIENT)
    figures = trial.record['figures']
    assert figures['recovery_ns'] > 0 and figures['gap_ns'] > 0
    assert figures['lost'] == 0 and figures['torn'] == 0
    # What lies in a killed publisher's memory is freed with it: these few may go.
    assert 0 <= figures['lost_of_killed'] <= 20
    assert (figures['leaked_files'], figures['leaked_bytes']) == (0, 0), trial.record['notes']
    killed = next(peer for peer in trial.peers if peer.spec.get('die_at'))
    assert killed.spec['loan'] and killed.status() == -9


def test_bounded_rate_with_real_peers(run, monkeypatch):
    monkeypatch.setattr(bounded_rate, 'HIGHEST', 8000)
    # A bound that only a very loaded machine misses; the search then goes down.
    trial = run('bounded_rate', size=64, seconds=0.05, bound_us=10_000_000, start_hz=4000, **PATIENT)
    figures = trial.record['figures']
    if 'best_rate_hz' in figures:
        assert 250 <= figures['best_rate_hz'] <= 8000
        histogram = read_histogram(trial.folder / trial.record['histograms']['intended'], 'intended')
        assert histogram.count == figures['received'] >= bounded_rate.SAMPLES
    else:
        assert 'below 250 Hz' in trial.record['notes'][0]


def test_search_finds_the_limit_of_any_system():
    seed = random.randrange(1 << 32)
    print('seed', seed)
    generator = random.Random(seed)
    for _ in range(200):
        limit = 10 ** generator.uniform(2.5, 5.9)
        start = 10 ** generator.uniform(2.5, 5.9)
        found = bounded_rate.search(lambda rate: rate <= limit, start, lambda rate: True)
        assert limit / bounded_rate.NARROW <= found <= limit, (limit, start)


def test_search_at_its_ends():
    def forever(rate):
        return True

    assert bounded_rate.search(lambda rate: False, 4000, forever) is None
    assert bounded_rate.search(lambda rate: True, 4000, forever) == bounded_rate.HIGHEST
    left = iter([True, True, True, False])
    assert bounded_rate.search(lambda rate: True, 1000, lambda rate: next(left)) == 4000
    assert bounded_rate.search(lambda rate: True, 1000, lambda rate: False) is None
