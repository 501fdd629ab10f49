"""Settings of the machine for the time of a run, undone afterwards whatever happens; see journal.py.

Only when the user has allowed it. What cannot be had (not root, a kernel without it) is said, and the run goes on.
"""

import contextlib
import os
import signal
import sys
import threading
from dataclasses import dataclass, field

from . import cpusets, system_findings
from .journal import Journal, restore
from .processor_findings import CPUFREQ, DEVFREQ


@dataclass
class Plan:
    """What is wanted for the whole time."""

    governors: bool = True  # of CPUs and devfreq devices, to performance
    cpusets: dict = field(default_factory=dict)  # {'publisher': [1], 'subscriber': [0]}; see Applied.cpusets()
    priority: int = 0  # SCHED_FIFO, for peers that do not poll on every core


class Applied:
    """What is in force meanwhile. `done` and `refused` are sentences for the report."""

    def __init__(self, sysfs, journal):
        self.done = []
        self.refused = []
        self.problems = []  # what could not be undone, filled in afterwards
        self.priority = 0  # what peers may ask for
        self.cpus = {}
        self._groups = {}
        self._sysfs = sysfs
        self._journal = journal

    @contextlib.contextmanager
    def cpusets(self, groups):
        """Exclusive processors for the time of one trial: where cpusets are partitions, nothing else runs there."""
        mark = self._journal.mark()
        try:
            self._set_cpusets(groups)
            yield
        finally:
            with undisturbed():
                self.problems += self._journal.undo(since=mark)
            self._groups, self.cpus = {}, {}

    def join(self, pid, name):
        """Puts a process with its threads where this group runs; nothing when the plan has no such group."""
        try:
            if name in self._groups:
                self._sysfs.write(f'{self._groups[name]}/cgroup.procs', str(pid))
            elif name in self.cpus:
                self._sysfs.set_affinity(pid, self.cpus[name])
        except OSError as error:
            self._refuse(f'a process could not be put onto the processors of {name}: {error.strerror}')

    def _refuse(self, sentence):
        say(self.refused, sentence)

    def _set_governors(self):
        for subject, pattern in (('CPU governor', CPUFREQ), ('devfreq governor', DEVFREQ)):
            changed = 0
            files = self._sysfs.glob(pattern)
            for file in files:
                try:
                    changed += self._journal.write(file, 'performance')
                except OSError as error:
                    self._refuse(f'{subject}: {file} could not be set to performance: {error.strerror}')
            if changed:
                self.done.append(f'{subject}: performance on {changed} of {len(files)}')

    def _set_cpusets(self, groups):
        self.cpus = dict(groups)
        shown = ', '.join(f'{name} on {",".join(map(str, cpus))}' for name, cpus in groups.items())
        try:
            self._groups, remarks = cpusets.make(groups, self._journal, self._sysfs)
            say(self.done, f'cpusets: {shown}')
            for remark in remarks:
                self._refuse(remark)
        except OSError as error:
            self._refuse(f'cpusets: {error.strerror or error}; plain affinity instead')
            say(self.done, f'affinity: {shown}')

    def _set_priority(self, priority):
        limit = system_findings.limit(self._sysfs, 'Max realtime priority') or 0
        if limit < priority and not system_findings.capable(self._sysfs, system_findings.CAP_SYS_NICE):
            self._refuse(f'SCHED_FIFO: not allowed for this user (RLIMIT_RTPRIO is {limit})')
        else:
            self.priority = priority
            self.done.append(f'SCHED_FIFO: priority {priority} for peers that do not poll on every core')


def say(sentences, sentence):
    """Each once."""
    if sentence not in sentences:
        sentences.append(sentence)


def priority_refused(priority, polling_peers, cpus):
    """Why these peers may not have a SCHED_FIFO priority, or ''. `cpus`: how many processors they may run on."""
    if not priority:
        return ''
    if not 1 <= priority <= 99:
        return f'SCHED_FIFO has priorities from 1 to 99, not {priority}'
    if polling_peers >= cpus:
        return (f'{polling_peers} peers that poll with SCHED_FIFO on {cpus} processors would leave none for the '
                'middleware, the kernel and this lab')
    return ''


@contextlib.contextmanager
def ended_by_exception():
    """SIGTERM and SIGHUP unwind the stack, as ctrl-C does, where nobody handles them otherwise."""
    def leave(number, _frame):
        raise SystemExit(128 + number)
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours = [number for number in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(number) == signal.SIG_DFL]
    for number in ours:
        signal.signal(number, leave)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def undisturbed():
    """Signals that would end us wait until the end of the block: a second ctrl-C must not keep us from tidying up."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pending = []
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    before = {number: signal.signal(number, lambda got, _frame: pending.append(got)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in pending[:1]:
            os.kill(os.getpid(), number)


@contextlib.contextmanager
def settings(plan, journal, sysfs):
    """Applies the plan for the time of the block; `journal` is a file in the folder of the run. Yields Applied."""
    restored = restore(journal, sysfs)
    entries = Journal(journal, sysfs)
    applied = Applied(sysfs, entries)
    applied.done.extend(restored)
    with ended_by_exception():
        try:
            if plan.governors:
                applied._set_governors()
            if plan.cpusets:
                applied._set_cpusets(plan.cpusets)
            if plan.priority:
                applied._set_priority(plan.priority)
            yield applied
        finally:
            with undisturbed():
                applied.problems += entries.undo()
                for problem in applied.problems:
                    print(f'not restored: {problem}', file=sys.stderr)
