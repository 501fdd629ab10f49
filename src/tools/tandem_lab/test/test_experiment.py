"""Broken experiment and suite files are told by line and field; good ones are read as they are meant."""

import re

import pytest
from fake_lab import SOURCE

from tandem_lab.inputs import contestants, experiment, suite
from tandem_lab.inputs.yamlfile import Broken

GOOD = """name: trying
title: A test
question: Does it work?
driver: peers
scenario: round_trip
contestants: [tandem, floors]
sweep:
  size: [16, 1024]
  subscribers: [1, 2]
settings: {count: 100}
repetitions: 3
seconds: 1.5
timeout: 20
attest: {size: [16]}
charts:
  - {kind: by_point, x: size, y: half_round_trip.p50, x_scale: log}
  - {kind: by_percentile, histogram: half_round_trip, at: {size: 1024, subscribers: all}}
rank: {metric: half_round_trip.p99.9, better: lower}
"""
BROKEN = [  # what is replaced, by what, line, field, a word of the error
    ('title: A test', 'titel: A test', 2, 'titel', 'not known'),
    ('title: A test', 'title:', 2, 'title', 'text'),
    ('title: A test', 'title: [a]', 2, 'title', 'text'),
    ('title: A test\n', '', 1, 'title', 'missing'),
    ('name: trying', 'name: Trying', 1, 'name', 'small letters'),
    ('name: trying', 'name: other', 1, 'name', 'name of the file'),
    ('driver: peers', 'driver: pears', 4, 'driver', "'pears' is not one of: peers"),
    ('scenario: round_trip\n', '', 1, 'scenario', 'missing'),
    ('scenario: round_trip', 'scenario: ../x', 5, 'scenario', 'no name'),
    ('driver: peers', 'driver: bench', 5, 'scenario', 'only the driver peers'),
    ('contestants: [tandem, floors]', 'contestants: tandem', 6, 'contestants', 'list of names'),
    ('contestants: [tandem, floors]', 'contestants: []', 6, 'contestants', 'list of names'),
    ('contestants: [tandem, floors]', 'contestants: [1]', 6, 'contestants', 'list of names'),
    ('size: [16, 1024]', 'size: 16', 8, 'sweep.size', 'list of values'),
    ('size: [16, 1024]', 'size: []', 8, 'sweep.size', 'list of values'),
    ('size: [16, 1024]', 'size: [16, [1]]', 8, 'sweep.size[1]', 'number'),
    ('size: [16, 1024]', 'size:\n    - 16\n    - 16', 10, 'sweep.size[1]', 'twice'),
    ('size: [16, 1024]', 'size: [2026-01-02]', 8, 'sweep.size[0]', 'quotes'),
    ('size: [16, 1024]', 'siez: [16, 1024]', 8, 'sweep.siez', 'not known to round_trip'),
    ('{count: 100}', '{counts: 100}', 10, 'settings.counts', 'not known to round_trip'),
    ('{count: 100}', '{count: {a: 1}}', 10, 'settings.count', 'value'),
    ('settings: {count: 100}', 'settings: [count]', 10, 'settings', 'fields with values'),
    ('repetitions: 3', 'repetitions: 0', 11, 'repetitions', 'at least 1'),
    ('repetitions: 3', 'repetitions: 2.5', 11, 'repetitions', 'whole number'),
    ('repetitions: 3', 'repetitions: true', 11, 'repetitions', 'whole number'),
    ('repetitions: 3', 'repetitions: 3\nrepetitions: 4', 12, 'repetitions', 'twice'),
    ('seconds: 1.5', 'seconds: fast', 12, 'seconds', 'a number'),
    ('seconds: 1.5', 'seconds: .nan', 12, 'seconds', 'a number'),
    ('timeout: 20', 'timeout: 1', 13, 'timeout', 'less than'),
    ('attest: {size: [16]}', 'attest: maybe', 14, 'attest', 'true, false'),
    ('attest: {size: [16]}', 'attest: {size: [17]}', 14, 'attest.size', '17 is not in the sweep'),
    ('attest: {size: [16]}', 'attest: {rate: [17]}', 14, 'attest.rate', 'no key of the sweep'),
    ('kind: by_point', 'kind: pie', 16, 'charts[0].kind', "'pie'"),
    ('x: size, ', '', 16, 'charts[0].x', 'missing'),
    ('x: size, ', 'x: sizes, ', 16, 'charts[0].x', 'no key of the sweep'),
    ('y: half_round_trip.p50', 'y: half_round_trip.50', 16, 'charts[0].y', 'no metric'),
    ('y: half_round_trip.p50', 'y: services.p50', 16, 'charts[0].y', 'no metric'),
    ('x_scale: log', 'x_scale: logarithmic', 16, 'charts[0].x_scale', 'linear'),
    ('x_scale: log', 'colour: red', 16, 'charts[0].colour', 'not known to a chart'),
    ('histogram: half_round_trip', 'histogram: round_trip', 17, 'charts[1].histogram', 'not one of'),
    ('at: {size: 1024,', 'at: {size: 1025,', 17, 'charts[1].at.size', '1025 is not in the sweep'),
    ('at: {size: 1024,', 'at: {rate: 1025,', 17, 'charts[1].at.rate', 'no key of the sweep'),
    ('at: {size: 1024, subscribers: all}', 'at: 7', 17, 'charts[1].at', 'keys of the sweep'),
    ('better: lower', 'better: less', 18, 'rank', 'lower'),
    ('metric: half_round_trip.p99.9', 'metric: p99', 18, None, None),
]


@pytest.mark.parametrize('case', BROKEN, ids=lambda case: str(case[1])[:40].replace('\n', '/'))
def test_a_broken_file_names_line_and_field(tmp_path, case):
    old, new, line, field, words = case
    assert GOOD.count(old) == 1, old
    path = tmp_path / 'trying.yaml'
    path.write_text(GOOD.replace(old, new))
    if field is None:
        assert experiment.load(path).rank['metric'] == 'p99'
        return
    with pytest.raises(Broken) as caught:
        experiment.load(path)
    assert str(caught.value).startswith("%s:%d: field '%s': " % (path, line, field)), caught.value
    assert words in str(caught.value)


@pytest.mark.parametrize('text, line, words', [
    ('name: [1\n', 2, 'not YAML'), ('', 1, 'empty'), ('- a\n', 1, 'fields with values'),
    ('7\n', 1, 'fields with values'),
    ('name: a\n\ttitle: b\n', 2, 'not YAML'), ('a: &x [*x]\n', 1, ''), ('? [a]\n: b\n', 1, 'name is expected'),
    ('name: !!python/object:os.system {}\n', 1, ''), ('a: "b\n', 2, 'not YAML')])
def test_what_is_no_experiment_is_said(tmp_path, text, line, words):
    path = tmp_path / 'trying.yaml'
    path.write_text(text)
    with pytest.raises(Broken) as caught:
        experiment.load(path)
    assert re.match(re.escape(str(path)) + r':\d+: ', str(caught.value)) and words in str(caught.value)
    assert ':%d: ' % line in str(caught.value)


@pytest.mark.parametrize('content', [b'\x00\x01\x02', b'name: \xff\xfe', b'a: ' + b'[' * 1200, b'x' * (2 << 20),
                                     b'a: &a [1, 1]\nb: &b [*a, *a]\nc: [*b, *b]\n' * 3],
                         ids=['binary', 'not UTF-8', 'deep', 'large', 'aliases'])
def test_odd_bytes_are_an_error_and_no_crash(tmp_path, content):
    path = tmp_path / 'trying.yaml'
    path.write_bytes(content)
    with pytest.raises(Broken):
        experiment.load(path)


def test_files_that_are_not_there_are_said(tmp_path):
    with pytest.raises(Broken, match='No such file'):
        experiment.load(tmp_path / 'nothing.yaml')
    with pytest.raises(Broken, match='directory'):
        experiment.load(tmp_path)


def test_a_good_file_is_read(tmp_path):
    path = tmp_path / 'trying.yaml'
    path.write_text(GOOD)
    one = experiment.load(path)
    assert one.points() == [{'size': 16, 'subscribers': 1}, {'size': 16, 'subscribers': 2},
                            {'size': 1024, 'subscribers': 1}, {'size': 1024, 'subscribers': 2}]
    assert one.attested({'size': 16, 'subscribers': 2}) and not one.attested({'size': 1024, 'subscribers': 2})
    assert experiment.from_dict(one.to_dict()) == one


def write_suite(tmp_path, entry):
    (tmp_path / 'trying.yaml').write_text(GOOD)
    path = tmp_path / 'all.yaml'
    path.write_text('name: all\ntitle: All\nminutes: 1\nexperiments:\n  - ' + entry + '\n')
    return path


def test_a_suite_changes_what_it_names(tmp_path):
    path = write_suite(tmp_path, '{use: trying, name: less, repetitions: 1, sweep: {size: [16]}, '
                                 'settings: {warm_up: 5}, contestants: [tandem]}')
    one, = suite.load(str(path)).experiments
    assert (one.name, one.repetitions, one.contestants) == ('less', 1, ['tandem'])
    assert one.sweep == {'size': [16], 'subscribers': [1, 2]} and one.settings == {'count': 100, 'warm_up': 5}
    assert [chart['kind'] for chart in one.charts] == ['by_point']  # the other one is at a size that is not there


def test_a_suite_makes_a_setting_of_a_sweep_and_back(tmp_path):
    path = write_suite(tmp_path, '{use: trying, sweep: {count: [5, 6]}, settings: {subscribers: 2}}')
    one, = suite.load(str(path)).experiments
    assert one.sweep == {'size': [16, 1024], 'count': [5, 6]} and one.settings == {'subscribers': 2}


@pytest.mark.parametrize('entry, field, words', [
    ('{use: nothing}', 'experiments[0].use', "there is no experiment 'nothing'"),
    ('{use: nothing.yaml}', 'experiments[0].use', 'there is no file'),
    ('{user: trying}', 'experiments[0].user', 'not known'),
    ('trying', 'experiments[0]', 'fields with values'),
    ('{use: trying, sweep: {sizes: [1]}}', 'experiments[0].sweep.sizes', 'not known'),
    ('{use: trying, sweep: {size: 1}}', 'experiments[0].sweep.size', 'list of values'),
    ('{use: trying, attest: {size: [17]}}', 'experiments[0].attest.size', 'not in the sweep'),
    ('{use: trying, repetitions: -1}', 'experiments[0].repetitions', 'at least 1'),
    ('{use: trying, timeout: 0.5}', 'experiments[0].timeout', 'less than'),
    ('{use: trying}\n  - {use: trying}', 'experiments[1].use', 'another name')])
def test_a_broken_suite_names_line_and_field(tmp_path, entry, field, words):
    path = write_suite(tmp_path, entry)
    with pytest.raises(Broken) as caught:
        suite.load(str(path))
    assert str(caught.value).startswith('%s:' % path) and words in str(caught.value)
    assert "field '%s'" % field in str(caught.value) or words == 'fields with values'


def test_what_is_shipped_is_good():
    known = contestants.load(SOURCE / 'contestants.yaml')
    for name in suite.shipped('experiments'):
        assert contestants.expand(suite.load(name).experiments[0].contestants, known)
    suites = {name: suite.load(name) for name in suite.shipped('suites')}
    assert {'studies', 'full'} <= set(suites)
    assert {one.name for one in suites['full'].experiments} == set(suite.shipped('experiments'))


def test_groups_stand_for_contestants():
    known = contestants.load(SOURCE / 'contestants.yaml')
    assert contestants.expand(['floor-tcp', 'floors', 'tandem'], known)[0] == 'floor-tcp'
    assert contestants.expand(['transports'], known)[:3] == ['tandem', 'fastdds', 'cyclonedds']
    assert 'fastdds-vendor' in contestants.expand(['vendor'], known)
    assert 'tandem' in contestants.expand(['zero_copy'], known)
    assert len(contestants.expand(['all', 'tandem'], known)) == len(known)
    with pytest.raises(Broken, match="no contestant or group 'carrier-pigeon'"):
        contestants.expand(['carrier-pigeon'], known)
    vendor = known['fastdds-vendor'].environment()
    assert vendor == {'RMW_IMPLEMENTATION': 'rmw_fastrtps_cpp', 'TANDEM_TRANSPORT_TUNING': 'vendor'}
    assert known['iceoryx'].environment()['TANDEM_ICEORYX_ROUDI'] == 'start'


def test_broken_contestants_are_told(tmp_path):
    path = tmp_path / 'contestants.yaml'
    path.write_text('contestants:\n  - {id: a, title: A, kind: floor, link: x}\n  - {id: a, title: A, kind: floor}\n')
    with pytest.raises(Broken, match=r"contestants.yaml:3: field 'contestants\[1\].id': 'a' is there twice"):
        contestants.load(path)
    path.write_text('contestants:\n  - {id: a, title: A, kind: pigeon}\n')
    with pytest.raises(Broken, match=r":2: field 'contestants\[0\].kind'"):
        contestants.load(path)
