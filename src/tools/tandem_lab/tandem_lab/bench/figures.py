"""From the bursts of all rounds to series, ratios and slopes.

A ratio is formed within a round, where both have met the same machine; what is told is the median over the rounds.
"""

import statistics

from tandem_lab.results.statistics import estimate


def evaluate(suites, bursts):
    """(series, targets) of a result:

    series   [{'name', 'what', 'bursts': [p50 of each round], 'p50': {'value', 'low', 'high'}, 'p90', 'p99', 'p999'
               (medians over the rounds), 'max' (the greatest), 'samples' (of all)}], in ns
    targets  [{'what', 'value', 'low', 'high', 'limit', 'met', 'unit': 'ratio' | 'ns'}]; no limit: for information

    Series that were not played are left out, and their targets too."""
    return ([series(figure, bursts[figure['series']]) for figure in each(suites, 'figures')
             if figure['series'] in bursts],
            [*filter(None, (ratio(target, bursts) for target in each(suites, 'targets'))),
             *filter(None, (excess(target, bursts) for target in each(suites, 'excesses'))),
             *filter(None, (slope(target, bursts) for target in each(suites, 'slopes')))])


def each(suites, kind):
    return [one for suite in suites for one in suite[kind]]


def p50s(name, bursts):
    """Of each round; None for a series that was not played."""
    return [burst['p50'] for burst in bursts[name]] if name in bursts else None


def median(values):
    found = estimate(values)
    low, high = (found.low, found.high) if found.known else (min(values), max(values))
    return {'value': found.value, 'low': low, 'high': high}


def series(figure, rounds):
    values = [burst['p50'] for burst in rounds]
    return {'name': figure['series'], 'what': figure['what'], 'bursts': values, 'p50': median(values),
            **{key: statistics.median(burst[key] for burst in rounds) for key in ('p90', 'p99', 'p999')},
            'max': max(burst['max'] for burst in rounds), 'samples': sum(burst['samples'] for burst in rounds)}


def judged(target, unit, values, limit):
    found = median(values)
    told = {'limit': limit, 'met': found['value'] <= limit} if limit else {}
    return {'what': target['what'], 'unit': unit, **found, **told}


def ratio(target, bursts):
    values = p50s(target['series'], bursts)
    if values and target['reference']:
        below = p50s(target['reference'], bursts)
        values = below and [one / other for one, other in zip(values, below, strict=True)]
    return judged(target, 'ratio' if target['reference'] else 'ns', values, target['limit']) if values else None


def excess(target, bursts):
    values, floor = p50s(target['series'], bursts), p50s(target['floor'], bursts)
    if not values or not floor:
        return None
    above = [one - other for one, other in zip(values, floor, strict=True)]
    return judged(target, 'ns', above, excess_limit(statistics.median(floor)))


def excess_limit(floor):
    """What a message costs on top of a floor is partly instructions, which take the same time on every machine, and
    partly further cache lines, which take as long as the floor. So the limit is 50 ns for a floor below 60 ns and 0.7
    of a floor above 150 ns; in between it grows linearly."""
    near, far = 60, 150
    if floor >= far:
        return 0.7 * floor
    return 50 + max(0, (floor - near) / (far - near)) * (0.7 * far - 50)


def slope(target, bursts):
    """What each further one adds, by the least-squares line through the counts of a round."""
    counts = target['counts']
    all_values = [p50s(target['prefix'] + str(count), bursts) for count in counts]
    if not all(all_values):
        return None
    slopes = [statistics.linear_regression(counts, values).slope for values in zip(*all_values, strict=True)]
    return judged(target, 'ns', slopes, target['limit'])
