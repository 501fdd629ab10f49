"""Charts of figures and histograms: by_point, bars, by_layer, by_percentile. Those of raw samples: sample_charts.py."""

from collections import Counter

from tandem_lab.analysis import metrics
from tandem_lab.analysis.facets import described, facets, plain, series
from tandem_lab.results.histogram import merged
from tandem_lab.results.records import ATTEST_ONLY
from tandem_lab.results.statistics import Estimate, estimate, noise


def number(value, digits=5):
    """Rounded to what a reader can use; the file stays small. None stays None."""
    if value is None:
        return None
    value = float(value)
    rounded = float(f'{value:.{digits}g}')
    return int(rounded) if rounded.is_integer() and abs(rounded) < 1e15 else rounded


def amount(value, unit):
    """A value for people: 1234567 ns -> '1.23 ms'."""
    steps = {'ns': ((1e9, 's'), (1e6, 'ms'), (1e3, 'us'), (1, 'ns')), 'us': ((1e6, 's'), (1e3, 'ms'), (1, 'us')),
             'byte': ((1 << 20, 'MiB'), (1 << 10, 'KiB'), (1, 'byte')),
             'KiB': ((1 << 20, 'GiB'), (1 << 10, 'MiB'), (1, 'KiB')),
             'byte/s': ((1e9, 'GB/s'), (1e6, 'MB/s'), (1e3, 'kB/s'), (1, 'byte/s'))}.get(unit)
    if steps:
        size, unit = next((step for step in steps if abs(value) >= step[0]), steps[-1])
        value /= size
    text = f'{value:,.0f}' if abs(value) >= 999.5 else f'{value:.3g}'
    return f'{text} {unit}'.strip()


def noise_of(groups, unit):
    """The noise floor of a chart, from groups of repetitions of the same."""
    found = noise(groups)
    if found is None:
        return None
    limit = f'{amount(found.relative * 100, "%")} ({amount(found.value, unit)})'
    return {'value': number(found.value), 'relative': number(found.relative, 3),
            'text': f'two of three pairs of repetitions of the same differ by less than {limit}'}


def axis(label, unit, scale):
    return {'label': label, 'unit': unit, 'scale': scale}


def key_axis(chart, experiment):
    key = chart['x']
    numeric = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in experiment.sweep.get(key, []))
    scale = chart.get('x_scale', 'linear') if numeric else 'category'
    return axis(metrics.TITLES.get(key, key.replace('_', ' ')), metrics.KEY_UNITS.get(key, ''), scale)


def y_axis(chart, metric):
    return axis(metrics.label(metric), metrics.unit(metric), chart.get('y_scale', 'linear'))


def assemble(chart, shape, axes, fixed, drawn):
    """A chart without its id; `drawn`: (Series, points, group of repetitions) of each series with points."""
    x, y = axes
    title = chart.get('title') or f'{y["label"]}' + (f' by {x["label"]}' if x['label'] else '')
    title = title[0].upper() + title[1:] + (f' ({described(fixed)})' if fixed else '')
    groups = [group for _, _, found in drawn for group in found]
    return {'kind': chart['kind'], 'title': title, 'shape': shape, 'x': x, 'y': y, 'noise': noise_of(groups, y['unit']),
            'at': fixed, 'series': [{'contestant': one.contestant, 'name': one.name, 'variant': one.variant,
                                     'points': points} for one, points, _ in drawn]}


def omitted(reader, experiment, charted, fixed, what):
    """The contestants without a series, and why."""
    drawn = {one['contestant'] for one in charted['series']}
    return [{'contestant': name, 'reason': absence(reader, experiment, name, fixed, what)}
            for name in experiment.contestants if name not in drawn]


def absence(reader, experiment, contestant, at, what):
    """Why a contestant has no value of `what` (a metric, or a kind of samples)."""
    reason = reader.run.contestants.get(contestant, {}).get('reason')
    measured = what not in ATTEST_ONLY
    trials = reader.run.of(experiment.name, contestant, at, measured)
    if not trials:
        return reason or ('not measured' if measured else 'there was no attest pass')
    for status, words in (('unsupported', '{}'), ('failed', 'failed: {}'), ('timeout', '{}')):
        reasons = Counter(trial['reason'] for trial in trials if trial['status'] == status)
        if reasons and sum(reasons.values()) == len(trials):
            return words.format(reasons.most_common(1)[0][0] or 'no reason was given')
    if all(trial['status'] != 'ok' for trial in trials):
        return 'every trial failed: ' + (Counter(t['reason'] for t in trials).most_common(1)[0][0] or 'no reason given')
    name, statistic = metrics.split(what)
    if name and any(reader.histogram(trial, name) for trial in trials):
        return f'too few samples for {statistic}'
    return f'its trials have no {name or what}'


def value_point(reader, experiment, one, at, metric):
    """(point without x, values of the repetitions), or None."""
    trials = reader.trials(experiment.name, one.contestant, at, metric)
    values = reader.values(trials, metric)
    found = estimate(values, metrics.resolution(metric)) or together(reader, trials, metric)
    if found is None:
        return None
    return {'y': number(found.value), 'low': number(found.low), 'high': number(found.high), 'n': found.n}, values


def together(reader, trials, metric):
    """A percentile for which single trials have too few samples, from all of them; it has no interval."""
    name, statistic = metrics.split(metric)
    if not name or not statistic.startswith('p'):
        return None
    counted = [h for h in (reader.histogram(t, name) for t in trials if t['status'] == 'ok') if h is not None]
    value = merged(counted).percentile(float(statistic[1:]))
    return None if value is None else Estimate(float(value), None, None, len(counted))


def by_point(reader, experiment, chart):
    key, metric = chart['x'], chart['y']
    for fixed in facets(chart, experiment.sweep, key):
        drawn = []
        for one in series(reader.run, experiment, fixed, key):
            found = [(x, value_point(reader, experiment, one, {**one.at, key: x}, metric))
                     for x in experiment.sweep.get(key, [])]
            points = [{'x': x, **point[0]} for x, point in found if point]
            if points:
                drawn.append((one, points, [point[1] for _, point in found if point]))
        charted = assemble(chart, 'line', (key_axis(chart, experiment), y_axis(chart, metric)), fixed, drawn)
        yield charted, omitted(reader, experiment, charted, fixed, metric)


def bars(reader, experiment, chart):
    metric = chart['y']
    for fixed in facets(chart, experiment.sweep):
        drawn = []
        for one in series(reader.run, experiment, fixed):
            found = value_point(reader, experiment, one, one.at, metric)
            if found:
                drawn.append((one, [{'x': one.name, **found[0]}], [found[1]]))
        charted = assemble(chart, 'bars', (axis('', '', 'category'), y_axis(chart, metric)), fixed, drawn)
        yield charted, omitted(reader, experiment, charted, fixed, metric)


def by_layer(reader, experiment, chart):
    metric = chart['y']
    key = 'layer' if 'layer' in experiment.sweep else next(iter(experiment.sweep), None)
    for fixed in facets(chart, experiment.sweep, key):
        drawn = []
        for one in series(reader.run, experiment, fixed, key):
            points, groups, before = [], [], 0.0
            for layer in experiment.sweep.get(key, []):
                found = value_point(reader, experiment, one, {**one.at, key: layer}, metric)
                if found:
                    points.append({'x': plain(key, layer), **found[0], 'added': number(found[0]['y'] - before)})
                    groups.append(found[1])
                    before = found[0]['y']
            if points:
                drawn.append((one, points, groups))
        charted = assemble(chart, 'layers', (axis('layer', '', 'category'), y_axis(chart, metric)), fixed, drawn)
        yield charted, omitted(reader, experiment, charted, fixed, metric)


def by_percentile(reader, experiment, chart):
    name = chart['histogram']
    axes = (axis('percentile', '%', 'percentile'), axis(metrics.label(name), 'ns', chart.get('y_scale', 'log')))
    for fixed in facets(chart, experiment.sweep):
        drawn = []
        for one in series(reader.run, experiment, fixed):
            trials = [t for t in reader.run.of(experiment.name, one.contestant, one.at) if t['status'] == 'ok']
            counted = [h for h in (reader.histogram(t, name) for t in trials) if h is not None and h.count]
            together = merged(counted)
            points = [{'x': percent, 'y': value, 'n': together.count} for percent, value in together.curve()]
            if points:
                drawn.append((one, points, [[h.percentile(50) for h in counted]]))
        charted = assemble(chart, 'steps', axes, fixed, drawn)
        if charted['noise']:
            charted['noise']['text'] = 'at the median, ' + charted['noise']['text']
        yield charted, omitted(reader, experiment, charted, fixed, name + '.p50')
