"""A thousand topics of a hundred nodes on eight hosts: everybody finds everything, and no gateway grows meanwhile."""

import json
import os
import time

import pytest
from crowds import PATIENCE, TOPICS, end, known, memory, start_crowd
from flows import FLOW, start_gateway
from hosts import NETWORKS, Hosts, processor_time, wait_until

HOSTS = 8
NODES = int(os.environ.get('TANDEM_SCALE_NODES', 100))
ROUNDS = 10


def idle(gateways):
    """The greatest share of a processor that one of them takes when nothing has changed for a while."""
    time.sleep(20)  # a gateway looks more often for 15 s after a change
    before = [processor_time(one) for one in gateways]
    time.sleep(10)
    return max((processor_time(one) - start) / 10 for one, start in zip(gateways, before))


@pytest.mark.parametrize('network', NETWORKS)
def test_a_thousand_topics_on_eight_hosts(network, record_property):
    with Hosts(HOSTS, env={'ROS_DOMAIN_ID': '90'}) as hosts:
        gateways = [start_gateway(host, network).process.pid for host in hosts]
        sizes = []
        for number in range(ROUNDS):
            before = [processor_time(one) for one in gateways]
            begin = time.monotonic()
            crowd = start_crowd(hosts, NODES)
            started = time.monotonic() - begin
            watchers = [host.start(FLOW, 'watch', '--topics', NODES * TOPICS) for host in hosts]
            for watcher in watchers:
                watcher.wait_for('"end"', timeout=PATIENCE)
            found = time.monotonic() - begin
            wait_until(lambda: all(known(host) == NODES * TOPICS for host in hosts), 'all topics', PATIENCE)
            sizes.append([memory(one) for one in gateways])
            work = [processor_time(one) - start for one, start in zip(gateways, before)]
            figures = {'network': network, 'round': number, 'started': round(started, 1), 'found': round(found, 1),
                       'memory': max(sizes[-1]), 'work': round(sum(work) / HOSTS, 2)}
            if number == 0:
                figures['idle'] = round(idle(gateways), 4)
            print(json.dumps(figures), flush=True)
            record_property(f'round_{number}', json.dumps(figures))
            end(hosts, crowd)
            wait_until(lambda: all(known(host) == 0 for host in hosts), 'the end of all topics', PATIENCE)
        # The first visits fill the pools of memory, of which malloc has one for each thread.
        for early, late in zip(sizes[-3], sizes[-1]):
            assert late < 1.05 * early + 2, sizes
