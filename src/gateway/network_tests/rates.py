"""What passes from one host to another in a second, through two gateways and without them.

    TANDEM_PREFIX=install FLOW=build/tandem_network_tests/flow /usr/bin/python3 -B src/gateway/network_tests/rates.py

The publisher publishes as fast as it can, reliable and keep-all, so nothing is lost and the slowest part decides. Each
number is the median of some rounds; the two ways take turns. Four processes then share what two share otherwise, so it
also tells how much one second of a processor carries: of the gateway that sends and the one that receives, and of the
two nodes without gateways. Needs root, as the tests.
"""

import argparse
import json
import statistics
import time

from flows import Flow, start_gateway
from hosts import NETWORKS, Hosts, processor_time

PLUG_INS = {'cyclonedds': 'rmw_cyclonedds_cpp', 'fastdds': 'rmw_fastrtps_cpp'}
SIZES = (64, 8 << 10, 1 << 20)
ENDLESS = 10 ** 9


def rate(network, size, qos, seconds, is_bare):
    """Messages in a second, and the shares of a processor that sending and receiving take: of the gateways, or of the
    two nodes when there are none."""
    env = {'RMW_IMPLEMENTATION': PLUG_INS[network]} if is_bare else None
    with Hosts(2, env={'ROS_DOMAIN_ID': '89'}) as hosts:
        gateways = [] if is_bare else [start_gateway(host, network) for host in hosts]
        words = ('/flood', *qos, '--size', size)
        counter = Flow(hosts[1], 'rate', *words, '--seconds', seconds, env=env)
        talker = Flow(hosts[0], 'pub', *words, '--count', ENDLESS, '--rate', ENDLESS, env=env)
        carriers = [one.process.pid for one in gateways or (talker.program, counter.program)]
        counter.program.wait_for('"begun"', timeout=60)
        before = [processor_time(one) for one in carriers]
        begun = time.monotonic()
        counter.program.wait_for('"end"', timeout=60 + 10 * seconds)
        past = time.monotonic() - begun
        load = [(processor_time(one) - start) / past for one, start in zip(carriers, before)]
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
    print('                          messages/s              MB/s         messages in a second of processor time\n'
          'network     bytes   gateway       bare   gateway     bare  ratio   sent    bare  ratio   received    bare  '
          'ratio')
    for network in options.networks:
        for size in options.sizes:
            rounds = [[rate(network, size, options.qos.split(), options.seconds, is_bare) for is_bare in (False, True)]
                      for _ in range(options.rounds)]
            ours, bare = (statistics.median(round_[way][0] for round_ in rounds) for way in (0, 1))
            line = f'{network:10} {size:6} {ours:9.0f} {bare:10.0f} {ours * size / 1e6:9.1f} {bare * size / 1e6:8.1f} '
            line += f'{ours / bare:6.2f} '
            each = {}
            for side, name in enumerate(('sending', 'receiving')):
                each[name] = [statistics.median(round_[way][0] / round_[way][1][side] for round_ in rounds)
                              for way in (0, 1)]
                line += f'{each[name][0]:8.0f} {each[name][1]:8.0f} {each[name][0] / each[name][1]:5.2f} '
            print(line, flush=True)
            results.append({'network': network, 'bytes': size, 'messages_per_second': ours, 'bare': bare,
                            'per_processor_second': each, 'rounds': [[way[0] for way in round_] for round_ in rounds],
                            'processors': [[way[1] for way in round_] for round_ in rounds]})
    if options.json:
        with open(options.json, 'w') as file:
            json.dump(results, file, indent=1)


if __name__ == '__main__':
    main()
