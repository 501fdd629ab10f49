"""The charts and metrics that an experiment may ask for, checked as they are read. See docs/reference/lab.md."""

import re

CHARTS = {  # kind -> (fields that it must have, fields that it may have)
    'by_point': ({'x', 'y'}, {'x_scale', 'y_scale', 'at'}),
    'by_percentile': ({'histogram'}, {'at', 'y_scale'}),
    'by_number': ({'samples'}, {'at', 'y_scale'}),
    'boxes': ({'samples'}, {'at', 'per', 'y_scale'}),
    'jitter': ({'samples'}, {'at', 'y_scale'}),
    'queue': ({'samples'}, {'at', 'y_scale'}),
    'bars': ({'y'}, {'at', 'y_scale'}),
    'by_layer': ({'y'}, {'at', 'y_scale'}),
}
HISTOGRAMS = ('service', 'intended', 'half_round_trip', 'publish')


def check_metric(checker, path, metric):
    """A figure, or a histogram with a percentile: `service.p99.9`, `service.max`."""
    if isinstance(metric, str):
        name, dot, percentile = metric.partition('.')
        if not dot and re.fullmatch('[a-z][a-z0-9_]*', name) and name not in HISTOGRAMS:
            return metric
        if name in HISTOGRAMS and re.fullmatch(r'p\d{1,2}(\.\d+)?|min|max|mean', percentile):
            return metric
    raise checker.error(path, '%r is no metric: a figure like cpu_ns_per_msg, or a histogram with a percentile like '
                        'service.p99 (%s)' % (metric, ', '.join(HISTOGRAMS)))


def check_chart(checker, number, sweep):
    path = ('charts', number)
    chart = checker.value['charts'][number]
    if not isinstance(chart, dict):
        raise checker.error(path, 'fields with values are expected, like {kind: bars, y: service.p50}')
    if chart.get('kind') not in CHARTS:
        raise checker.error(path + ('kind',), '%r is not one of: %s' % (chart.get('kind'), ', '.join(CHARTS)))
    must, may = CHARTS[chart['kind']]
    for key in sorted(must - chart.keys()):
        raise checker.error(path + (key,), 'is missing: a chart %s needs it' % chart['kind'])
    for key in chart:
        if key not in must | may | {'kind', 'title'}:
            raise checker.error(path + (key,), 'is not known to a chart %s; known are: %s' % (
                chart['kind'], ', '.join(sorted(must | may | {'title'}))))
    if 'x' in chart and chart['x'] not in sweep:
        raise checker.error(path + ('x',), '%r is no key of the sweep' % (chart['x'],))
    if 'y' in chart:
        check_metric(checker, path + ('y',), chart['y'])
    for key in ('histogram', 'samples'):
        if key in chart and chart[key] not in HISTOGRAMS:
            raise checker.error(path + (key,), '%r is not one of: %s' % (chart[key], ', '.join(HISTOGRAMS)))
    for key in ('x_scale', 'y_scale'):
        if chart.get(key, 'log') not in ('log', 'linear'):
            raise checker.error(path + (key,), '%r is not one of: log, linear' % (chart[key],))
    per = chart.get('per', 1)
    if isinstance(per, bool) or not isinstance(per, int) or per < 1:
        raise checker.error(path + ('per',), 'a whole number of at least 1 is expected, not %r' % (per,))
    check_at(checker, path, chart, sweep)
    return dict(chart)


def check_at(checker, path, chart, sweep):
    at = chart.get('at', {})
    if not isinstance(at, dict):
        raise checker.error(path + ('at',), 'keys of the sweep with values are expected, like {size: 1024}')
    for key, values in at.items():
        if key not in sweep:
            raise checker.error(path + ('at', key), 'is no key of the sweep')
        for value in values if isinstance(values, list) else [values]:
            if value != 'all' and value not in sweep[key]:
                raise checker.error(path + ('at', key), '%r is not in the sweep' % (value,))


def check_charts(checker, sweep):
    charts = checker.value.get('charts', [])
    if not isinstance(charts, list):
        raise checker.error(('charts',), 'a list is expected')
    return [check_chart(checker, number, sweep) for number in range(len(charts))]
