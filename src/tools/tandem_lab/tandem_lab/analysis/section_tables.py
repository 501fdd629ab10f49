"""Tables of a section: where curves cross, coordinated omission, attestation, what is on the wire."""

import math
from itertools import combinations

from tandem_lab.analysis import metrics, study_figures
from tandem_lab.analysis.chart_data import amount
from tandem_lab.analysis.facets import described, plain
from tandem_lab.results.histogram import merged
from tandem_lab.results.records import agrees
from tandem_lab.results.statistics import median

MOST_ROWS = 300
WIRE = ('header_bytes', 'wire_bytes_per_msg', 'wire_packets_per_msg', 'discovery_packets', 'discovery_bytes')


def tables(reader, experiment, charts):
    """All tables that the data of this section allow."""
    found = [crossovers(reader, experiment, chart) for chart in charts
             if chart['kind'] == 'by_point' and chart['y']['label'] == metrics.label(experiment.rank.get('metric', ''))]
    found += [make(reader, experiment) for make in (properties, studies_beside, omission, attestation)]
    return [one for one in found if one and one['rows']]


def table(title, columns, rows, notes):
    if len(rows) > MOST_ROWS:
        notes = [*notes, f'{len(rows) - MOST_ROWS} more rows are left out; results.jsonl has all.']
    return {'title': title, 'columns': columns, 'rows': rows[:MOST_ROWS], 'notes': notes}


def crossovers(reader, experiment, chart):
    """Where the curves of two systems cross in a by_point chart over numbers."""
    key = next((key for key in experiment.sweep if _is_axis(chart, key)), None)
    if key is None or chart['x']['scale'] == 'category':
        return None
    better = experiment.rank.get('better', 'lower')
    systems = [one for one in chart['series'] if not reader.run.is_floor(one['contestant'])]
    rows = []
    for one, other in combinations(systems, 2):
        for below, above, low, high, at in crossings(one, other, better):
            estimate = 'not told' if at is None else f'{at:,.0f} {chart["x"]["unit"]}'.strip()
            rows.append([below['name'], above['name'], estimate, f'{plain(key, low)} to {plain(key, high)}'])
    where = f', {described(chart["at"])}' if chart['at'] else ''
    columns = ['better below', 'better above', 'crossing (interpolated)', 'for certain between']
    return table(f'Where {chart["y"]["label"]} crosses, by {chart["x"]["label"]}{where}', columns, rows, [
        'For certain between: the last point where one is clearly better (intervals do not overlap) and the first '
        'where the other is. The crossing is interpolated between medians on logarithmic axes.'])


def _is_axis(chart, key):
    return chart['x']['label'] == metrics.TITLES.get(key, key.replace('_', ' '))


def crossings(one, other, better):
    """(better below, better above, low, high, interpolated x or None) of two series; in order of x."""
    theirs = {point['x']: point for point in other['points']}
    shared = sorted((point['x'], point, theirs[point['x']]) for point in one['points'] if point['x'] in theirs)
    found, last = [], None
    for i, (x, mine, yours) in enumerate(shared):
        if mine['low'] is None or yours['low'] is None or mine['low'] <= yours['high'] and yours['low'] <= mine['high']:
            continue
        sign = (mine['y'] < yours['y']) == (better == 'lower')
        if last is not None and last[1] != sign:
            below, above = (other, one) if sign else (one, other)
            found.append((below, above, last[0], x, _interpolated(shared[last[2]:i + 1])))
        last = (x, sign, i)
    return found


def _interpolated(stretch):
    """Where the medians change order, if they do so once in this stretch."""
    points = [(x, math.log(mine['y'] / yours['y'])) for x, mine, yours in stretch
              if x > 0 and mine['y'] > 0 and yours['y'] > 0]
    changes = [(a, b) for a, b in zip(points, points[1:]) if (a[1] < 0) != (b[1] < 0)]
    if len(changes) != 1 or len(points) != len(stretch):
        return None
    (x1, y1), (x2, y2) = changes[0]
    return math.exp(math.log(x1) + (math.log(x2) - math.log(x1)) * y1 / (y1 - y2))


def properties(reader, experiment):
    """What trials say about protocols and what was counted on the wire, one row a contestant and point."""
    texts, rows = [], []
    found = []
    for contestant in experiment.contestants:
        for point in experiment.points():
            trials = [t for t in reader.run.of(experiment.name, contestant, point) if t['status'] == 'ok']
            said = next((t['properties'] for t in trials if isinstance(t.get('properties'), dict)), {})
            figures = {name: reader.values(trials, name) for name in WIRE}
            if said or any(figures.get(name) for name in ('header_bytes', 'discovery_packets')):
                texts += [key for key in said if key not in texts]
                found.append((contestant, point, said, figures))
    counted = [name for name in WIRE if any(figures[name] for _, _, _, figures in found)]
    for contestant, point, said, figures in found:
        rows.append([reader.run.title(contestant), described(point), *(str(said.get(key, '')) for key in texts),
                     *(_middle(figures[name], metrics.unit(name)) for name in counted)])
    return table('Properties', ['system', 'point', *(key.replace('_', ' ') for key in texts),
                                *map(metrics.label, counted)], rows,
                 ['Filled in from what was captured, not from manuals.'])


def _middle(values, unit):
    return amount(median(values), unit) if values else ''


def studies_beside(reader, experiment):
    """What the published studies say of the same question, beside what was measured here."""
    rows, measured = [], False
    for figure in study_figures.load()['figures']:
        metric, contestant = figure.get('metric'), figure.get('contestant')
        if figure.get('experiment') != experiment.name or not metric or contestant not in reader.run.contestants:
            continue
        at = figure.get('point', {})
        here = []
        for point in filter(lambda point: agrees(point, at), experiment.points()):
            values = reader.values(reader.trials(experiment.name, contestant, point, metric), metric)
            told = described({key: value for key, value in point.items() if key not in at})
            if values:
                here.append(f'{_middle(values, metrics.unit(metric))}{f" ({told})" if told else ""}')
        rows.append([figure['document'], figure.get('system', ''), figure['what'], study_figures.in_words(figure),
                     reader.run.title(contestant), ', '.join(here) or 'not measured'])
        measured |= bool(here)
    columns = ['document', 'system there', 'what', 'theirs', 'system here', 'here']
    return table('Beside the studies\' figures', columns, rows if measured else [], [
        'Another machine and other versions: orders and shapes may be compared, not the values.'])


def omission(reader, experiment):
    """Latency from when a message was sent beside latency from when it was due."""
    rows = []
    for contestant in experiment.contestants:
        for point in experiment.points():
            trials = [t for t in reader.run.of(experiment.name, contestant, point) if t['status'] == 'ok']
            pairs = [(reader.histogram(t, 'service'), reader.histogram(t, 'intended')) for t in trials]
            sent, due = (merged(pair[i] for pair in pairs if pair[0] and pair[1]) for i in (0, 1))
            if sent.count and due.count:
                row = [reader.run.title(contestant), described(point), *_percentiles(sent, due)]
                rows.append((_held_up(sent, due), row))
    # Messages that are sent back to back are due when they are sent.
    if all(held_up < 1.05 for held_up, _ in rows):
        return None
    rows = [row for _, row in sorted(rows, key=lambda entry: -entry[0])]
    columns = ['system', 'point', *(f'{kind} {which}' for which in ('p50', 'p99', 'max') for kind in ('sent', 'due'))]
    return table('Coordinated omission: from when a message was sent, and from when it was due', columns, rows, [
        'All repetitions together; whose publisher was held up most comes first. Where "due" is far above "sent", '
        'the publisher itself was held up: a benchmark that only looks at sent messages hides that wait.'])


def _held_up(sent, due):
    """The greatest ratio of both, at p50, p99 and the maximum."""
    pairs = [(sent.percentile(percent), due.percentile(percent)) for percent in (50, 99, 100)]
    return max(late / max(early, 1) for early, late in pairs if early is not None and late is not None)


def _percentiles(*histograms):
    for percent in (50, 99, 100):
        for histogram in histograms:
            value = histogram.percentile(percent)
            yield 'too few samples' if value is None else amount(value, 'ns')


def attestation(reader, experiment):
    """Zero-copy as claimed and as attested; what else the separate pass has counted."""
    rows = []
    for contestant in experiment.contestants:
        for point in experiment.points():
            trials = reader.run.of(experiment.name, contestant, point, measured=False)
            trials = [t for t in trials if t['status'] == 'ok']
            if trials:
                figures = trials[-1]['figures']
                rows.append([reader.run.title(contestant), described(point), _claim({**experiment.settings, **point}),
                             _told(figures.get('zero_copy')),
                             *(_count(reader.value(trials[-1], name), metrics.unit(name))
                               for name in ('copied_bytes_per_msg', 'kernel_bytes_per_msg', 'syscalls_per_msg'))])
    columns = ['system', 'point', 'zero-copy asked for', 'zero-copy attested', 'bytes copied at least',
               'bytes copied by the kernel', 'system calls per message']
    return table('Attestation', columns, rows, [
        'From a separate pass on few messages, under strace; its times are not used.'])


def _claim(settings):
    return 'yes' if settings.get('loan') or settings.get('zero_copy') else 'no'


def _told(value):
    if not isinstance(value, (bool, int, float)):
        return 'not known'
    return 'yes' if value else 'no'


def _count(value, unit):
    return 'not known' if value is None else amount(value, unit)
