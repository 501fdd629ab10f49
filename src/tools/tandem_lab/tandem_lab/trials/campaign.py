"""A whole run: what is to be measured, the machine set up and put back, trial after trial, the report."""

import contextlib
import dataclasses
import shlex
import shutil
import signal
import sys
import time

from tandem_lab import paths
from tandem_lab.inputs import contestants
from tandem_lab.inputs import experiment as experiments
from tandem_lab.inputs.yamlfile import Broken
from tandem_lab.results import store
from tandem_lab.trials import leftovers, processes
from tandem_lab.trials.plan import Expectation, left_of, make_plan
from tandem_lab.trials.progress import Progress, duration
from tandem_lab.trials.runner import Runner

INTERRUPTED = 130
STAMP = '%Y-%m-%dT%H:%M:%SZ'


@dataclasses.dataclass
class Options:
    """What the command line says beyond the suite."""

    only: list = dataclasses.field(default_factory=list)
    repetitions: int = 0
    time_limit: float = 0  # minutes
    seed: int = 1
    allow_settings: bool = False
    quiet: bool = False


@dataclasses.dataclass
class Campaign:
    """What a run measures. `pairs`: (experiment, contestants that can run)."""

    info: dict  # `run` of run.json
    known: dict
    experiments: list
    pairs: list
    plan: list

    def contestants(self):
        """All that are named, absent ones too."""
        names = [name for experiment in self.experiments for name in experiment.contestants]
        return [self.known[name] for name in dict.fromkeys(names)]

    def contestants_to_tell(self):
        """Of these and of everybody who cannot run here: the report lists them with the studies' figures."""
        named = self.contestants()
        return named + [one for one in self.known.values() if one not in named and contestants.why_absent(one)]


def from_suite(suite, options):
    """A new campaign. Raises Broken for names that do not exist."""
    known = contestants.load()
    chosen = [dataclasses.replace(one, contestants=_expand(one, known)) for one in suite.experiments]
    chosen = keep_only(chosen, options.only, known)
    if options.repetitions:
        chosen = [dataclasses.replace(one, repetitions=options.repetitions) for one in chosen]
    info = {'title': suite.title, 'suite': suite.name, 'started': time.strftime(STAMP, time.gmtime()), 'finished': '',
            'command': shlex.join(['tandem', 'lab', *sys.argv[1:]]), 'seed': options.seed, 'complete': False}
    return _campaign(info, known, chosen)


def from_run(run):
    """The campaign of a run.json, to go on with."""
    try:
        chosen = [experiments.from_dict(values) for values in run['experiments']]
        known = contestants.load()
        for experiment in chosen:
            contestants.expand(experiment.contestants, known)
        return _campaign(dict(run['run']), known, chosen)
    except (KeyError, TypeError) as error:
        raise store.BadRun('its run.json is of another version: %s' % error) from error


def _expand(experiment, known):
    try:
        return contestants.expand(experiment.contestants, known)
    except Broken as error:
        raise Broken("%s: field 'contestants': %s" % (experiment.file, error)) from error


def _campaign(info, known, chosen):
    pairs = [(one, [known[name] for name in one.contestants if not contestants.why_absent(known[name])])
             for one in chosen]
    return Campaign(info, known, chosen, pairs, make_plan(pairs, info['seed']))


def keep_only(chosen, only, known):
    """`only`: names of experiments, and of contestants or their groups; each kind that is named restricts."""
    names = {one.name for one in chosen}
    wanted = [name for name in only if name in names]
    ids = contestants.expand([name for name in only if name not in names], known)
    result = []
    for one in chosen:
        left = [name for name in one.contestants if name in ids] if ids else one.contestants
        if left and (not wanted or one.name in wanted):
            result.append(dataclasses.replace(one, contestants=left))
    if not result:
        raise Broken('with --only %s nothing is left to do' % ' '.join(only))
    return result


@contextlib.contextmanager
def handled_signals(stop):
    """SIGINT, SIGTERM and SIGHUP only say so to `stop` meanwhile; once one has come, nothing disturbs the rest of the
    way out: a further one must not replace the exit status that says so."""
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, stop.handle) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, signal.SIG_IGN if stop.requested else handler)


def settings_plan(campaign):
    """What the experiments want of the machine for the whole run; what single trials want: runner.exclusive()."""
    from tandem_lab import machine
    priorities = [int(one.settings.get('priority', 98 if one.driver == 'delay_study' else 0))
                  for one in campaign.experiments]
    return machine.Plan(governors=True, priority=max(priorities, default=0))


def preflight():
    from tandem_lab import machine
    return machine.preflight(machine.Sysfs(), executable=paths.lab_peer()[0])


@contextlib.contextmanager
def machine_settings(campaign, folder, allowed):
    """Yields machine.Applied, or None; whatever a run before has left is put back first."""
    from tandem_lab import machine
    journal = folder / 'settings.journal'
    if not allowed:
        for sentence in machine.restore(journal, machine.Sysfs()):
            print(sentence, file=sys.stderr)
        yield None
        return
    with machine.settings(settings_plan(campaign), journal, machine.Sysfs()) as applied:
        for sentence in [*applied.done, *applied.refused]:
            print(sentence, file=sys.stderr)
        yield applied
    for problem in applied.problems:
        print('warning: %s' % problem, file=sys.stderr)


def check_programs(campaign):
    """Raises Broken when the worker is not built: every trial would fail."""
    program = paths.lab_peer()[0]
    if any(one.driver == 'peers' for one in campaign.experiments) and not shutil.which(program):
        raise Broken("%s is not there: build the workspace first ('make build')" % program)


class Run:
    """Carries out a campaign in a folder."""

    def __init__(self, campaign, folder, options):
        self.campaign = campaign
        self.store = store.Store(folder)
        self.options = options
        self.stop = processes.Stop()
        self.records = self.store.records()
        self.todo = left_of(campaign.plan, self.records)
        self.machine = {}
        self.status = 0
        self.end_reason = ''

    def document(self):
        """run.json."""
        return {'schema': 1, 'run': self.campaign.info, 'machine': self.machine,
                'contestants': contestants.describe(self.campaign.contestants_to_tell()),
                'experiments': [one.to_dict() for one in self.campaign.experiments]}

    def carry_out(self):
        """Exit status: 0, 1 (disk full, nothing worked), 130."""
        info = self.campaign.info
        info['id'] = self.store.folder.name
        before = preflight()
        self.machine = {**before.to_json(), 'settings': []}
        if not self.options.quiet:
            print(before.text(), file=sys.stderr)
        processes.adopt_orphans()
        leftovers.remove_folders()
        with handled_signals(self.stop):
            try:
                self.store.write_run(self.document())
                with machine_settings(self.campaign, self.store.folder, self.options.allow_settings) as applied:
                    self._measure(applied)
                if applied:
                    self.machine['settings'] = [*applied.done, *applied.refused]
                self._close(before)
            except store.DiskFull as error:
                self._resumable('disk full: %s' % error, 1)
        return self.status

    def _measure(self, applied):
        """All that is left to do, or as much as there is time for."""
        runner = Runner(self.store.folder, self.stop, applied)
        progress = Progress(len(self.campaign.plan), quiet=self.options.quiet)
        expectation = Expectation()
        for record in self.records:
            progress.count(record['status'])
        until = time.monotonic() + self.options.time_limit * 60 if self.options.time_limit else None
        try:
            while self.todo:
                item = self.todo[0]
                progress.step(item.title(), expectation.left(self.todo))
                self.stop.check()
                if until is not None and time.monotonic() + expectation.seconds(item) > until:
                    self._resumable('the time limit of %g min is reached' % self.options.time_limit, 0)
                    return
                self.store.check_room()
                record = runner.run(item)
                self.store.append(record)
                self.records.append(record)
                self.todo.pop(0)
                expectation.add(item.experiment.name, item.contestant.id, item.experiment.seconds, record['seconds'])
                progress.count(record['status'])
                if record['status'] in ('failed', 'timeout'):
                    progress.note('%s %s: %s' % (item.title(), record['status'], record['reason']))
        except processes.Interrupted:
            self._resumable('interrupted', INTERRUPTED)
        finally:
            progress.close()

    def _resumable(self, reason, status):
        self.end_reason = reason
        self.status = status

    def _close(self, before):
        """The machine once more, and run.json as it is at the end."""
        from tandem_lab import machine
        after = preflight().to_json()
        self.machine['findings'] += [dataclasses.asdict(one) for one in machine.drift(before.to_json(), after)]
        info = self.campaign.info
        info['finished'] = time.strftime(STAMP, time.gmtime())
        info['complete'] = not self.todo
        self.store.write_run(self.document())
        if not self.todo and self.records and not any(record['status'] == 'ok' for record in self.records):
            self.status = 1

    def summary(self):
        """For people, at the end."""
        counts = {}
        for record in self.records:
            counts[record['status']] = counts.get(record['status'], 0) + 1
        lines = ['%d of %d trials are done: %s' % (
            len(self.campaign.plan) - len(self.todo), len(self.campaign.plan),
            ', '.join('%d %s' % (number, status) for status, number in sorted(counts.items())) or 'none')]
        if self.end_reason:
            lines.append('%s: go on with `tandem lab run --resume %s`' % (self.end_reason, self.store.folder))
        return '\n'.join(lines)


def dry_run(campaign):
    """The plan in words."""
    lines = ['%-22s %-28s %6s %6s %12s' % ('experiment', 'contestants', 'points', 'trials', 'expected')]
    expectation = Expectation()
    for experiment, present in campaign.pairs:
        items = [item for item in campaign.plan if item.experiment is experiment]
        names = ', '.join(one.id for one in present)
        lines.append('%-22s %-28s %6d %6d %12s' % (
            experiment.name, '%d: %s' % (len(present), names[:22] + ('…' if len(names) > 22 else '')),
            len(experiment.points()), len(items), duration(expectation.left(items))))
    lines.append('%d trials, about %s' % (len(campaign.plan), duration(expectation.left(campaign.plan))))
    for one in campaign.contestants():
        if contestants.why_absent(one):
            lines.append('absent: %s: %s' % (one.title, contestants.why_absent(one)))
    return '\n'.join(lines)
