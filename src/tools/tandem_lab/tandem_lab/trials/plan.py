"""The plan of a run: which trials, in which order, and what of it is already done."""

import dataclasses
import json
import random
import re

from tandem_lab.inputs.experiment import Experiment


@dataclasses.dataclass(frozen=True)
class Item:
    """One trial to be."""

    experiment: Experiment
    contestant: object
    values: tuple  # the point, as pairs
    attest: bool
    repetition: int

    @property
    def point(self):
        return dict(self.values)

    @property
    def pass_name(self):
        return 'attest' if self.attest else 'measure'

    @property
    def key(self):
        """The same for the same trial in every process."""
        return key_of(self.experiment.name, self.contestant.id, self.point, self.pass_name, self.repetition)

    @property
    def folder(self):
        """Its own, relative to the run's."""
        point = ','.join('%s=%s' % (key, _word(value)) for key, value in self.values) or 'all'
        return 'trials/%s/%s/%s/%s-%d' % (self.experiment.name, self.contestant.id, point, self.pass_name,
                                          self.repetition)

    def title(self):
        point = ' '.join('%s=%s' % (key, _word(value)) for key, value in self.values)
        words = (self.experiment.name, self.contestant.id, point, 'attest' if self.attest else '')
        return ' '.join(word for word in words if word)


def _word(value):
    """A value as part of a path, and as it is in YAML."""
    text = {True: 'true', False: 'false'}[value] if isinstance(value, bool) else str(value)
    return re.sub(r'[^A-Za-z0-9._+-]', '_', text)


def key_of(experiment, contestant, point, pass_name, repetition):
    return json.dumps([experiment, contestant, sorted(point.items()), pass_name, repetition])


def key_of_record(record):
    """The key of a line of results.jsonl."""
    return key_of(record['experiment'], record['contestant'], record['point'], record['pass'], record['repetition'])


def make_plan(pairs, seed):
    """All trials in the order in which they are to be run: first the first repetition of everything, and so on; the
    attest pass comes after the first. Within a round the order is random, and the same for the same seed.

    pairs: (experiment, contestants that can run here)."""
    rounds = {}
    for experiment, contestants in pairs:
        for contestant in contestants:
            for point in experiment.points():
                values = tuple(point.items())
                for repetition in range(experiment.repetitions):
                    item = Item(experiment, contestant, values, False, repetition)
                    rounds.setdefault((repetition, 0), []).append(item)
                if experiment.attested(point):
                    rounds.setdefault((0, 1), []).append(Item(experiment, contestant, values, True, 0))
    plan = []
    for number in sorted(rounds):
        items = rounds[number]
        random.Random('%s/%s/%s' % (seed, *number)).shuffle(items)
        plan += items
    return plan


def left_of(plan, records):
    """What has no record yet."""
    done = {key_of_record(record) for record in records}
    return [item for item in plan if item.key not in done]


class Expectation:
    """How long trials take: as the experiment says, corrected by what was seen."""

    def __init__(self):
        self._seen = {}

    def add(self, experiment_name, contestant_id, expected, took):
        for key in ((experiment_name, contestant_id), experiment_name, ''):
            total = self._seen.setdefault(key, [0.0, 0.0])
            total[0] += expected
            total[1] += took

    def seconds(self, item):
        """Of one trial to come."""
        expected = item.experiment.seconds
        for key in ((item.experiment.name, item.contestant.id), item.experiment.name, ''):
            if key in self._seen and self._seen[key][0] > 0:
                return expected * self._seen[key][1] / self._seen[key][0]
        return expected

    def left(self, items):
        return sum(self.seconds(item) for item in items)
