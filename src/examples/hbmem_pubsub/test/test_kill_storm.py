"""Processes that die at any instant: the others go on, and nothing is left behind.

TANDEM_STORM_KILLS sets how many are killed (20), TANDEM_STORM_SEED repeats a run.
"""

import os
import random
import time

from conftest import wait_until
from talk import HEARD


def test_flow_survives_random_kills(bench):
    kills = int(os.environ.get('TANDEM_STORM_KILLS', '20'))
    seed = int(os.environ.get('TANDEM_STORM_SEED', random.randrange(2**32)))
    print(f'storm of {kills} kills, TANDEM_STORM_SEED={seed}', flush=True)
    dice = random.Random(seed)

    roles = ['talker', 'listener', 'listener']
    processes = [bench.ros2_run('hbmem_pubsub', role) for role in roles]

    def hears_something_new(listener, heard_before):
        return len(listener.numbers(HEARD)) > heard_before

    def wait_for_flow(when):
        for process, role in zip(processes, roles):
            if role == 'listener':
                before = len(process.numbers(HEARD))
                wait_until(lambda: hears_something_new(process, before), f'the flow goes on {when}')

    wait_for_flow('at the start')
    for kill in range(kills):
        victim = dice.randrange(len(processes))
        time.sleep(dice.uniform(0, 0.08))  # anywhere in the talker's period of 40 ms
        assert all(p.is_running() for p in processes), [p.text()[-2000:] for p in processes if not p.is_running()]
        processes[victim].kill()
        processes[victim] = bench.ros2_run('hbmem_pubsub', roles[victim])
        wait_for_flow(f'after kill {kill}, a {roles[victim]} (seed {seed})')

    heard = sum(len(p.numbers(HEARD)) for p, role in zip(processes, roles) if role == 'listener')
    print(f'figures: {kills} kills, the last two listeners heard {heard} messages', flush=True)
    assert [p.stop() for p in processes] == [0, 0, 0], [p.text()[-2000:] for p in processes]
    assert bench.files_left() == []
