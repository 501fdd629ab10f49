"""`tandem lab compare`: what counts as a change, and what cannot be compared."""

import copy
import json

import pytest

from tandem_lab.analysis import analysis, compare
from made_up_run import make


@pytest.fixture(scope='module')
def document(tmp_path_factory):
    return analysis.build(make(tmp_path_factory.mktemp('run'), 100, only=['round-trip', 'throughput']))


@pytest.fixture
def save(tmp_path):
    def write(document, name):
        path = tmp_path / f'{name}.json'
        path.write_text(json.dumps(document))
        return path
    return write


def scaled(document, experiment, contestant, factor):
    changed = copy.deepcopy(document)
    for section in changed['sections']:
        for ranking in section['ranking'] if section['id'] == experiment else ():
            for row in ranking['rows']:
                if row['contestant'] == contestant:
                    row.update({name: row[name] * factor for name in ('value', 'low', 'high')})
    return changed


def verdicts(found, **wanted):
    return {row.verdict for row in found.rows if all(getattr(row, key) == value for key, value in wanted.items())}


def test_the_same_run_has_not_changed(document, save):
    path = save(document, 'a')
    found = compare.compare(path, path)
    assert found.status == 0 and not found.warnings and verdicts(found) == {'same'}
    assert 'not changed' in compare.render(found)


def test_slower_and_faster(document, save, capsys):
    a, b = save(document, 'a'), save(scaled(document, 'round-trip', 'fastdds', 2.0), 'b')
    found = compare.compare(a, b)
    assert found.status == 1 and verdicts(found, contestant='fastdds', experiment='round-trip') == {'worse'}
    assert verdicts(found, contestant='tandem') == {'same'}
    back = compare.compare(b, a)
    assert back.status == 0 and verdicts(back, contestant='fastdds', experiment='round-trip') == {'better'}
    row = next(row for row in found.rows if row.verdict == 'worse')
    assert row.change.value == pytest.approx(2.0) and row.change.low < 2 < row.change.high
    assert compare.main(a, b, 10, False) == 1 and 'Fast DDS' in capsys.readouterr().out
    assert compare.main(a, b, 10, True) == 1
    assert json.loads(capsys.readouterr().out)['status'] == 1


def test_less_throughput_is_worse(document, save):
    a, b = save(document, 'a'), save(scaled(document, 'throughput', 'tandem', 0.5), 'b')
    assert verdicts(compare.compare(a, b), contestant='tandem', experiment='throughput') == {'worse'}
    assert compare.compare(b, a).status == 0


def test_change_must_be_beyond_threshold_and_noise(document, save):
    a, b = save(document, 'a'), save(scaled(document, 'round-trip', 'fastdds', 2.0), 'b')
    assert compare.compare(a, b, threshold=150).status == 0
    assert compare.compare(a, b, threshold=90).status == 1
    # Beyond the threshold, but the intervals overlap.
    wide = scaled(document, 'round-trip', 'fastdds', 1.2)
    for section in wide['sections']:
        for ranking in section['ranking']:
            for row in ranking['rows']:
                row['low'] = row['value'] / 3
    assert compare.compare(a, save(wide, 'wide')).status == 0


def test_verdict_of_zero():
    from tandem_lab.results.statistics import Estimate
    nothing, some = Estimate(0.0, 0.0, 0.0, 3), Estimate(5.0, 4.0, 6.0, 3)
    assert compare.verdict(nothing, some, 'lower', 1.1) == 'worse'
    assert compare.verdict(some, nothing, 'lower', 1.1) == 'better'
    assert compare.verdict(nothing, nothing, 'lower', 1.1) == 'same'
    assert compare.verdict(Estimate(1.0, None, None, 1), some, 'lower', 1.1) == 'unknown'


def test_a_floor_that_moved_is_the_machine(document, save):
    a, b = save(document, 'a'), save(scaled(document, 'round-trip', 'floor-futex', 3.0), 'b')
    found = compare.compare(a, b)
    assert found.status == 0 and 'The floors changed' in compare.render(found)


def test_what_fails_now_is_worse(document, save):
    changed = copy.deepcopy(document)
    for section in changed['sections']:
        for ranking in section['ranking']:
            ranking['rows'] = [row for row in ranking['rows'] if row['contestant'] != 'zeromq']
    a = save(document, 'a')
    assert compare.compare(a, save(changed, 'left-out')).status == 0  # not part of B, which is no failure
    changed['failures'].append({'experiment': 'round-trip', 'contestant': 'zeromq', 'point': {'size': 16},
                                'status': 'timeout', 'reason': 'hangs', 'count': 3})
    found = compare.compare(a, save(changed, 'fails'))
    assert found.status == 1 and 'hangs' in compare.render(found)
    json.dumps(compare.to_json(found), allow_nan=False)


def test_warnings(document, save):
    other = copy.deepcopy(document)
    other['machine']['facts'][0]['value'] = 'another processor'
    other['contestants'][1]['version'] = '9.9'
    other['run'].update(suite='full', complete=False)
    text = '\n'.join(compare.compare(save(document, 'a'), save(other, 'b')).warnings)
    for words in ('another processor', '9.9', 'different suites', 'B was not finished'):
        assert words in text


def test_what_cannot_be_compared(document, save, tmp_path):
    a = save(document, 'a')
    empty = copy.deepcopy(document)
    empty['sections'] = []
    once = copy.deepcopy(document)
    for section in once['sections']:
        for ranking in section['ranking']:
            for row in ranking['rows']:
                row.update(low=None, high=None, n=1)
    torn = tmp_path / 'torn.json'
    torn.write_text('{"schema": 1, ')
    wrong = save({'schema': 1, 'sections': 3}, 'wrong')
    nan = save(scaled(document, 'round-trip', 'tandem', float('nan')), 'nan')
    for other in (save(empty, 'empty'), save(once, 'once'), torn, wrong, nan, tmp_path / 'nowhere', tmp_path):
        found = compare.compare(a, other)
        assert found.status == 2 and found.error and 'cannot be compared' in compare.render(found)
    assert compare.compare(a, a, threshold=-1).status == 2 and compare.compare(a, a, threshold=float('nan')).status == 2


def test_folders_of_runs(document, tmp_path):
    folder = make(tmp_path / 'run', 50, only=['throughput'])
    found = compare.compare(folder, folder)
    assert found.status == 0 and {row.experiment for row in found.rows} == {'throughput'}
