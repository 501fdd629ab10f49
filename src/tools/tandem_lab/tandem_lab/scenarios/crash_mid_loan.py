"""A publisher is killed between borrowing and publishing and started again, while another one and the subscriber go on.

recovery_ns   from its death until the subscriber has the first message of the new one
gap_ns        the longest silence of the other publisher, by its messages' receipt
lost          of the other one's and the new one's messages; lost_of_killed: of those that the killed one had published
leaked_bytes, leaked_files    in the shared-memory folders when all have ended
"""

import gzip
import os
import time
from pathlib import Path

import numpy

from tandem_lab.trials import leftovers
from tandem_lab.trials.processes import Failed

SETTINGS = {'before', 'after'}
RECOVERY = 1.5  # seconds that the other publisher goes on for beyond the messages of the two
OTHER, KILLED, NEW = 0, 1, 2  # sources of messages


def run(trial, point, settings):
    rate = float(trial.value('rate', 100))
    before = max(int(rate * trial.value('before', 0.5)), 1)  # messages of the one to be killed
    after = max(int(rate * trial.value('after', 1.0)), 1)  # messages of the new one
    steady = before + after + int(rate * RECOVERY)
    # Messages of fixed size are lent by whoever lends at all.
    message = {'message': trial.value('message', 'fixed'), 'size': trial.value('size', 65536), 'warm_up': 0,
               'seconds': 0}
    shared = {**message, 'rate': rate, 'loan': trial.contestant.lends, 'peers': 1}
    was_there = entries(trial)
    subscriber = trial.start('subscribe', peers=2, samples=True, count=steady + before + after, **message)
    other = trial.start('publish', source=OTHER, count=steady, **shared)
    killed = trial.start('publish', source=KILLED, count=0, die_at=before + 1, **shared)
    trial.matched([subscriber, other, killed])
    other.say('go')
    killed.say('go')
    trial.crew.pump(killed.is_gone)
    died = time.monotonic_ns()
    trial.check()
    new = trial.start('publish', source=NEW, count=after, **shared)
    new.say('go')
    new.wait('finished')
    other.wait('finished')
    trial.drain([subscriber], other.sent + new.sent + before)
    trial.collect([other, new, subscriber])
    fill(trial, died, {OTHER: other.sent, KILLED: before, NEW: new.sent})
    audit(trial, was_there)


def fill(trial, died, sent):
    with gzip.open(trial.folder / trial.record['samples']['service'], 'rt') as file:
        rows = numpy.loadtxt(file, delimiter=',', skiprows=1, dtype=numpy.int64, ndmin=2)
    received = {source: rows[rows[:, 0] >> 32 == source] for source in sent} if rows.size else {}
    if not received or not len(received[NEW]):
        raise Failed('the subscriber heard nothing of the new publisher')
    missing = {source: sent[source] - len(numpy.unique(received[source][:, 0])) for source in sent}
    trial.figure('sent', sum(sent.values()))
    trial.figure('recovery_ns', int(received[NEW][:, 2].min() - died))
    if len(received[OTHER]) > 1:
        trial.figure('gap_ns', int(numpy.diff(numpy.sort(received[OTHER][:, 2])).max()))
    trial.figure('lost', missing[OTHER] + missing[NEW])
    trial.figure('lost_of_killed', missing[KILLED])


def entries(trial):
    """{file: bytes that it occupies} in the folders where middlewares keep shared memory."""
    files = [path for path in Path(trial.env['TANDEM_SHM_DIR']).rglob('*') if not path.is_dir()]
    files += [Path(leftovers.FOLDER) / name for name in leftovers.names()]
    found = {}
    for path in files:
        try:
            found[path] = os.stat(path, follow_symlinks=False).st_blocks * 512
        except OSError:
            continue
    return found


def audit(trial, was_there):
    left = {path: size for path, size in entries(trial).items() if path not in was_there}
    # A daemon's memory, and that of processes that have nothing to do with this trial, is no leak.
    for name in leftovers.in_use({path.name for path in left if path.parent == Path(leftovers.FOLDER)}):
        del left[Path(leftovers.FOLDER) / name]
    trial.figure('leaked_files', len(left))
    trial.figure('leaked_bytes', sum(left.values()))
    if left:
        trial.note('left behind: %s' % ', '.join(sorted(path.name for path in left)[:5]))
