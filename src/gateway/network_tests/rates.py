"""What passes from one host to another in a second, through two gateways and without them.

    TANDEM_PREFIX=install FLOW=build/tandem_network_tests/flow /usr/bin/python3 -B src/gateway/network_tests/rates.py

The publisher publishes as fast as it can, reliable and keep-all, so nothing is lost and the slowest part decides. Each
number is the median of some rounds; the two ways take turns. Needs root, as the tests.
"""

import argparse
import json
import statistics

from flows import Flow, start_gateway
from hosts import NETWORKS, Hosts, processor_time

PLUG_INS = {'cyclonedds': 'rmw_cyclonedds_cpp', 'fastdds': 'rmw_fastrtps_cpp'}
SIZES = (64, 8 << 10, 1 << 20)
ENDLESS = 10 ** 9


def rate(network, size, qos, seconds, is_bare):
    """Messages in a second, and the share of a processor that each gateway takes."""
    env = {'RMW_IMPLEMENTATION': PLUG_INS[network]} if is_bare else None
    with Hosts(2, env={'ROS_DOMAIN_ID': '89'}) as hosts:
        gateways = [] if is_bare else [start_gateway(host, network).process.pid for host in hosts]
        words = ('/flood', *qos, '--size', size)
        counter = Flow(hosts[1], 'rate', *words, '--seconds', seconds, env=env)
        before = [processor_time(one) for one in gateways]
        Flow(hosts[0], 'pub', *words, '--count', ENDLESS, '--rate', ENDLESS, env=env)
        counter.program.wait_for('"end"', timeout=60 + 10 * seconds)
        load = [(processor_time(one) - start) / (seconds + 1) for one, start in zip(gateways, before)]
        return counter.events('end')[0]['messages_per_second'], load


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=float, default=4, help='of each measurement')
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument('--networks', nargs='+', default=NETWORKS)
    parser.add_argument('--sizes', nargs='+', type=int, default=SIZES, help='bytes')
    parser.add_argument('--qos', default='--keep-all', help='options of flow')
    parser.add_argument('--json', help='a file for the results')
    options = parser.parse_args()
    results = []
    print('network     bytes     msgs/s   bare msgs/s    MB/s  bare MB/s  ratio  processors of the gateways')
    for network in options.networks:
        for size in options.sizes:
            rounds = [[rate(network, size, options.qos.split(), options.seconds, is_bare) for is_bare in (False, True)]
                      for _ in range(options.rounds)]
            ours, bare = (statistics.median(round_[way][0] for round_ in rounds) for way in (0, 1))
            load = [statistics.median(round_[0][1][side] for round_ in rounds) for side in (0, 1)]
            print(f'{network:10} {size:7} {ours:10.0f} {bare:13.0f} {ours * size / 1e6:7.1f} {bare * size / 1e6:10.1f} '
                  f'{ours / bare:6.2f}  {load[0]:.2f} {load[1]:.2f}', flush=True)
            results.append({'network': network, 'bytes': size, 'messages_per_second': ours, 'bare': bare,
                            'rounds': [[way[0] for way in round_] for round_ in rounds], 'processors': load})
    if options.json:
        with open(options.json, 'w') as file:
            json.dump(results, file, indent=1)


if __name__ == '__main__':
    main()
