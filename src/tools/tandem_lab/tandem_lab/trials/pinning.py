"""The setting `pinned` of every scenario: who has a processor of its own. none, both, publisher, subscriber.

Who publishes or pings is the publisher, everybody else a subscriber; the processors are those of OSLL's study.
"""

import os

from tandem_lab.trials.processes import Failed, Unsupported

PROCESSORS = {'publisher': 1, 'subscriber': 0}


def processors(trial, role):
    """The `cpus` of a peer; empty: any. An experiment that compares pinnings cannot do without the processors; others
    go on without pinning, and say so."""
    pinned = trial.value('pinned', 'none')
    if pinned not in ('none', 'both', *PROCESSORS):
        raise Failed("pinned is '%s'; none, both, publisher or subscriber is expected" % pinned)
    if pinned == 'none':
        return []
    if not os.sched_getaffinity(0) >= set(PROCESSORS.values()):
        why = 'the laboratory may not use processors 0 and 1'
        if 'pinned' in trial.point:
            raise Unsupported(why)
        trial.note('not pinned: ' + why)
        return []
    end = 'publisher' if role in ('publish', 'ping') else 'subscriber'
    return [PROCESSORS[end]] if pinned in ('both', end) else []
