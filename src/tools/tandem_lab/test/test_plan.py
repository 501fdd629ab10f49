"""The order of trials, what is left of a plan, how long it takes, and what a run's folder survives."""

import errno
import io
import json
import random

import pytest

from tandem_lab.inputs.contestants import Contestant
from tandem_lab.inputs.experiment import Experiment
from tandem_lab.results import store
from tandem_lab.trials.plan import Expectation, key_of_record, left_of, make_plan
from tandem_lab.trials.progress import Progress, duration


def contestant(name):
    return Contestant(name, name, 'faulty', 'good')


def two_experiments():
    a = Experiment('a', 'A', '?', 'peers', ['x', 'y'], sweep={'size': [1, 2], 'loan': [True, False]}, repetitions=3,
                   seconds=2.0, attest={'size': [2]})
    b = Experiment('b', 'B', '?', 'peers', ['x'], repetitions=2, seconds=1.0)
    return [(a, [contestant('x'), contestant('y')]), (b, [contestant('x')])]


def record_of(item, status='ok'):
    return {'experiment': item.experiment.name, 'contestant': item.contestant.id, 'point': item.point,
            'pass': item.pass_name, 'repetition': item.repetition, 'status': status}


def test_rounds_are_whole_and_the_attest_pass_comes_after_the_first():
    plan = make_plan(two_experiments(), seed=1)
    assert len(plan) == 2 * 4 * 3 + 2 * 2 + 2
    order = [(item.repetition, item.attest) for item in plan]
    assert order == sorted(order, key=lambda one: (one[0], one[1]))
    assert {item.point['size'] for item in plan if item.attest} == {2}
    assert len({item.key for item in plan}) == len({item.folder for item in plan}) == len(plan)


def test_the_order_is_random_and_the_same_for_a_seed():
    keys = [[item.key for item in make_plan(two_experiments(), seed)] for seed in (1, 1, 2)]
    assert keys[0] == keys[1] != keys[2] and sorted(keys[0]) == sorted(keys[2])
    first = [item.contestant.id + item.experiment.name for item in make_plan(two_experiments(), 1)][:8]
    assert first != sorted(first)  # experiments and contestants are mixed
    rounds = [[key.rpartition(',')[0] for key, item in zip(keys[0], make_plan(two_experiments(), 1))
               if item.repetition == number and not item.attest and item.experiment.name == 'a'] for number in (0, 1)]
    assert rounds[0] != rounds[1] and sorted(rounds[0]) == sorted(rounds[1])


def test_what_has_a_record_is_not_left():
    plan = make_plan(two_experiments(), 1)
    states = zip(plan, ('ok', 'failed', 'timeout'))
    records = [json.loads(json.dumps(record_of(item, status))) for item, status in states]
    assert left_of(plan, records) == plan[3:]
    assert key_of_record(records[0]) == plan[0].key
    # True is not 1, the order of keys does not count
    records = [{**record_of(plan[0]), 'point': dict(reversed(plan[0].point.items()))}]
    assert len(left_of(plan, records)) == len(plan) - 1


def test_time_left_begins_as_told_and_learns():
    plan = make_plan(two_experiments(), 1)
    expectation = Expectation()
    told = sum(item.experiment.seconds for item in plan)
    assert expectation.left(plan) == told
    for _ in range(3):
        expectation.add('a', 'x', 2.0, 4.0)
    assert expectation.seconds(next(item for item in plan if item.experiment.name == 'a')) == 4.0
    assert expectation.seconds(next(item for item in plan if item.experiment.name == 'b')) == 2.0
    assert expectation.left(plan) == 2 * told and expectation.left([]) == 0


@pytest.mark.parametrize('seconds, text', [(0, '0 s'), (-3, '0 s'), (59.6, '1 min 00 s'), (61, '1 min 01 s'),
                                           (3700, '1 h 01 min'), (12.4, '12 s')])
def test_durations_are_for_people(seconds, text):
    assert duration(seconds) == text


def test_progress_without_a_terminal_is_a_line_now_and_then():
    out = io.StringIO()
    progress = Progress(10, out)
    for status in ('ok', 'timeout', 'ok'):
        progress.step('one', 30)
        progress.count(status)
    assert out.getvalue().count('\n') == 1 and '\r' not in out.getvalue()
    assert progress.line('two', 90) == '[#######.................] 3/10  1 min 30 s left  2 ok, 1 timeout  two'


def test_progress_on_a_terminal_is_drawn_anew():
    class Terminal(io.StringIO):
        def isatty(self):
            return True
    out = Terminal()
    progress = Progress(2, out)
    progress.step('one', 3)
    progress.note('something failed')
    progress.step('two', 3)
    progress.close()
    assert out.getvalue().count('\r\x1b[K') == 4 and 'something failed\n' in out.getvalue()


def test_a_torn_last_line_is_cut_off_and_measured_again(tmp_path):
    plan = make_plan(two_experiments(), 1)
    kept = store.Store(tmp_path)
    for item in plan[:3]:
        kept.append(record_of(item))
    whole = kept.results.read_bytes()
    torn = json.dumps(record_of(plan[3])).encode()
    for cut in sorted(random.Random(7).sample(range(1, len(torn)), 20)) + [len(torn)]:
        kept.results.write_bytes(whole + torn[:cut])
        assert left_of(plan, kept.records()) == plan[3:]
        assert kept.results.read_bytes() == whole
    kept.append(record_of(plan[3]))
    assert left_of(plan, kept.records()) == plan[4:]


def test_a_damaged_line_in_the_middle_is_told(tmp_path):
    kept = store.Store(tmp_path)
    kept.results.write_text('{"experiment": "a"}\nnonsense\n')
    with pytest.raises(store.BadRun, match='results.jsonl:2: not a result'):
        kept.records()


def test_a_full_disk_leaves_whole_lines(tmp_path, monkeypatch):
    kept = store.Store(tmp_path)
    kept.append({'experiment': 'a'})
    before = kept.results.read_bytes()

    def full(_):
        raise OSError(errno.ENOSPC, 'No space left on device')
    monkeypatch.setattr(store.os, 'fsync', full)
    with pytest.raises(store.DiskFull):
        kept.append({'experiment': 'b'})
    assert kept.results.read_bytes() == before
    with pytest.raises(store.DiskFull):
        kept.write_run({})


def test_folders_of_runs_have_names_of_their_own(tmp_path):
    first, second = store.new_folder(tmp_path, 'studies'), store.new_folder(tmp_path, 'studies')
    assert first != second and first.name.endswith('-studies') and second.name.endswith('-studies-2')
    with pytest.raises(store.BadRun, match='no run'):
        store.find_run('studies', tmp_path)
    store.Store(first).write_run({'run': {}})
    assert store.find_run(first.name, tmp_path) == store.find_run(str(first), '/') == first.resolve()
    (first / 'run.json').write_text('{')
    with pytest.raises(store.BadRun, match='broken'):
        store.Store(first).read_run()
