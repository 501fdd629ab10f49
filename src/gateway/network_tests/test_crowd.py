"""A hundred processes with ten topics each behind one gateway, and without: what is on the wire."""

import os

import pytest
from crowds import TOPICS, start_crowd
from flows import Flow, start_gateway
from hosts import NETWORKS, Hosts

pytestmark = pytest.mark.skipif('cyclonedds' not in NETWORKS, reason='Cyclone DDS is not built')

PROCESSES = 100
# Without a gateway everybody finds everybody: a hundred take two idle processors 70 s, busy ones many minutes.
COMPARED = int(os.environ.get('TANDEM_CROWD', 30))
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


def on_the_wire(processes, prepare):
    """Packets of the first host until the second knows all topics, and the first host's participants."""
    direct = {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp'}
    with Hosts(2, env={'ROS_DOMAIN_ID': '85'}) as (a, b), a.capture('udp') as file:
        before = sum(a.packets())
        watcher = Flow(b, 'watch', '--topics', processes * TOPICS, env=direct)
        prepare(a, processes)
        watcher.program.wait_for('"end"', timeout=400)
        return sum(a.packets()) - before, participants(file, a.address)


def behind_a_gateway(host, processes):
    start_gateway(host, 'cyclonedds')
    start_crowd([host], processes)


def each_by_itself(host, processes):
    start_crowd([host], processes, {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp'})


def test_a_hundred_processes_are_one_participant():
    _, found = on_the_wire(PROCESSES, behind_a_gateway)
    assert len(found) == 1


def test_a_gateway_saves_packets(record_property):
    packets, found = on_the_wire(COMPARED, behind_a_gateway)
    packets_without, found_without = on_the_wire(COMPARED, each_by_itself)
    print(f'\n{COMPARED} processes with {TOPICS} topics each, packets until all topics are known on the other host: '
          f'{packets} through a gateway, {packets_without} without')
    record_property('packets_with_gateway', packets)
    record_property('packets_without_gateway', packets_without)
    assert len(found) == 1
    assert len(found_without) == COMPARED
    assert packets < packets_without
