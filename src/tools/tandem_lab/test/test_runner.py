"""Trials that go well, and contestants that crash, hang, lie: each is ended, reported, and the run goes on."""

import gzip
import os
import time

import pytest
from fake_lab import Lab, processes_with


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def by_contestant(records):
    return {record['contestant']: record for record in records}


def test_a_trial_leaves_a_whole_record(lab):
    status, _, err = lab.run('run', lab.experiment(), '--output', lab.run_folder, '--seed', 3)
    assert status == 0, err
    record, = lab.records()
    assert record['status'] == 'ok' and record['pass'] == 'measure' and record['point'] == {'size': 64}
    assert record['figures']['sent'] == record['figures']['received'] == 10
    assert record['figures']['cpu_ns_per_msg'] == 3000 and record['figures']['context_switches_per_msg'] == 2
    assert record['figures']['receiver_msgs_per_s'] == 9 and record['figures']['receiver_bytes_per_s'] == 9 * 64
    assert record['histograms'] == {'publish': 'publish.hlog', 'service': 'subscribe.hlog',
                                    'intended': 'subscribe.hlog'}
    assert record['notes'] == ['no hardware counters: this is a fake']
    folder = lab.run_folder / record['folder']
    assert gzip.open(folder / record['samples']['service'], 'rt').read().startswith('sequence,')
    assert not list(folder.glob('*.csv'))
    assert len(record['commands']) == 2 and str(lab.run_folder) not in ' '.join(record['commands'])


def test_several_subscribers_have_one_histogram_file(lab):
    path = lab.experiment()
    path.write_text(path.read_text().replace('count: 10', 'count: 10, subscribers: 3'))
    status, _, err = lab.run('run', path, '--output', lab.run_folder)
    assert status == 0, err
    record, = lab.records()
    assert record['figures']['received'] == 30 and record['samples']['service'] == 'subscribe.csv.gz'
    text = (lab.run_folder / record['folder'] / record['histograms']['service']).read_text()
    assert text.count('Tag=service,') == 3 and text.count('StartTimestamp') == 1


def test_bad_contestants_are_ended_and_reported(lab):
    """In one run, as each of them costs its time."""
    lab.experiment('slow', contestants='hang, deaf', timeout=1)
    lab.experiment('bad', contestants='crash, garbage, flood, unsupported, good', timeout=60)
    status, _, err = lab.run('run', lab.suite('slow', 'bad'), '--output', lab.run_folder)
    assert status == 0, err
    records = by_contestant(lab.records())
    assert records['good']['status'] == 'ok'
    assert records['crash']['status'] == 'failed'
    assert 'SIGABRT' in records['crash']['reason'] and 'went wrong in the fake' in records['crash']['reason']
    assert records['hang']['status'] == records['deaf']['status'] == 'timeout'
    assert 'ended after 1 s' in records['hang']['reason'] and 'was running' in records['hang']['reason']
    assert records['garbage']['status'] == 'failed' and "'this is no JSON'" in records['garbage']['reason']
    assert records['flood']['status'] == 'failed'
    assert records['unsupported']['status'] == 'unsupported' and 'not today' in records['unsupported']['reason']
    assert 'timeout: ended after 1 s' in err and '7 of 7 trials are done' in err
    assert not processes_with(str(lab.run_folder)) and not lab.shared_folders()


def test_a_daemon_does_not_outlive_its_trial(lab):
    status, _, err = lab.run('run', lab.experiment(contestants='daemon'), '--output', lab.run_folder)
    assert status == 0, err
    record, = lab.records()
    assert record['status'] == 'ok'
    pids = [path.read_text() for path in (lab.run_folder / record['folder']).glob('*.daemon')]
    assert len(pids) == 2 and not any(os.path.exists('/proc/' + pid) for pid in pids)


def test_nothing_outlives_a_lab_that_is_killed(lab):
    process = lab.start('run', lab.experiment(contestants='stall', timeout=600), '--output', lab.run_folder)
    try:
        wait_for(lambda: len(processes_with(str(lab.run_folder / 'trials'))) >= 2)
    finally:
        process.kill()
        process.communicate()
    wait_for(lambda: not processes_with(str(lab.run_folder)))
    # The next one tidies up.
    assert lab.run('run', lab.experiment(), '--output', lab.folder / 'second')[0] == 0
    assert not lab.shared_folders(process.pid)


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_a_scenario_that_does_not_exist_is_a_failed_trial(lab):
    status, _, err = lab.run('run', lab.experiment(scenario='of_the_future'), '--output', lab.run_folder)
    assert status == 1
    record, = lab.records()
    assert record['status'] == 'failed' and "no scenario 'of_the_future'" in record['reason']
