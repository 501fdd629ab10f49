"""The command line: ctrl-C, a full disk and a time limit leave a run that can go on; lists, plans, mistakes."""

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest
from fake_lab import SOURCE, Lab, processes_with

from tandem_lab import cli, paths
from tandem_lab.inputs import contestants, experiment
from tandem_lab.trials.plan import make_plan


@pytest.fixture
def lab(tmp_path):
    return Lab(tmp_path)


def wait_for(condition):
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def keys(records):
    return [(record['contestant'], record['point']['size'], record['repetition']) for record in records]


def seed_with(lab, path, first, second):
    """A seed with which these contestants come first and second."""
    one = experiment.load(path)
    known = contestants.load(lab.folder / 'contestants.yaml')
    for seed in range(1000):
        plan = make_plan([(one, [known[name] for name in one.contestants])], seed)
        if [item.contestant.id for item in plan[:2]] == [first, second]:
            return seed
    raise AssertionError('no such seed')


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_goes_on_where_it_was(lab, number):
    path = lab.experiment(contestants='good, stall', sizes='16, 64', timeout=600)
    seed = seed_with(lab, path, 'good', 'stall')
    process = lab.start('run', path, '--output', lab.run_folder, '--seed', seed)
    wait_for(lambda: len(lab.records()) == 1 and any('stall' in line for line in processes_with(
        str(lab.run_folder)).values()))
    process.send_signal(number)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert 'interrupted: go on with `tandem lab run --resume %s`' % lab.run_folder in err
    assert not processes_with(str(lab.run_folder)) and not lab.shared_folders(process.pid)
    before = lab.records()
    assert [record['status'] for record in before] == ['ok']
    run = json.loads((lab.run_folder / 'run.json').read_text())
    assert run['run']['complete'] is False and run['run']['seed'] == seed
    yaml = lab.folder / 'contestants.yaml'
    yaml.write_text(yaml.read_text().replace('link: stall', 'link: good'))
    status, _, err = lab.run('run', '--resume', lab.run_folder)
    assert status == 0, err
    after = lab.records()
    assert after[:len(before)] == before and len(after) == len(set(keys(after))) == 4
    run = json.loads((lab.run_folder / 'run.json').read_text())
    assert run['run']['complete'] is True and run['run']['id'] == 'run'
    assert run['experiments'][0]['contestants'] == ['good', 'stall']
    # Nothing is left: going on once more changes nothing.
    assert lab.run('run', '--resume', lab.run_folder)[0] == 0 and lab.records() == after


def test_a_second_signal_hurries_and_still_tidies_up(lab):
    process = lab.start('run', lab.experiment(contestants='deaf', timeout=60), '--output', lab.run_folder)
    wait_for(lambda: processes_with(str(lab.run_folder / 'trials')))
    wait_for(lambda: lab.shared_folders(process.pid))
    process.send_signal(signal.SIGINT)
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert not processes_with(str(lab.run_folder / 'trials')) and not lab.shared_folders(process.pid)
    assert lab.records() == []


def test_a_time_limit_stops_between_trials(lab):
    path = lab.experiment(contestants='good', sizes='16, 32, 64, 128', pause=1)
    status, out, err = lab.run('run', path, '--output', lab.run_folder, '--time-limit', 0.03, '--json')
    assert status == 0, err
    told = json.loads(out)
    assert told['complete'] is False and 'time limit of 0.03 min' in told['ended']
    assert len(lab.records()) == told['trials'].get('ok', 0) < 4


@contextlib.contextmanager
def small_disk(folder):
    """A file system of 3 MiB; skips where none can be mounted."""
    folder.mkdir()
    done = subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', str(folder)], capture_output=True)
    if done.returncode != 0:
        pytest.skip('no file system can be mounted here')
    try:
        yield
    finally:
        subprocess.run(['umount', '-l', str(folder)], check=True)


def test_a_full_disk_leaves_a_run_that_goes_on_when_there_is_room(lab):
    path = lab.experiment(contestants='good, other', sizes='16, 64')
    with small_disk(lab.run_folder):
        ballast = lab.run_folder / 'ballast'
        assert lab.run('run', path, '--output', lab.run_folder, '--time-limit', 0.0001)[0] == 0
        with pytest.raises(OSError), open(ballast, 'wb', buffering=0) as file:
            while True:
                file.write(bytes(65536))
        status, _, err = lab.run('run', '--resume', lab.run_folder)
        assert status == 1 and re.search('disk full: .*: go on with `tandem lab run --resume', err), err
        assert lab.records() == [] and not lab.shared_folders()
        ballast.unlink()
        status, _, err = lab.run('run', '--resume', lab.run_folder)
        assert status == 0, err
        assert len(lab.records()) == 4


def test_a_disk_that_fills_up_in_a_trial_is_not_the_contestants_fault(lab):
    path = lab.experiment(contestants='stall', sizes='16', timeout=600)
    with small_disk(lab.run_folder):
        process = lab.start('run', path, '--output', lab.run_folder)
        peers = str(lab.run_folder / 'trials')
        wait_for(lambda: any('publish.json' in line for line in processes_with(peers).values()))
        with pytest.raises(OSError), open(lab.run_folder / 'ballast', 'wb', buffering=0) as file:
            while True:
                file.write(bytes(65536))
        for pid in processes_with(peers):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 1 and 'disk full' in err, err
        assert lab.records() == []


def test_only_and_repetitions_make_a_run_smaller(lab):
    lab.experiment('one', contestants='good, other')
    lab.experiment('two', contestants='good')
    path = lab.suite('one', 'two')
    status, out, _ = lab.run('run', path, '--dry-run', '--json', '--only', 'one', 'other', '--repetitions', '2')
    assert status == 0
    assert [(item['experiment'], item['contestant'], item['repetition']) for item in json.loads(out)] == [
        ('one', 'other', 0), ('one', 'other', 1)]
    status, _, err = lab.run('run', path, '--only', 'two', 'other')
    assert status == 2 and 'nothing is left to do' in err
    status, _, err = lab.run('run', path, '--only', 'nobody')
    assert status == 2 and "no contestant or group 'nobody'" in err


def test_a_dry_run_shows_the_plan_and_measures_nothing(lab):
    lab.experiment('one', contestants='good, other', repetitions=3)
    status, out, _ = lab.run('run', 'one', '--dry-run')
    assert status == 0 and '6 trials, about 1 s' in out and 'processor' in out
    assert not (lab.folder / 'log').exists()


def test_runs_are_listed(lab):
    lab.experiment('one')
    assert lab.run('run', 'one')[0] == 0
    status, out, _ = lab.run('list')
    assert status == 0 and re.search(r'-one +complete', out) and 'good' in out
    listing = json.loads(lab.run('list', '--json')[1])
    assert [one['name'] for one in listing['experiments']] == ['one'] and len(listing['runs']) == 1


@pytest.mark.parametrize('words, message', [
    (['run'], 'what is to be run'), (['run', 'nothing'], "no suite or experiment 'nothing'"),
    (['run', 'no/such/file.yaml'], 'No such file'), (['run', '--resume', 'gone'], "no run 'gone'"),
    (['run', 'x', '--resume', 'y'], 'as it was begun'), (['report', 'gone'], "no run 'gone'"),
    (['compare', 'a', 'b'], "no run 'a'"), (['run', 'x', '--repetitions', '0'], 'at least 1'),
    (['run', 'x', '--time-limit', 'soon'], 'time-limit'), ([], 'required'), (['fly'], 'invalid choice')])
def test_mistakes_are_told_in_a_line(lab, monkeypatch, capsys, words, message):
    monkeypatch.setenv('LAB_DATA', str(lab.folder))
    monkeypatch.setenv('TANDEM_ROOT', str(lab.folder))
    try:
        status = cli.main(words)
    except SystemExit as error:
        status = error.code
    assert status == 2 and message in capsys.readouterr().err


def test_a_folder_with_a_run_is_not_overwritten(lab):
    lab.experiment('one')
    assert lab.run('run', 'one', '--output', lab.run_folder)[0] == 0
    status, _, err = lab.run('run', 'one', '--output', lab.run_folder)
    assert status == 2 and 'has a run already' in err


def test_a_broken_run_json_is_told(lab, capsys):
    lab.run_folder.mkdir()
    for text in ('{', '{}', '{"experiments": [{"nonsense": 1}], "run": {}}', '[]'):
        (lab.run_folder / 'run.json').write_text(text)
        assert cli.main(['run', '--resume', str(lab.run_folder)]) == 2
        assert 'run.json' in capsys.readouterr().err


def test_a_real_run_over_real_peers(lab, tmp_path):
    peer = paths.program('tandem_lab', 'lab_peer') if not os.environ.get('LAB_PEER') else os.environ['LAB_PEER']
    if not peer or not os.access(peer, os.X_OK):
        pytest.skip('lab_peer is not built')
    (tmp_path / 'contestants.yaml').write_text((SOURCE / 'contestants.yaml').read_text())
    lab.env['LAB_PEER'] = peer
    lab.experiment('out', contestants='tandem, floor-futex', repetitions=1, timeout=100)
    lab.experiment('back', contestants='tandem, floor-unix', scenario='round_trip', timeout=100)
    status, _, err = lab.run('run', lab.suite('out', 'back'), '--output', lab.run_folder)
    assert status == 0, err
    records = lab.records()
    assert [(record['status'], record['reason']) for record in records] == [('ok', '')] * 4
    for record in records:
        assert record['figures']['sent'] == record['figures']['received'] == 10 and record['figures']['torn'] == 0
    assert not processes_with(str(lab.run_folder)) and not lab.shared_folders()


CHEATS = """name: cheats
title: Contestants that cheat
question: Are they found?
driver: peers
scenario: one_way
contestants: [tandem, copies, reuses]
settings: {message: fixed, size: 1024, loan: true, check: full, hold: 1, rate: 500, count: 20}
repetitions: 1
timeout: 100
attest: true
charts:
  - {kind: bars, y: copied_bytes_per_msg}
"""


def test_cheats_are_found(lab, tmp_path):
    peer = os.environ.get('LAB_PEER') or paths.program('tandem_lab', 'lab_peer')
    if not peer or not os.access(peer, os.X_OK) or not shutil.which('strace'):
        pytest.skip('lab_peer is not built, or strace is not installed')
    (tmp_path / 'contestants.yaml').write_text((SOURCE / 'contestants.yaml').read_text() + ''.join(
        '  - {id: %s, title: %s, kind: faulty, link: %s}\n' % (name, name, name) for name in ('copies', 'reuses')))
    lab.env['LAB_PEER'] = peer
    (lab.folder / 'experiments' / 'cheats.yaml').write_text(CHEATS)
    status, _, err = lab.run('run', 'cheats', '--output', lab.run_folder)
    assert status == 0, err
    found = {(record['contestant'], record['pass']): record for record in lab.records()}
    assert found['reuses', 'measure']['status'] == 'failed' and 'torn' in found['reuses', 'measure']['reason']
    for name, is_shared in (('tandem', True), ('copies', False)):
        assert found[name, 'measure']['status'] == found[name, 'attest']['status'] == 'ok', found[name, 'attest']
        assert found[name, 'attest']['figures']['zero_copy'] is is_shared
