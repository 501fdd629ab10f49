"""Nodes that come and go for a long time, half of them killed, while messages pass: no gateway grows.

TANDEM_SOAK_SECONDS says for how long; 900 by default.
"""

import json
import os
import time

import pytest
from crowds import PATIENCE, TOPICS, end, known, memory, start_crowd
from flows import is_whole, listener, publisher, start_gateway
from hosts import NETWORKS, Hosts, wait_until

SECONDS = float(os.environ.get('TANDEM_SOAK_SECONDS', 900))
NODES = 20
MESSAGES = 300
# MB in a round. Cyclone DDS 0.10.2 never frees half a kilobyte of each writer and reader, of which there are 280.
KEPT = {'cyclonedds': 0.17}


def size(process):
    """What it has: memory in MB, descriptors and threads."""
    return {'memory': memory(process), 'files': len(os.listdir(f'/proc/{process}/fd')),
            'threads': len(os.listdir(f'/proc/{process}/task'))}


def come_and_go(hosts):
    crowd = start_crowd(hosts, NODES)
    listening = listener(hosts[1], {'talker': MESSAGES}, '--depth', MESSAGES)
    talker = publisher(hosts[0], 'talker', '--depth', MESSAGES, '--count', MESSAGES, '--rate', 200)
    talker.published(PATIENCE)
    is_whole(listening.heard(PATIENCE)[0]['talker'], MESSAGES)
    wait_until(lambda: all(known(host) == NODES * TOPICS for host in hosts), 'all topics', PATIENCE)
    for one in crowd[::2]:
        one.interrupt()
    end(hosts, [*crowd, listening.program, talker.program])
    wait_until(lambda: all(known(host) == 0 for host in hosts), 'the end of all topics', PATIENCE)


@pytest.mark.parametrize('network', NETWORKS)
def test_gateways_do_not_grow(network, record_property):
    with Hosts(2, env={'ROS_DOMAIN_ID': '91'}) as hosts:
        gateways = [start_gateway(host, network).process.pid for host in hosts]
        sizes = []
        begin = time.monotonic()
        while time.monotonic() < begin + SECONDS:
            come_and_go(hosts)
            sizes.append([size(one) for one in gateways])
            print(json.dumps({'network': network, 'round': len(sizes), 'seconds': round(time.monotonic() - begin),
                              'gateways': sizes[-1]}), flush=True)
            time.sleep(2)
        record_property('rounds', len(sizes))
        # The first visits fill the pools of memory, of which malloc has one for each thread.
        quarter = len(sizes) // 4
        for number in range(len(gateways)):
            for what in ('memory', 'files', 'threads'):
                early, late = (max(one[number][what] for one in part)
                               for part in (sizes[quarter:2 * quarter], sizes[-quarter:]))
                kept = KEPT.get(network, 0) * len(sizes) if what == 'memory' else 0
                assert late <= 1.05 * early + 2 + kept, (what, [one[number][what] for one in sizes])
