"""The driver delay_study: real runs of the two examples with few messages, its arithmetic, and what the studies say."""

import gzip
import os
import random
import shutil
import socket
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import numpy
import pytest
import yaml

from tandem_lab import paths
from tandem_lab.analysis import study_figures
from tandem_lab.drivers import delay_study
from tandem_lab.inputs import contestants
from tandem_lab.results.hlog import read_histogram
from tandem_lab.trials.peers import Failed, Trial, Unsupported
from tandem_lab.trials.processes import Crew, Stop

DATA = Path(__file__).resolve().parent.parent
DOMAIN = 23


@pytest.fixture
def make_trial(tmp_path):
    """make_trial(contestant, **settings) -> Trial in a folder of its own; its processes end with the test."""
    shm = tempfile.mkdtemp(prefix='tandem-test-', dir='/dev/shm')
    crews = []

    def make(contestant, **settings):
        one = contestants.load(DATA / 'contestants.yaml')[contestant]
        env = {**os.environ, **paths.environment(), **one.environment(), 'TANDEM_SHM_DIR': shm,
               'ROS_DOMAIN_ID': str(DOMAIN), 'ROS_LOCALHOST_ONLY': '1'}
        folder = tmp_path / f'trial-{len(crews)}'
        folder.mkdir()
        crews.append(Crew(folder, env, time.monotonic() + 100, Stop()))
        item = SimpleNamespace(experiment=SimpleNamespace(name='delay-study', settings=settings), contestant=one,
                               attest=False, point={})
        record = {'folder': 'trial', 'commands': [], 'figures': {}, 'histograms': {}, 'samples': {}, 'notes': []}
        return Trial(item, crews[-1], record)

    yield make
    for crew in crews:
        crew.end()
        crew.close()
    shutil.rmtree(shm, ignore_errors=True)


def needs(package, program):
    if not paths.program(package, program):
        pytest.skip(f'{package} is not installed')


# Neither pinned nor with priority: tests run beside others.
MODEST = {'publisher_cpu': -1, 'subscriber_cpu': -1, 'priority': 0}


def check_record(trial, messages, characters):
    record = trial.record
    figures = record['figures']
    assert figures['sent'] == figures['received'] == messages
    assert figures['lost'] == 0
    assert 1 <= figures['greatest_backlog'] <= messages
    assert 0 < figures['mean_delay_ns'] <= figures['max_delay_ns'] <= figures['total_ns']
    assert figures['sender_bytes_per_s'] == pytest.approx(figures['sender_msgs_per_s'] * characters)
    histogram = read_histogram(trial.folder / record['histograms']['service'], 'service')
    assert histogram.count == messages and histogram.max == pytest.approx(figures['max_delay_ns'], rel=1e-3)
    lines = gzip.open(trial.folder / record['samples']['service'], 'rt').read().splitlines()
    assert lines[0] == 'sequence,sent_ns,received_ns'
    assert [int(line.split(',')[0]) for line in lines[1:]] == list(range(1, messages + 1))


def test_transport_by_ros2_launch(make_trial):
    needs('test_sub_and_pub', 'publisher')
    if not any((prefix / 'share' / 'launch_ros').exists() for prefix in paths.prefixes()):
        pytest.skip('ros2 launch is not installed')
    trial = make_trial('tandem', messages=300, characters=50, **MODEST)
    delay_study.run(trial)
    check_record(trial, 300, 50)
    (command,) = trial.record['commands']
    assert 'ros2 launch test_sub_and_pub run_test1_3.launch.py message_number:=300 message_length:=50' in command
    assert not any(process.alive() for process in trial.crew.processes)


def test_zeromq_itself(make_trial):
    needs('zmq_testing', 'pub')
    trial = make_trial('zeromq-bare', messages=300, characters=60000, **MODEST)
    delay_study.run(trial)
    check_record(trial, 300, 60000)
    assert len(trial.record['commands']) == 2


def test_rti_connector_by_two_peers(make_trial):
    if not paths.connector():
        pytest.skip("NOTHING WAS MEASURED THROUGH RTI's Connector: 'make connext' installs it")
    trial = make_trial('connext-connector', messages=300, characters=60000, **MODEST)
    delay_study.run(trial)
    check_record(trial, 300, 60000)
    assert len(trial.record['commands']) == 2
    assert any("RTI's Connector, whose cost is included" in note for note in trial.record['notes'])


def test_end_that_fails_is_said_and_not_waited_for(make_trial, monkeypatch):
    needs('zmq_testing', 'pub')
    trial = make_trial('zeromq-bare', messages=300, **MODEST)
    with socket.socket() as taken:
        taken.bind(('127.0.0.1', 0))
        taken.listen()
        monkeypatch.setattr(delay_study, 'free_port', lambda: taken.getsockname()[1])
        with pytest.raises(Failed, match='cannot listen at'):
            delay_study.run(trial)


def test_floor_is_unsupported(make_trial):
    with pytest.raises(Unsupported):
        delay_study.run(make_trial('floor-tcp'))


class FakeLaunch:
    """Stands for ros2 launch: has said something, and still runs."""

    def __init__(self, folder, text):
        self.err = folder / 'launch.err'
        self.err.write_text('')
        self.text = lambda: text


def test_node_that_dies_ends_the_wait(tmp_path):
    delay_study.check_nodes(FakeLaunch(tmp_path, '[publisher-2] [INFO] [1.2] [publisher]: fine\n'))
    with pytest.raises(Failed, match='^it is gone$'):
        delay_study.check_nodes(FakeLaunch(tmp_path, '[subscriber-1] [FATAL] [1.2] [subscriber]: it is gone\n'))
    with pytest.raises(Failed, match='exit code -9'):
        delay_study.check_nodes(FakeLaunch(tmp_path, '[ERROR] [pub-2]: process has died [pid 7, exit code -9, cmd]'))


def test_no_priority_where_nothing_limits_it(make_trial, tmp_path, monkeypatch):
    limit = tmp_path / 'sched_rt_runtime_us'
    monkeypatch.setattr(os, 'sched_getaffinity', lambda pid: {0, 1})
    for text, expected in (('950000\n', 98), ('-1\n', 0)):
        limit.write_text(text)
        trial = make_trial('tandem')
        assert delay_study.allowed_priority(trial, limit) == 0  # settings are not allowed
        trial = make_trial('tandem')
        trial.machine = SimpleNamespace()
        assert delay_study.allowed_priority(trial, limit) == expected
        assert bool(trial.record['notes']) == (expected == 0)
    limit.write_text('950000\n')
    monkeypatch.setattr(os, 'sched_getaffinity', lambda pid: {3})
    trial = make_trial('tandem')
    trial.machine = SimpleNamespace()
    assert delay_study.allowed_priority(trial, limit) == 0


def test_backlog_counts_what_is_on_its_way():
    seed = random.randrange(1 << 32)
    print('seed', seed)
    generator = numpy.random.default_rng(seed)
    sent = numpy.sort(generator.integers(0, 1000, 200))
    received = sent + generator.integers(1, 300, 200)
    expected = max(int((sent <= t).sum() - (received <= t).sum()) for t in range(1400))
    assert delay_study.backlog(sent, received) == expected
    assert delay_study.backlog(numpy.array([1, 3]), numpy.array([2, 4])) == 1


def test_files_are_read_when_they_are_whole(tmp_path):
    file = tmp_path / 'publisher.txt'
    assert not delay_study.is_complete(file)
    file.write_text('')
    assert not delay_study.is_complete(file)
    file.write_text('1 2 3\n4 5')
    assert not delay_study.is_complete(file)
    file.write_text('1 2 3\n4 5\n')
    assert delay_study.is_complete(file)
    assert list(delay_study.read_stamps(file)) == [4, 5]
    file.write_text('1 two\n')
    with pytest.raises(Failed, match='publisher.txt cannot be read'):
        delay_study.read_stamps(file)


def test_studies_figures_are_well_formed():
    text = yaml.safe_load((DATA / 'studies' / 'figures.yaml').read_text())
    documents = {document['id'] for document in text['documents']}
    experiments = {file.stem: yaml.safe_load(file.read_text()) for file in (DATA / 'experiments').glob('*.yaml')}
    known = contestants.load(DATA / 'contestants.yaml')
    optional = {'experiment', 'point', 'metric', 'error'}
    for figure in text['figures']:
        assert {'document', 'system', 'contestant', 'what', 'value', 'unit', 'by'} == figure.keys() - optional, figure
        assert figure['document'] in documents and figure['contestant'] in known
        assert figure['by'] in ('table', 'text', 'chart', 'recomputed')
        assert isinstance(figure['value'], (int, float))
    for conclusion in text['conclusions']:
        extra = {'experiment', 'point', 'ranking', 'remark'}
        assert {'document', 'claim'} == conclusion.keys() - extra, conclusion
        assert set(conclusion.get('ranking', [])) <= known.keys()
    for entry in text['figures'] + text['conclusions']:
        if 'experiment' in entry:
            assert entry['experiment'] in experiments, entry
            assert entry.get('point', {}).keys() <= experiments[entry['experiment']]['sweep'].keys()


def test_studies_figures_for_the_report():
    opensplice = study_figures.of_contestant('opensplice')
    assert {'what': 'mean delay, 50 characters (OSLL)', 'value': '139 ms'} in opensplice
    assert all(entry.keys() == {'what', 'value'} for entry in opensplice)
    assert study_figures.of_contestant('floor-tcp') == []
    (ours,) = [figure for figure in study_figures.comparable('delay-study', {'characters': 60000}, 'service.p99')
               if figure['contestant'] == 'connext']
    assert ours['value'] == 109469
