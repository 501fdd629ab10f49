"""analysis.json: charts, rankings and verdicts of a made-up run; honest of runs that are partial, damaged or empty."""

import functools
import gzip
import json
import random
import shutil
from pathlib import Path

import jsonschema
import numpy
import pytest

import made_up_run
from tandem_lab.analysis import analysis, chart_data, metrics, sample_charts, section_tables, verdict
from tandem_lab.results import records
from tandem_lab.results.histogram import Histogram
from tandem_lab.results.hlog import Entry, write_log

SCHEMA = Path(__file__).resolve().parents[1] / 'schema'


@functools.lru_cache(maxsize=None)
def validator(name):
    return jsonschema.Draft7Validator(json.loads((SCHEMA / f'{name}.schema.json').read_text()))


def check(document):
    """It follows the schema, and is JSON as others understand it."""
    copied = json.loads(json.dumps(document, allow_nan=False))
    for part in copied['sections']:
        for drawn in (drawn for one in part['charts'] for drawn in one['series']):
            # The validator is slow, and one point of a curve is like the next.
            drawn['points'], drawn['band'] = drawn['points'][:5], drawn.get('band', [])[:2]
    errors = validator('analysis').iter_errors(copied)
    assert [f'{list(error.absolute_path)}: {error.message[:200]}' for error in errors] == []
    return document


@pytest.fixture(scope='module')
def folder(tmp_path_factory):
    return made_up_run.make(tmp_path_factory.mktemp('made-up'), messages=120)


@pytest.fixture(scope='module')
def document(folder):
    return check(analysis.analyse(folder))


def section(document, name):
    return next(one for one in document['sections'] if one['id'] == name)


def chart(document, name, kind):
    return next(one for one in section(document, name)['charts'] if one['kind'] == kind)


def series(chart, contestant):
    return next(one for one in chart['series'] if one['contestant'] == contestant)


class Trials:
    """Writes the folder of a small run: figures and histograms of one experiment."""

    def __init__(self, folder, **fields):
        self.folder, self.lines, self.others = folder, [], []
        self.experiment = made_up_run.experiment('test', contestants=['tandem', 'fastdds', 'floor-futex'], **fields)

    def add(self, contestant, point=None, status='ok', **more):
        line = {'schema': 1, 'experiment': 'test', 'contestant': contestant, 'point': point or {}, 'pass': 'measure',
                'repetition': len(self.lines), 'status': status, 'reason': '', 'folder': f'trials/{len(self.lines)}',
                'figures': {}, 'histograms': {}, 'samples': {}, 'notes': [], **more}
        self.lines.append(line)
        (self.folder / line['folder']).mkdir(parents=True)
        return self.folder / line['folder']

    def write(self):
        run = made_up_run.run_json()
        run['experiments'] = [self.experiment]
        run['contestants'] += self.others
        (self.folder / 'run.json').write_text(json.dumps(run))
        (self.folder / 'results.jsonl').write_text(''.join(json.dumps(line) + '\n' for line in self.lines))
        return check(analysis.analyse(self.folder))


def test_results_follow_their_schema(folder):
    check_line = validator('trial')
    for line in (folder / 'results.jsonl').read_text().splitlines():
        check_line.validate(json.loads(line))


def test_written_as_returned(folder, document):
    assert json.loads((folder / 'analysis.json').read_text()) == json.loads(json.dumps(document))
    assert (folder / 'analysis.json').stat().st_size < 8_000_000


def test_every_kind_of_chart_is_drawn(document):
    shapes = {one['kind']: one['shape'] for part in document['sections'] for one in part['charts']}
    assert shapes == {'by_point': 'line', 'by_percentile': 'steps', 'by_number': 'dots', 'jitter': 'dots',
                      'queue': 'dots', 'boxes': 'boxes', 'bars': 'bars', 'by_layer': 'layers'}
    ids = [one['id'] for part in document['sections'] for one in part['charts']]
    assert len(ids) == len(set(ids))


def test_points_are_medians_with_intervals(document):
    point = series(chart(document, 'round-trip', 'by_point'), 'tandem')['points'][0]
    assert point['x'] == 16 and point['n'] == 5
    assert point['low'] < point['y'] < point['high'] and point['y'] == pytest.approx(9000, rel=0.1)


def test_facets_and_variants(document):
    titles = [one['title'] for one in section(document, 'pinning')['charts']]
    assert 'Latency, p50 (pinned both)' in titles and len(titles) == 5
    names = [one['name'] for one in chart(document, 'perf-test-size', 'by_point')['series']]
    assert 'Tandem · zero copy: yes' in names and 'Tandem · zero copy: no' in names
    assert 'Fast DDS · zero copy: yes' not in names  # unsupported


def test_omitted_say_why(document):
    reasons = {one['contestant']: one['reason'] for one in chart(document, 'throughput', 'by_point')['omitted']}
    assert reasons == {'iceoryx2': 'ended after 20 s: subscribe had not said done',
                       'opensplice': 'its SDK is not installed here', 'connext': 'its SDK is not installed here'}


def test_absent_have_the_studies_figures(document):
    absent = {one['contestant']: one for one in document['absent']}
    assert set(absent) == {'opensplice', 'connext'} and absent['connext']['reason']
    assert any(one['value'] == '0.039 ms' for one in absent['connext']['studies'])


def test_failures_are_counted(document):
    failures = [one for one in document['failures'] if one['contestant'] == 'cyclonedds']
    assert len(failures) == 4 and all(one['count'] == 1 and 'signal 11' in one['reason'] for one in failures)
    assert document['run']['trials']['failed'] == 4
    assert any('Cyclone DDS: 4 of 12 trials failed' in text for text in section(document, 'pinning')['caveats'])


def test_ranking_and_verdict_agree(document):
    ranking = section(document, 'round-trip')['ranking'][-1]
    assert ranking['point'] == {'size': 1048576} and ranking['rows'][0]['reference']
    first = next(row for row in ranking['rows'] if row['rank'] == 1)
    told = [one for one in document['verdict'] if one['experiment'] == 'round-trip'][-1]
    assert told['point'] == ranking['point'] and told['certainty'] == 'clear'
    assert first['contestant'] == told['winner'] == 'tandem'
    assert told['ratio_low'] < told['ratio'] < told['ratio_high'] and told['ratio'] == pytest.approx(2, rel=0.15)
    assert 'Tandem is first at size 1 MiB' in told['text'] and 'the fastest floor, floor: futex' in told['text']
    assert not any(one['winner'] and one['winner'].startswith('floor') for one in document['verdict'])


def test_where_we_are_not_first_it_says_why(document):
    behind = [one for one in document['verdict'] if (one['ours']['rank'] or 1) > 1]
    assert behind and all('behind iceoryx2' in one['ours']['why'] for one in behind)
    measured = next(one for one in behind if one['experiment'] == 'round-trip')
    assert '4 system calls against 2' in measured['ours']['why']
    assert 'no cause measured' in next(one for one in behind if one['experiment'] == 'pinning')['ours']['why']
    for one in document['verdict']:
        assert one['ours']['why'] or one['winner'] == 'tandem'


def test_two_repetitions_decide_nothing(document):
    rows = [one for one in document['verdict'] if one['experiment'] == 'subscribers']
    assert len(rows) == 5 and all(one['certainty'] == 'unknown' and one['winner'] is None for one in rows)
    assert all(row['rank'] is None and row['low'] is None
               for ranking in section(document, 'subscribers')['ranking'] for row in ranking['rows'])


def test_tables(document):
    tables = {one['title']: one for part in document['sections'] for one in part['tables']}
    crossing = tables['Where round trip / 2, p50 crosses, by message size']
    row = next(row for row in crossing['rows'] if row[:2] == ['ZeroMQ', 'Fast DDS'])
    # 14000 + 0.9 x = 21000 + 0.35 x
    assert row[3].startswith('1 KiB to ')
    assert int(row[2].split()[0].replace(',', '')) == pytest.approx(12_700, rel=0.4)
    assert ['Fast DDS', 'mode unicast', 'UDP', 'multicast'] == tables['Properties']['rows'][0][:4]
    attested = {(row[0], row[1]): row for row in tables['Attestation']['rows']}
    assert attested['Tandem', 'size 1 MiB'][3:5] == ['yes', '0 byte']
    assert attested['ZeroMQ', 'size 1 MiB'][3:5] == ['no', '3 MiB']
    assert any(row[4] == 'FastRTPS' or row[1] == 'FastRTPS' for row in tables['Beside the studies\' figures']['rows'])


def test_layers_add_up(document):
    points = series(chart(document, 'layers', 'by_layer'), 'tandem')['points']
    assert [point['x'] for point in points] == ['floor', 'core', 'transport', 'rclcpp']
    assert sum(point['added'] for point in points) == pytest.approx(points[-1]['y'], rel=1e-3)


def test_a_stalled_publisher_shows_in_intended_and_not_in_service(tmp_path):
    """Coordinated omission: 1000 messages are due 1 ms apart, the publisher hangs for 200 ms and then catches up."""
    trials = Trials(tmp_path, repetitions=3, rank={'metric': 'intended.p99', 'better': 'lower'},
                    charts=[{'kind': 'bars', 'y': 'service.p99'}, {'kind': 'bars', 'y': 'intended.p99'},
                            {'kind': 'by_number', 'samples': 'intended'}, {'kind': 'by_number', 'samples': 'service'}])
    generator = numpy.random.default_rng(11)
    for contestant, stall in (('tandem', 0), ('fastdds', 200_000_000)) * 3:
        due = 10 ** 12 + numpy.arange(1000) * 1_000_000
        sent = numpy.maximum.accumulate(numpy.where(numpy.arange(1000) >= 500, due[500] + stall, due))
        sent = numpy.maximum(sent, due)
        service = generator.lognormal(10, 0.05, 1000).astype(int)
        where = trials.add(contestant, histograms={'service': 'all.hlog', 'intended': 'all.hlog'},
                           samples={'service': 'subscribe.csv.gz'})
        counted = Histogram(), Histogram()
        counted[0].record(service)
        counted[1].record(sent - due + service)
        write_log(where / 'all.hlog', [Entry(n, 0, 1, h) for n, h in zip(('service', 'intended'), counted)])
        rows = zip(range(1, 1001), sent, sent + service, (sent - due) // 1000)
        text = 'sequence,sent_ns,received_ns,lateness_us\n' + ''.join('%d,%d,%d,%d\n' % row for row in rows)
        (where / 'subscribe.csv.gz').write_bytes(gzip.compress(text.encode()))
    document = trials.write()
    service, intended, by_due, by_sent = section(document, 'test')['charts']
    values = {(one['y']['label'], name): series(one, name)['points'][0]['y']
              for one in (service, intended) for name in ('tandem', 'fastdds')}
    service99, intended99 = 'latency, p99', 'latency from when it was due, p99'
    assert values[service99, 'fastdds'] == pytest.approx(values[service99, 'tandem'], rel=0.05)
    assert values[intended99, 'fastdds'] > 1000 * values[intended99, 'tandem']
    assert document['verdict'][0]['winner'] == 'tandem'
    greatest = {name: max(p['y'] for p in series(by_due, name)['points']) for name in ('tandem', 'fastdds')}
    assert greatest['fastdds'] == pytest.approx(200e6, rel=0.01) and greatest['tandem'] < 1e6
    assert max(p['y'] for p in series(by_sent, 'fastdds')['points']) < 1e6
    rows = next(one for one in section(document, 'test')['tables'] if 'omission' in one['title'])['rows']
    assert rows[0][0] == 'Fast DDS' and rows[0][-1] == '200 ms'


def test_percentiles_without_enough_samples_are_left_out(tmp_path):
    trials = Trials(tmp_path, charts=[{'kind': 'bars', 'y': f'service.{which}'} for which in ('p99.9', 'p99', 'p50')],
                    rank={'metric': 'service.p99', 'better': 'lower'})
    for _ in range(3):
        histogram = Histogram()
        histogram.record(range(500))
        where = trials.add('tandem', histograms={'service': 'all.hlog'})
        write_log(where / 'all.hlog', [Entry('service', 0, 1, histogram)])
    document = trials.write()
    highest, high, middle = section(document, 'test')['charts']
    omitted = {'contestant': 'tandem', 'reason': 'too few samples for p99.9'}
    assert not highest['series'] and highest['omitted'][0] == omitted
    # All trials together have enough for p99: a point without an interval.
    assert high['series'][0]['points'][0] == {'x': 'Tandem', 'y': 494, 'low': None, 'high': None, 'n': 3}
    assert middle['series'][0]['points'][0]['n'] == 3 and middle['series'][0]['points'][0]['low'] < 249
    assert document['verdict'][0]['ours'] == {'rank': None, 'why': 'no figure: too few samples for p99'}


def test_zero_and_odd_figures(tmp_path):
    trials = Trials(tmp_path, rank={'metric': 'lost', 'better': 'lower'}, charts=[{'kind': 'bars', 'y': 'lost'}])
    for value in (0, 0, 0):
        trials.add('tandem', figures={'lost': value, 'cpu_ns_per_msg': None})
    for value in (7, 7, 8, float('nan'), None, 'many', float('inf')):
        trials.add('fastdds', figures={'lost': value})
    told = trials.write()['verdict'][0]
    assert told['winner'] == 'tandem' and told['ratio'] is None and '0 against 7' in told['text']


def test_only_floors(tmp_path):
    trials = Trials(tmp_path, rank={'metric': 'cpu_ns_per_msg', 'better': 'lower'},
                    charts=[{'kind': 'bars', 'y': 'cpu_ns_per_msg'}])
    for _ in range(3):
        trials.add('floor-futex', figures={'cpu_ns_per_msg': 5.0})
        trials.add('tandem', status='failed', reason='no')
    document = trials.write()
    assert document['verdict'][0]['text'].startswith('No system has a figure (Tandem: failed: no; Fast DDS: ')
    assert document['verdict'][0]['winner'] is None


def test_a_variant_of_ours_is_no_competitor(tmp_path):
    trials = Trials(tmp_path, rank={'metric': 'cpu_ns_per_msg', 'better': 'lower'})
    trials.others = [{'id': 'tandem-sleeping', 'title': 'Tandem, without spinning', 'kind': 'transport', 'version': '',
                      'settings': 'variant', 'reason': ''}]
    trials.experiment['contestants'].append('tandem-sleeping')
    for value in (5.0, 5.1, 5.2):
        trials.add('tandem', figures={'cpu_ns_per_msg': value})
        trials.add('tandem-sleeping', figures={'cpu_ns_per_msg': value - 0.05})
        trials.add('fastdds', figures={'cpu_ns_per_msg': 4 * value})
    document = trials.write()
    found = document['verdict'][0]
    assert (found['winner'], found['runner_up']) == ('tandem', 'fastdds') and 'floor' not in found['text']
    ranking = section(document, 'test')['ranking'][0]
    assert [row['rank'] for row in ranking['rows']] == [None, 1, 2] and 'floor' not in ranking


def test_only_one_contestant(tmp_path):
    made_up_run.make(tmp_path, 50, only=['layers'])
    document = check(analysis.analyse(tmp_path))
    assert document['headline'] == ['Nothing was ranked in this run.']
    trials = Trials(tmp_path / 'one', rank={'metric': 'cpu_ns_per_msg', 'better': 'lower'})
    for _ in range(3):
        trials.add('tandem', figures={'cpu_ns_per_msg': 5.0})
    told = trials.write()['verdict'][0]
    assert told['text'].startswith('Only Tandem was measured') and told['certainty'] == 'unknown'


def test_interrupted_run_says_so(folder, tmp_path):
    shutil.copytree(folder, tmp_path / 'run')
    lines = (folder / 'results.jsonl').read_text().splitlines(keepends=True)
    run = json.loads((folder / 'run.json').read_text())
    run['run']['complete'] = False
    (tmp_path / 'run/run.json').write_text(json.dumps(run))
    (tmp_path / 'run/results.jsonl').write_text(''.join(lines[:100]) + lines[100][:80])
    document = check(analysis.analyse(tmp_path / 'run'))
    problems = '\n'.join(document['run']['problems'])
    assert 'This run was not finished' in problems and 'line 101 is cut off or damaged' in problems
    assert not document['run']['complete']


def test_nothing_measured(folder, tmp_path):
    shutil.copy(folder / 'run.json', tmp_path)
    for text in (None, '', '\n\n'):
        if text is not None:
            (tmp_path / 'results.jsonl').write_text(text)
        document = check(analysis.analyse(tmp_path))
        assert 'Nothing was measured in this run.' in document['run']['problems']
        assert not document['run']['complete'] and document['sections']


def test_no_run_json(folder, tmp_path):
    shutil.copy(folder / 'results.jsonl', tmp_path)
    for text in (None, '{"run": ', '[]',
                 '{"run": 3, "contestants": [1, {}], "experiments": [{}, 5], "machine": []}',
                 '{"experiments": [{"name": "round-trip", "sweep": 3, "rank": [], "charts": {}, "contestants": [{}]},'
                 ' {"name": "throughput", "sweep": {"size": 3}, "title": 1, "rank": {"metric": 5}, "charts": [[]]}]}'):
        if text is not None:
            (tmp_path / 'run.json').write_text(text)
        document = check(analysis.analyse(tmp_path))
        assert document['run']['problems'] and {one['id'] for one in document['contestants']} >= {'tandem', 'floor-tcp'}


def test_no_run_at_all(tmp_path):
    for where in (tmp_path, tmp_path / 'nowhere'):
        with pytest.raises(records.RunError, match='not the folder of a run'):
            analysis.build(where)


def test_damaged_files_never_crash(tmp_path):
    """Files vanish, are cut off, or get other bytes; what cannot be read is left out and said."""
    folder = made_up_run.make(tmp_path / 'whole', messages=50, only=['subscribers', 'delay-study'])
    seed = random.randrange(1 << 30)
    print('seed', seed)
    generator = random.Random(seed)
    for round in range(3):
        here = tmp_path / str(round)
        shutil.copytree(folder, here)
        files = sorted(path for path in here.rglob('*') if path.is_file() and path.name != 'analysis.json')
        for path in generator.sample(files, len(files) // 3) + [here / 'results.jsonl'] * (round % 2):
            data = bytearray(path.read_bytes())
            what = generator.randrange(3)
            if what == 0 and path.parent != here:
                path.unlink(missing_ok=True)
            elif what == 1:
                path.write_bytes(data[:generator.randrange(len(data) + 1)])
            else:
                for _ in range(5):
                    data[generator.randrange(len(data))] = generator.randrange(256)
                path.write_bytes(data)
        assert check(analysis.analyse(here))['run']['problems']


def test_broken_lines_and_charts(tmp_path):
    trials = Trials(tmp_path, sweep={'size': [1, 2]},
                    charts=[{'kind': 'by_point', 'x': 'size', 'y': 'sent'}, {'kind': 'by_point'}, 7,
                            {'kind': 'pie'}, {'kind': []},
                            {'kind': 'by_point', 'x': 'nothing', 'y': 'sent'}, {'kind': 'queue', 'samples': 'service'}])
    trials.add('tandem', {'size': 1}, figures={'sent': 3}, samples={'service': '../../../etc/passwd'})
    trials.add('tandem', {'size': True}, figures={'sent': 4})  # true is not 1
    trials.write()
    with open(tmp_path / 'results.jsonl', 'a') as file:
        for line in ('null', '{}', '[1]', '{"experiment": "test", "contestant": "tandem", "status": "great"}', '\0',
                     '{"experiment": 1}', '{"schema": 9, "experiment": "test", "contestant": "a", "status": "ok"}',
                     '{"experiment": "test", "contestant": "who", "status": "ok", "figures": 3, "point": []}',
                     '{"experiment": "test", "contestant": "tandem", "status": "ok", "point": {"size": [1]}}',
                     '[' * 9999):
            file.write(line + '\n')
    document = check(analysis.analyse(tmp_path))
    assert len([text for text in document['run']['problems'] if 'left out' in text]) == 9
    assert any('outside of the run' in text for text in document['run']['problems'])
    assert series(section(document, 'test')['charts'][0], 'tandem')['points'][0]['y'] == 3


def test_thinning_keeps_extremes():
    x = numpy.arange(1, 100_001)
    y = numpy.random.default_rng(3).normal(0, 1, 100_000)
    y[77_777] = 99
    points = sample_charts.thinned(x, y, 250)
    assert len(points) <= 500 and (77_778, 99.0) in points and [p[0] for p in points] == sorted(p[0] for p in points)
    assert min(p[1] for p in points) == y.min()
    assert sample_charts.thinned(x[:3], y[:3], 250) == list(zip(x[:3].tolist(), y[:3].tolist()))


def test_queue_is_what_was_sent_and_not_received():
    columns = {'sent_ns': numpy.array([0, 10, 20, 30]), 'received_ns': numpy.array([25, 26, 27, 30])}
    time, queue = sample_charts._queue(columns, None, None)
    assert queue.tolist() == [1, 2, 3, 2, 1, 0, 1, 0] and time[-1] == pytest.approx(30e-6)


def test_crossings_need_certainty_on_both_sides():
    def curve(name, *points):
        return {'name': name, 'points': [{'x': x, 'y': y, 'low': y * 0.9, 'high': y * 1.1} for x, y in points]}
    slow_start = curve('a', (1, 20), (10, 21), (100, 22), (1000, 23))
    steep = curve('b', (1, 10), (10, 20.5), (100, 40), (1000, 90))
    (below, above, low, high, at), = section_tables.crossings(slow_start, steep, 'lower')
    assert (below['name'], above['name'], low, high) == ('b', 'a', 1, 100) and 10 < at < 12
    assert section_tables.crossings(slow_start, curve('c', (1, 19), (10, 22)), 'lower') == []
    (below, above, *_), = section_tables.crossings(slow_start, steep, 'higher')
    assert (below['name'], above['name']) == ('a', 'b')


def test_metrics_have_names_and_units():
    assert metrics.label('service.p99') == 'latency, p99' and metrics.unit('service.max') == 'ns'
    for metric, unit in (('receiver_bytes_per_s', 'byte/s'), ('sender_msgs_per_s', '1/s'), ('cpu_ns_per_msg', 'ns'),
                         ('wire_bytes_per_msg', 'byte'), ('syscalls_per_msg', ''), ('rss_kib', 'KiB'), ('lost', ''),
                         ('best_rate_hz', 'Hz'), ('leaked_bytes', 'byte'), ('cpu_ns_per_process', 'ns')):
        assert metrics.unit(metric) == unit
    told = {value: chart_data.amount(value, 'ns') for value in (0, 12, 999.7, 999_600, 12_345_678, 7.2e12)}
    assert list(told.values()) == ['0 ns', '12 ns', '1,000 ns', '1,000 us', '12.3 ms', '7,200 s']
    assert chart_data.amount(65536, 'byte') == '64 KiB' and chart_data.amount(2065.3, '') == '2,065'
    assert verdict.is_ours('tandem') and not verdict.is_ours('tandemonium')
