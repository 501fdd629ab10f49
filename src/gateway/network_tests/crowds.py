"""Crowds of nodes, each a process with some topics, and what they leave in a gateway."""

import json

from flows import FLOW

TOPICS = 10  # of each node
PATIENCE = 600


def start_crowd(hosts, nodes, env=None):
    """Nodes that publish nothing, spread over the hosts; they start all at once."""
    crowd = [hosts[i % len(hosts)].start(FLOW, 'crowd', '--topics', TOPICS, '--ros-args', '-r', f'__node:=node{i}',
                                         env=env)
             for i in range(nodes)]
    for one in crowd:
        one.wait_for('"there"', timeout=PATIENCE)
    return crowd


def end(hosts, programs):
    """Kills them, and forgets whatever has ended on the hosts."""
    for one in programs:
        one.end()
    for host in hosts:
        host.programs = [one for one in host.programs if one.process.poll() is None]


def known(host):
    """How many topics of crowds the host's gateway carries, in either direction."""
    status = json.loads(host.out('tandem-gateway', '--status', '--json'))
    return sum('/topic' in topic['topic'] for topic in status['topics'])


def memory(process):
    """Of its own, in MB: without files and shared memory."""
    with open(f'/proc/{process}/status') as status:
        return next(int(line.split()[1]) for line in status if line.startswith('RssAnon')) / 1000
