"""Charts of raw samples: by_number, jitter, queue, boxes. They are thinned out, but never their extremes."""

import numpy

from tandem_lab.analysis import metrics
from tandem_lab.analysis.chart_data import assemble, axis, number, omitted
from tandem_lab.analysis.facets import facets, series

LEAST_FOR_BOX = 40  # quartiles need ten samples beyond them, as every percentile does


def thinned(x, y, buckets):
    """At most two points for each of so many stretches of equal length of x: its least and its greatest y."""
    if len(x) <= 2 * buckets:
        return list(zip(x.tolist(), y.tolist()))
    edges = numpy.searchsorted(x, numpy.linspace(x[0], x[-1], buckets + 1)[1:-1], side='right')
    points = []
    for part in numpy.split(numpy.arange(len(x)), edges):
        if len(part):
            least, greatest = part[numpy.argmin(y[part])], part[numpy.argmax(y[part])]
            points += [(x[i].item(), y[i].item()) for i in sorted({least, greatest})]
    return points


def band(others, buckets):
    """[{x, low, high}]: least and greatest of all other repetitions in each stretch."""
    if not others:
        return []
    x = numpy.concatenate([one[0] for one in others])
    y = numpy.concatenate([one[1] for one in others])
    edges = numpy.linspace(x.min(), x.max() + 1, min(buckets, len(x)) + 1)
    place = numpy.clip(numpy.searchsorted(edges, x, side='right') - 1, 0, len(edges) - 2)
    found = []
    for bucket in numpy.unique(place).tolist():
        inside = y[place == bucket]
        found.append({'x': number((edges[bucket] + edges[bucket + 1]) / 2), 'low': number(inside.min()),
                      'high': number(inside.max())})
    return found


def curves(reader, experiment, one, name, curve):
    """(x, y) of each repetition that has samples, as `curve` makes them; and the median delay of each."""
    found, medians = [], []
    for trial in reader.run.of(experiment.name, one.contestant, one.at):
        delays = reader.delays(trial, name) if trial['status'] == 'ok' else None
        if delays is not None:
            found.append(curve(reader.samples(trial, name), *delays))
            medians.append(float(numpy.median(delays[1])))
    return found, medians


def _delay(_columns, sequence, delay):
    return sequence, delay


def _jitter(_columns, sequence, delay):
    return sequence, numpy.abs(delay - delay.mean())


def _queue(columns, _sequence, _delay):
    """Messages sent and not yet received, at each time that one of both happens; time in ms from the first."""
    times = numpy.concatenate([columns['sent_ns'], columns['received_ns']])
    steps = numpy.concatenate([numpy.ones(len(columns['sent_ns'])), -numpy.ones(len(columns['received_ns']))])
    # At the same nanosecond, sending goes first: a queue is never negative.
    order = numpy.lexsort((-steps, times))
    return (times[order] - times.min()) / 1e6, numpy.cumsum(steps[order])


NUMBER = axis('message number', '', 'linear')
TIME = axis('time since the first message', 'ms', 'linear')
LINES = {  # kind -> (curve of a trial, x axis, label of y or None for the metric's, unit)
    'by_number': (_delay, NUMBER, None, 'ns'),
    'jitter': (_jitter, NUMBER, 'distance from the mean', 'ns'),
    'queue': (_queue, TIME, 'messages sent and not yet received', ''),
}


def lines(reader, experiment, chart, buckets):
    """by_number, jitter, queue: the first repetition, and for by_number the band of the others."""
    name, kind = chart['samples'], chart['kind']
    curve, x, label, unit = LINES[kind]
    y = axis(label or metrics.label(name), unit, chart.get('y_scale', 'linear'))
    for fixed in facets(chart, experiment.sweep):
        drawn, bands = [], {}
        for one in series(reader.run, experiment, fixed):
            found, medians = curves(reader, experiment, one, name, curve)
            if found:
                points = [{'x': number(a, 7), 'y': number(b, 4)} for a, b in thinned(*found[0], buckets)]
                drawn.append((one, points, [medians]))
                bands[one.name] = band(found[1:], buckets // 2) if kind == 'by_number' else []
        charted = assemble(chart, 'dots', (x, y), fixed, drawn)
        if kind == 'queue':
            charted['noise'] = None  # it would be of delays, which this chart does not show
        for one in charted['series']:
            if bands[one['name']]:
                one['band'] = bands[one['name']]
        if charted['noise']:
            charted['noise']['text'] = 'of the median delay, ' + charted['noise']['text']
        yield charted, omitted(reader, experiment, charted, fixed, name)
        reader.forget()


def box(x, values):
    least, q1, middle, q3, greatest = numpy.percentile(values, (0, 25, 50, 75, 100)).tolist()
    return {'x': x, 'min': number(least), 'q1': number(q1), 'median': number(middle), 'q3': number(q3),
            'max': number(greatest), 'n': len(values)}


def boxes(reader, experiment, chart):
    """The samples of all repetitions together; with `per`, one box for so many message numbers."""
    name, per = chart['samples'], chart.get('per')
    x = NUMBER if per else axis('', '', 'category')
    y = axis(metrics.label(name), 'ns', chart.get('y_scale', 'log'))
    for fixed in facets(chart, experiment.sweep):
        drawn = []
        for one in series(reader.run, experiment, fixed):
            found, medians = curves(reader, experiment, one, name, _delay)
            points = _boxes(one.name, found, per) if found else []
            if points:
                drawn.append((one, points, [medians]))
        charted = assemble(chart, 'boxes', (x, y), fixed, drawn)
        if charted['noise']:
            charted['noise']['text'] = 'of the median, ' + charted['noise']['text']
        yield charted, omitted(reader, experiment, charted, fixed, name)
        reader.forget()


def _boxes(name, found, per):
    sequence = numpy.concatenate([one[0] for one in found])
    delay = numpy.concatenate([one[1] for one in found])
    if not per:
        return [box(name, delay)] if len(delay) >= LEAST_FOR_BOX else []
    place = (sequence - sequence.min()) // per
    return [box(int(sequence.min() + bucket * per), delay[place == bucket]) for bucket in numpy.unique(place).tolist()
            if (place == bucket).sum() >= LEAST_FOR_BOX]
