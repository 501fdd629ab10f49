"""One way, where `pinned` says who has a processor of its own: none, both, publisher (1), subscriber (0)."""

import os

from tandem_lab.processes import Failed, Unsupported
from tandem_lab.scenarios.one_way import finish

SETTINGS = {'pinned'}
PROCESSORS = {'publisher': 1, 'subscriber': 0}


def run(trial, point, settings):
    pinned = trial.value('pinned', 'none')
    if pinned not in ('none', 'both', *PROCESSORS):
        raise Failed("pinned is '%s'; none, both, publisher or subscriber is expected" % pinned)
    if pinned != 'none' and not os.sched_getaffinity(0) >= set(PROCESSORS.values()):
        raise Unsupported('the laboratory may not use processors 0 and 1')
    cpus = {end: [cpu] if pinned in ('both', end) else [] for end, cpu in PROCESSORS.items()}
    subscriber = trial.start('subscribe', peers=1, cpus=cpus['subscriber'])
    publisher = trial.start('publish', peers=1, cpus=cpus['publisher'])
    trial.matched([subscriber, publisher])
    publisher.say('go')
    finish(trial, publisher, [subscriber])
