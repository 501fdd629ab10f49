"""A hundred processes with ten topics each behind one gateway, and without: what is on the wire."""

import pytest
from flows import Flow, start_gateway
from hosts import NETWORKS, Hosts, wait_until

PROCESSES = 100
TOPICS = 10
RTPS = b'RTPS'


def participants(file, address):
    """The participants whose packets, from this address, are in a capture: the 12 bytes behind RTPS' header."""
    source = bytes(map(int, address.split('.')))
    found = set()
    data = file.read_bytes()
    at = data.find(RTPS)
    while at >= 0:
        # 20 bytes of IP and 8 of UDP precede; the source's address is 16 bytes before the payload.
        if data[at - 16:at - 12] == source:
            found.add(data[at + 8:at + 20])
        at = data.find(RTPS, at + 4)
    return found


def all_topics(host, env):
    listed = host.out('ros2', 'topic', 'list', env=env, patience=300)
    return sum('/topic' in line for line in listed.splitlines())


def start_crowd(host, env=None):
    return [Flow(host, 'crowd', '--topics', TOPICS, node=f'node{i}', env=env) for i in range(PROCESSES)]


def packets_until_all_are_known(hosts, prepare):
    a, b = hosts
    direct = {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp'}
    before = sum(a.packets())
    with a.capture('udp') as file:
        prepare(a)
        wait_until(lambda: all_topics(b, direct) == PROCESSES * TOPICS, 'all topics on the other host', 400)
        count = sum(a.packets()) - before
    return count, participants(file, a.address)


@pytest.mark.skipif('cyclonedds' not in NETWORKS, reason='Cyclone DDS is not built')
def test_a_hundred_processes_are_one_participant(record_property):
    def behind_a_gateway(host):
        start_gateway(host, 'cyclonedds')
        start_crowd(host)

    def each_by_itself(host):
        start_crowd(host, {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp'})

    with Hosts(2, env={'ROS_DOMAIN_ID': '85'}) as hosts:
        packets, on_the_wire = packets_until_all_are_known(hosts, behind_a_gateway)
    with Hosts(2, env={'ROS_DOMAIN_ID': '85'}) as hosts:
        packets_without, on_the_wire_without = packets_until_all_are_known(hosts, each_by_itself)
    print(f'\npackets on the wire until {PROCESSES * TOPICS} topics are known: {packets} through a gateway, '
          f'{packets_without} without one')
    record_property('packets_with_gateway', packets)
    record_property('packets_without_gateway', packets_without)
    assert len(on_the_wire) == 1
    assert len(on_the_wire_without) >= PROCESSES
    assert packets < packets_without
