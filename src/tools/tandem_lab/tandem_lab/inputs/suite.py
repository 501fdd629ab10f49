"""Suites: lists of experiments and what they change in them. Finds both by name or path."""

import copy
import dataclasses
import os

from tandem_lab import paths
from tandem_lab.inputs import experiment as experiments
from tandem_lab.inputs.chart_fields import check_charts
from tandem_lab.inputs.checker import Checker
from tandem_lab.inputs.experiment import Experiment
from tandem_lab.inputs.yamlfile import Broken, Document

OVERRIDES = ('name', 'title', 'question', 'contestants', 'sweep', 'settings', 'repetitions', 'seconds', 'timeout',
             'attest', 'charts', 'environment')


@dataclasses.dataclass
class Suite:
    """`experiments` as they are to be run."""

    name: str
    title: str
    minutes: float
    experiments: list
    file: str = ''


def shipped(kind):
    """{name: path} of the shipped experiments or suites (`kind`: their folder)."""
    folder = paths.data() / kind
    if not folder.is_dir():
        return {}
    return {path.stem: path for path in sorted(folder.glob('*.yaml'))}


def load(name):
    """The suite of this name or path; an experiment becomes a suite of its own. Raises Broken."""
    if name.endswith(('.yaml', '.yml')) or os.sep in name:
        return _load_file(name)
    suites = shipped('suites')
    if name in suites:
        return _load_file(suites[name])
    known = shipped('experiments')
    if name in known:
        return _load_file(known[name])
    raise Broken("there is no suite or experiment '%s'; suites: %s; experiments: %s; or give a YAML file" % (
        name, ', '.join(suites) or 'none', ', '.join(known) or 'none'))


def _load_file(path):
    document = Document(path)
    if isinstance(document.value, dict) and 'experiments' in document.value:
        return _load_suite(document)
    one = experiments.load(path)
    minutes = len(one.points()) * one.repetitions * one.seconds * len(one.contestants) / 60
    return Suite(one.name, one.title, minutes, [one], str(path))


def _load_suite(document):
    checker = Checker(document)
    checker.refuse_unknown({'name', 'title', 'minutes', 'experiments'})
    entries = checker.value['experiments']
    if not isinstance(entries, list) or not entries:
        raise checker.error(('experiments',), 'a list is expected, like [{use: round-trip}]')
    suite = Suite(checker.text('name'), checker.text('title'), checker.number('minutes', 60, 0), [], document.path)
    for number in range(len(entries)):
        one = _resolve(document, number)
        if any(one.name == other.name for other in suite.experiments):
            raise checker.error(('experiments', number, 'use'),
                                "'%s' is there already: give it another name" % one.name)
        suite.experiments.append(one)
    return suite


def _find(checker, document):
    """The experiment that an entry uses: beside the suite, shipped, or a path from the suite's folder."""
    use = checker.text('use')
    folder = os.path.dirname(os.path.abspath(document.path))
    if use.endswith(('.yaml', '.yml')):
        path = os.path.join(folder, use)
        if not os.path.isfile(path):
            raise checker.error(('use',), 'there is no file %s' % path)
        return path
    beside = os.path.join(folder, use + '.yaml')
    known = shipped('experiments')
    if os.path.isfile(beside) and os.path.abspath(beside) != os.path.abspath(document.path):
        return beside
    if use not in known:
        raise checker.error(('use',), "there is no experiment '%s'; there are: %s" % (use, ', '.join(known) or 'none'))
    return known[use]


def _resolve(document, number):
    """One entry: the experiment with what the suite changes."""
    checker = Checker(document, ('experiments', number))
    checker.refuse_unknown(set(OVERRIDES) | {'use'})
    changed = copy.deepcopy(experiments.load(_find(checker, document)))
    for key in ('name', 'title', 'question'):
        if key in checker.value:
            setattr(changed, key, checker.text(key))
    if 'contestants' in checker.value:
        changed.contestants = checker.names('contestants')
    _change_sweep(checker, changed)
    if 'attest' in checker.value:
        changed.attest = experiments.check_attest(checker, changed.sweep)
    elif isinstance(changed.attest, dict):
        changed.attest = _still_there(changed.attest, changed.sweep)
    if 'charts' in checker.value:
        changed.charts = check_charts(checker, changed.sweep)
    else:
        changed.charts = [chart for chart in map(lambda one: _fit(one, changed.sweep), changed.charts) if chart]
    changed.environment = checker.choice('environment', experiments.ENVIRONMENTS, changed.environment)
    experiments.take_numbers(checker, changed)
    return changed


def _change_sweep(checker, changed):
    """Keys that the suite names are replaced; one may move between sweep and settings."""
    sweep = experiments.check_sweep(checker)
    settings = experiments.check_settings(checker, changed.driver, changed.scenario)
    for key in sweep:
        if key not in changed.sweep and key not in changed.settings and not _is_known(changed, key):
            raise checker.error(('sweep', key), 'is no key of %s: it has %s' % (
                changed.name, ', '.join([*changed.sweep, *changed.settings]) or 'none'))
    for key in settings:
        if key in sweep:
            raise checker.error(('settings', key), 'is in the sweep as well')
    changed.settings = {key: value for key, value in {**changed.settings, **settings}.items() if key not in sweep}
    changed.sweep = {key: value for key, value in {**changed.sweep, **sweep}.items() if key not in settings}


def _is_known(changed: Experiment, key):
    known = experiments.known_settings(changed.driver, changed.scenario)
    return known is not None and key in known


def _still_there(at, sweep):
    """`at` without the values that a suite's sweep has not. None: nothing is left of a key."""
    result = {}
    for key, values in at.items():
        if values == 'all' and key in sweep:
            result[key] = values
            continue
        wanted = values if isinstance(values, list) else [values]
        left = [value for value in wanted if value in sweep.get(key, [])]
        if key in sweep and not left:
            return None
        if left:
            result[key] = left if isinstance(values, list) else left[0]
    return result


def _fit(chart, sweep):
    """A chart for a suite's smaller sweep; None where nothing of it is left."""
    at = _still_there(chart.get('at', {}), sweep)
    if at is None or ('x' in chart and chart['x'] not in sweep):
        return None
    return {**chart, 'at': at} if 'at' in chart else dict(chart)
