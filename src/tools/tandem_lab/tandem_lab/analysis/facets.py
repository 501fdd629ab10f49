"""Which charts a chart of an experiment becomes (`at`), and which series each contestant has in it."""

import itertools
from dataclasses import dataclass

from tandem_lab.results.records import same

POWERS = ((1 << 20, 'MiB'), (1 << 10, 'KiB'))


@dataclass(frozen=True)
class Series:
    contestant: str
    name: str
    variant: dict
    at: dict  # what a trial's point must agree with, but for the axis


def amount(key, value):
    """A value of the sweep, for people: 'size 64 KiB', 'zero copy: yes'."""
    name = key.removesuffix('_us').replace('_', ' ')
    unit = ' us' if key.endswith('_us') else ''
    return f'{name}{":" if isinstance(value, bool) else ""} {plain(key, value)}{unit}'


def plain(key, value):
    """The value alone: '64 KiB'."""
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    if key == 'size' and isinstance(value, int):
        for power, unit in POWERS:
            if value >= power and value % (power // 4) == 0:
                return f'{value / power:g} {unit}'
        return f'{value} B'
    return f'{value:,}' if isinstance(value, int) and value >= 10_000 else str(value)


def described(point):
    """'size 64 KiB, zero copy: yes', or nothing for the empty point."""
    return ', '.join(amount(key, value) for key, value in point.items())


def facets(chart, sweep, axis=None):
    """What each chart fixes: one {key: value} for every combination of what `at` lists."""
    lists = []
    at = chart.get('at') if isinstance(chart.get('at'), dict) else {}
    for key, wanted in at.items():
        if key == axis or key not in sweep:
            continue
        wanted = wanted if isinstance(wanted, list) else [wanted]
        there = [value for value in sweep[key] if 'all' in wanted or any(same(value, one) for one in wanted)]
        lists.append([(key, value) for value in there])
    return [dict(combination) for combination in itertools.product(*lists)]


def series(run, experiment, fixed, axis=None):
    """The series of one chart: each contestant, and each value of the keys that nobody else tells."""
    free = [key for key, values in experiment.sweep.items() if key not in fixed and key != axis]
    single = {key for key in free if len(experiment.sweep[key]) == 1}
    found = []
    for contestant in experiment.contestants:
        for values in itertools.product(*(experiment.sweep[key] for key in free)):
            variant = dict(zip(free, values))
            told = {key: value for key, value in variant.items() if key not in single}
            name = run.title(contestant) + (f' · {described(told)}' if told else '')
            found.append(Series(contestant, name, told, {**fixed, **variant}))
    return found
