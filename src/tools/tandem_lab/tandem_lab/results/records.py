"""Reads the folder of a run: run.json and results.jsonl. What is damaged is left out and said in `problems`."""

import copy
import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path

ATTEST_ONLY = {'syscalls_per_msg', 'kernel_bytes_per_msg', 'copied_bytes_per_msg', 'zero_copy'}
STATUSES = ('ok', 'failed', 'timeout', 'unsupported')


class RunError(Exception):
    """There is no run here, or nothing of it can be read. Says why, for people."""


def key_of(point):
    """A point as something that can be hashed."""
    return json.dumps(point, sort_keys=True, default=str)


@dataclass
class Experiment:
    """As resolved by the run: what of it analysis needs."""

    name: str
    title: str = ''
    question: str = ''
    source: str = ''
    method: str = ''
    environment: str = 'host'
    settings: dict = field(default_factory=dict)
    sweep: dict = field(default_factory=dict)
    contestants: list = field(default_factory=list)
    repetitions: int = 1
    charts: list = field(default_factory=list)
    rank: dict = field(default_factory=dict)

    def points(self):
        return [dict(zip(self.sweep, values)) for values in itertools.product(*self.sweep.values())]


@dataclass
class Run:
    folder: Path
    info: dict
    machine: dict
    contestants: dict  # id -> {id, title, kind, ...}, in the run's order
    experiments: list
    trials: list  # lines of results.jsonl, the last one of each trial
    problems: list

    def __post_init__(self):
        self._index = {}  # (experiment, contestant, whether of the measure pass) -> trials
        for trial in self.trials:
            key = trial['experiment'], trial['contestant'], trial['pass'] == 'measure'
            self._index.setdefault(key, []).append(trial)

    def title(self, contestant):
        return str(self.contestants.get(contestant, {}).get('title') or contestant)

    def is_floor(self, contestant):
        return self.contestants.get(contestant, {}).get('kind') == 'floor'

    def is_variant(self, contestant, others):
        """Whether it is the system of one of the others, with settings of its own."""
        return (self.contestants.get(contestant, {}).get('settings') == 'variant'
                and any(contestant.startswith(other + '-') for other in others))

    def of(self, experiment, contestant=None, at=None, measured=True):
        """The trials of an experiment (a name), of one contestant, at all points that agree with `at`."""
        names = list(self.contestants) if contestant is None else [contestant]
        return [trial for name in names for trial in self._index.get((experiment, name, measured), ())
                if agrees(trial['point'], at or {})]


def same(one, other):
    """Values of a sweep: true is not 1, though Python has it so."""
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def agrees(point, at):
    return all(key in point and same(point[key], value) for key, value in at.items())


def load(folder):
    """The run in a folder. Raises RunError when there is neither a run.json nor a results.jsonl that can be read."""
    folder = Path(folder)
    problems = []
    trials = _read_trials(folder / 'results.jsonl', problems)
    document = _read_document(folder / 'run.json', problems)
    if document is None and trials is None:
        raise RunError(f'{folder} is not the folder of a run: neither run.json nor results.jsonl can be read there')
    document, trials = document or {}, trials or []
    info = _part(document, 'run', dict)
    info.setdefault('id', folder.resolve().name)
    contestants = {}
    for entry in _part(document, 'contestants', list):
        if isinstance(entry, dict) and isinstance(entry.get('id'), str):
            contestants[entry['id']] = entry
    for trial in trials:
        contestants.setdefault(trial['contestant'], {'id': trial['contestant'], 'title': trial['contestant'],
                               'kind': 'floor' if trial['contestant'].startswith('floor-') else 'transport'})
    experiments = _experiments(document, trials, contestants, problems)
    return Run(folder, info, _part(document, 'machine', dict), contestants, experiments, trials, problems)


def _part(document, name, kind):
    return document[name] if isinstance(document.get(name), kind) else kind()


def _read_document(path, problems):
    try:
        document = json.loads(path.read_text())
        if isinstance(document, dict):
            return document
        problems.append(f'{path.name} holds no object; the run is shown without what it says.')
    except OSError as error:
        problems.append(f'{path.name} cannot be read ({error.strerror}); titles, charts and the machine are not known.')
    except ValueError as error:
        problems.append(f'{path.name} is damaged ({error}); titles, charts and the machine are not known.')
    return None


def _read_trials(path, problems):
    """None when there is no such file."""
    try:
        lines = path.read_text(errors='replace').splitlines()
    except OSError as error:
        problems.append(f'{path.name} cannot be read ({error.strerror}): no trial is known.')
        return None
    trials = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            trial = _trial(json.loads(line))
        except (ValueError, RecursionError) as error:
            where = 'is cut off or damaged' if number == len(lines) else 'is damaged'
            problems.append(f'{path.name}, line {number} {where} and left out: {error}.')
            continue
        trials[(trial['experiment'], trial['contestant'], key_of(trial['point']), trial['pass'],
                trial['repetition'])] = trial
    return list(trials.values())


def _trial(line):
    if not isinstance(line, dict):
        raise ValueError('it is no object')
    for name in ('experiment', 'contestant'):
        if not isinstance(line.get(name), str):
            raise ValueError(f'{name} is missing')
    if line.get('schema', 1) != 1:
        raise ValueError(f'schema {line["schema"]} is not known')
    trial = {'pass': 'measure', 'repetition': 0, 'reason': '', 'folder': '', **line}
    for name, kind in (('point', dict), ('figures', dict), ('histograms', dict), ('samples', dict), ('notes', list),
                       ('commands', list)):
        trial[name] = line[name] if isinstance(line.get(name), kind) else kind()
    if not all(isinstance(value, (str, int, float)) for value in trial['point'].values()):
        raise ValueError('its point has values that are neither numbers nor words')
    if not isinstance(trial['repetition'], int) or trial['pass'] not in ('measure', 'attest'):
        raise ValueError('its pass or repetition is not known')
    if trial.get('status') not in STATUSES:
        raise ValueError(f'status {trial.get("status")!r} is not known')
    trial['reason'] = trial['reason'] if isinstance(trial['reason'], str) else str(trial['reason'])
    return trial


def _experiment(entry, problems):
    found = Experiment(entry['name'])
    for name, default in vars(found).copy().items():
        value = entry.get(name)
        if isinstance(value, type(default)):
            setattr(found, name, copy.deepcopy(value))
        elif value is not None:
            problems.append(f'run.json: {name} of the experiment {found.name} is not as it should be and left out.')
    found.sweep = {key: values for key, values in found.sweep.items() if isinstance(values, list)}
    found.contestants = [name for name in found.contestants if isinstance(name, str)]
    found.rank = found.rank if isinstance(found.rank.get('metric'), str) else {}
    return found


def _experiments(document, trials, contestants, problems):
    known = {}
    for entry in _part(document, 'experiments', list):
        if not isinstance(entry, dict) or not isinstance(entry.get('name'), str):
            problems.append('run.json: an experiment without a name is left out.')
            continue
        known[entry['name']] = _experiment(entry, problems)
    for trial in trials:
        if trial['experiment'] not in known:
            problems.append(f'run.json does not have the experiment {trial["experiment"]}: its figures are shown '
                            'without charts.')
            known[trial['experiment']] = Experiment(trial['experiment'], title=trial['experiment'])
        experiment = known[trial['experiment']]
        if trial['contestant'] not in experiment.contestants:
            experiment.contestants.append(trial['contestant'])
        for key, value in trial['point'].items():
            values = experiment.sweep.setdefault(key, [])
            if not any(same(value, known) for known in values):
                values.append(value)
    for experiment in known.values():
        # Names of groups say nothing here: whom they stand for is seen in the trials.
        experiment.contestants = [name for name in experiment.contestants if name in contestants]
    return list(known.values())
