"""Experiments: their YAML files, read and checked field by field. See docs/reference/lab.md."""

import dataclasses
import importlib
import itertools
import os
import re

from tandem_lab.inputs.chart_fields import check_charts, check_metric
from tandem_lab.inputs.checker import Checker
from tandem_lab.inputs.yamlfile import Broken, Document

SCALAR = (str, int, float, bool)
DRIVERS = ('peers', 'perf_test', 'delay_study', 'bench')
ENVIRONMENTS = ('host', 'veth')
# Of lab_peer's spec: what an experiment may set. The rest (role, link, output, hosts ...) is the lab's to say.
PEER_FIELDS = {
    'message', 'size', 'loan', 'history', 'depth', 'reliability', 'durability', 'count', 'seconds', 'warm_up', 'rate',
    'demand', 'recovery_us', 'outstanding', 'wait', 'delay_us', 'hold', 'check', 'die_at', 'cpus', 'priority',
    'samples'}


@dataclasses.dataclass
class Experiment:
    """Fields as in docs/reference/lab.md; contestants are names and groups as written."""

    name: str
    title: str
    question: str
    driver: str
    contestants: list
    source: str = 'ours'
    method: str = ''
    scenario: str = ''
    sweep: dict = dataclasses.field(default_factory=dict)
    settings: dict = dataclasses.field(default_factory=dict)
    repetitions: int = 3
    seconds: float = 2.0
    timeout: float = 60.0
    attest: object = False  # True, False, or {key of the sweep: [values]}
    environment: str = 'host'
    charts: list = dataclasses.field(default_factory=list)
    rank: object = None
    file: str = ''

    def points(self):
        """All combinations of the sweep's values, the last key fastest; one empty point without a sweep."""
        return [dict(zip(self.sweep, values)) for values in itertools.product(*self.sweep.values())]

    def attested(self, point):
        """Whether this point has an attest pass."""
        if isinstance(self.attest, dict):
            return all(point.get(key) in values for key, values in self.attest.items())
        return bool(self.attest)

    def to_dict(self):
        """For run.json."""
        return dataclasses.asdict(self)


def from_dict(values):
    """An experiment as run.json has it."""
    return Experiment(**values)


def known_settings(driver, scenario):
    """Names that the settings and the sweep of such an experiment may have; None: not told."""
    name = 'scenarios.' + scenario if driver == 'peers' else 'drivers.' + driver
    module = importlib.import_module('tandem_lab.' + name)
    names = getattr(module, 'SETTINGS', None)
    if names is None:
        return None
    return set(names) | (PEER_FIELDS | {'pinned'} if driver == 'peers' else set())


def check_sweep(checker):
    sweep = {}
    for key, values in checker.mapping('sweep').items():
        if not isinstance(values, list) or not values:
            raise checker.error(('sweep', key), 'a list of values is expected, like [1, 2, 5]')
        for number, value in enumerate(values):
            if not isinstance(value, SCALAR) or value == '':
                raise checker.error(('sweep', key, number),
                                    'a number, a word, true or false is expected, not %r' % (value,))
            if any(value == other and type(value) is type(other) for other in values[:number]):
                raise checker.error(('sweep', key, number), '%r is there twice' % (value,))
        sweep[key] = list(values)
    return sweep


def check_settings(checker, driver, scenario):
    """Settings are values; names of the settings and of the sweep must be known to who measures."""
    settings = checker.mapping('settings')
    for key, value in settings.items():
        is_list = isinstance(value, list) and all(isinstance(item, SCALAR) for item in value)
        if not is_list and not isinstance(value, SCALAR):
            raise checker.error(('settings', key), 'a value or a list of values is expected')
    try:
        known = known_settings(driver, scenario)
    except ModuleNotFoundError:
        return dict(settings)  # said when it runs: somebody's scenario of the future must not spoil the others
    for field in ('settings', 'sweep'):
        for key in checker.mapping(field):
            if known is not None and key not in known:
                raise checker.error((field, key), 'is not known to %s; known are: %s' % (
                    scenario or driver, ', '.join(sorted(known))))
    return dict(settings)


def check_attest(checker, sweep):
    attest = checker.value.get('attest', False)
    if isinstance(attest, bool):
        return attest
    if not isinstance(attest, dict):
        raise checker.error(('attest',), 'true, false or points like {size: [1024]} are expected')
    for key, values in attest.items():
        if key not in sweep:
            raise checker.error(('attest', key), 'is no key of the sweep')
        for value in values if isinstance(values, list) else [values]:
            if value not in sweep[key]:
                raise checker.error(('attest', key), '%r is not in the sweep' % (value,))
    return {key: values if isinstance(values, list) else [values] for key, values in attest.items()}


def check_rank(checker):
    rank = checker.value.get('rank')
    if rank is None:
        return None
    if not isinstance(rank, dict) or set(rank) != {'metric', 'better'} or rank['better'] not in ('lower', 'higher'):
        raise checker.error(('rank',), '{metric: ..., better: lower} or higher is expected')
    check_metric(checker, ('rank', 'metric'), rank['metric'])
    return dict(rank)


def check_scenario(checker, driver):
    if driver != 'peers':
        if 'scenario' in checker.value:
            raise checker.error(('scenario',), 'only the driver peers has scenarios')
        return ''
    scenario = checker.text('scenario')
    if not re.fullmatch('[a-z][a-z0-9_]*', scenario):
        raise checker.error(('scenario',), '%r is no name of a scenario: small letters, digits and _' % scenario)
    return scenario


def load(path):
    """The experiment in a file. Raises Broken."""
    checker = Checker(Document(path))
    checker.refuse_unknown({field.name for field in dataclasses.fields(Experiment)} - {'file'})
    name = checker.text('name')
    if not re.fullmatch('[a-z0-9-]+', name):
        raise checker.error(('name',), '%r: small letters, digits and - are allowed' % name)
    if name != os.path.splitext(os.path.basename(str(path)))[0]:
        raise checker.error(('name',), '%r is not the name of the file' % name)
    driver = checker.choice('driver', DRIVERS)
    scenario = check_scenario(checker, driver)
    sweep = check_sweep(checker)
    experiment = Experiment(
        name=name, title=checker.text('title'), question=checker.text('question'), driver=driver, scenario=scenario,
        contestants=checker.names('contestants'), sweep=sweep, settings=check_settings(checker, driver, scenario),
        attest=check_attest(checker, sweep), charts=check_charts(checker, sweep), rank=check_rank(checker),
        file=str(path))
    for key in ('source', 'method'):
        if key in checker.value:
            setattr(experiment, key, checker.text(key))
    experiment.environment = checker.choice('environment', ENVIRONMENTS, 'host')
    take_numbers(checker, experiment)
    return experiment


def take_numbers(checker, experiment):
    """The fields that say how often and how long; what is not given stays."""
    experiment.repetitions = checker.number('repetitions', experiment.repetitions, 1, whole=True)
    experiment.seconds = float(checker.number('seconds', experiment.seconds, 0.001))
    experiment.timeout = float(checker.number('timeout', experiment.timeout, 0.001))
    if experiment.timeout < experiment.seconds:
        raise checker.error(('timeout',), '%g s is less than a trial is expected to take (seconds: %g)' % (
            experiment.timeout, experiment.seconds))


__all__ = ['Broken', 'Checker', 'Experiment', 'from_dict', 'load']
