"""What is on the wire: captures made up, and those of peers over a cable."""

import os
import struct
import sys

import pytest

from tandem_lab import paths
from tandem_lab.inputs import contestants, experiment
from tandem_lab.trials import network, plan, runner, wire
from tandem_lab.trials.processes import Stop, Unsupported

A, B, GROUP = '10.98.0.1', '10.98.0.2', '239.255.0.1'


def ip(source, destination, protocol, body, offset=0):
    words = [bytes(map(int, address.split('.'))) for address in (source, destination)]
    head = struct.pack('>BBHHHBBH', 0x45, 0, 20 + len(body), 1, offset, 64, protocol, 0) + b''.join(words)
    return bytes(12) + b'\x08\x00' + head + body


def udp(source, destination, size, port=7400):
    return ip(source, destination, 17, struct.pack('>HHHH', 1, port, 8 + size, 0) + bytes(size))


def tcp(source, destination, size):
    return ip(source, destination, 6, struct.pack('>HHIIBBHHH', 1, 5000, 0, 0, 8 << 4, 0, 0, 0, 0) + bytes(12 + size))


def pcap(frames, order='<', magic=wire.NANOSECONDS, snap=wire.SNAP):
    """Frames as (seconds, frame)."""
    data = struct.pack(order + 'IHHiIII', magic, 2, 4, 0, 0, snap, 1)
    for at, frame in frames:
        data += struct.pack(order + '4I', at, 5, min(len(frame), snap), len(frame)) + frame[:snap]
    return data


def test_packets_are_parsed_though_they_are_cut():
    frames = [(1, udp(A, GROUP, 500)), (2, tcp(B, A, 1000)), (3, bytes(12) + b'\x08\x06' + bytes(28)),
              (4, ip(A, B, 17, bytes(100), offset=64)), (5, ip(A, B, 1, bytes(8))), (6, bytes(12) + b'\x86\xdd')]
    for order in '<>':
        one, two, three, four, five, six = wire.parse(pcap(frames, order))
        assert (one.protocol, one.payload, one.length, one.port, one.multicast) == ('udp', 500, 542, 7400, True)
        assert (two.protocol, two.payload, two.port, two.source, two.multicast) == ('tcp', 1000, 5000, B, False)
        assert three.protocol == 'arp' and four.fragment and four.payload == 100 and not one.fragment
        assert five.protocol == 'icmp' and six.protocol == 'other' and one.at == 1_000_000_005
    assert [one.at for one in wire.parse(pcap(frames[:1], magic=wire.MICROSECONDS))] == [1_000_005_000]


def test_captures_that_are_cut_or_no_captures():
    whole = pcap([(1, udp(A, B, 10)), (2, udp(A, B, 10))])
    assert len(list(wire.parse(whole[:-1]))) == 1 and list(wire.parse(b'')) == []
    with pytest.raises(ValueError):
        list(wire.parse(b'x' * 40))


def packets(frames):
    return list(wire.parse(pcap(frames)))


CUT = wire.Cut(5_000_000_000, 10_000_000_000, 20_000_000_000)


def test_header_discovery_and_transport_come_from_the_packets():
    found = packets([(1, udp(A, GROUP, 100)), (2, udp(B, A, 50)), (2, ip(A, GROUP, 2, bytes(8))), (7, udp(A, B, 900)),
                     (11, udp(A, B, 160)), (12, udp(A, B, 160)), (13, udp(A, B, 200)), (13, udp(A, B, 20)),
                     (14, udp(B, A, 40)), (30, udp(A, B, 999))])
    figures, properties = wire.describe(found, CUT, 64, 3)
    assert figures == {'discovery_packets': 2, 'discovery_bytes': 142 + 92, 'header_bytes': 96}
    assert properties == {'discovery': 'UDP multicast (239.255.0.1) and unicast', 'transport': 'UDP'}


def test_data_by_multicast_and_no_discovery():
    figures, properties = wire.describe(packets([(11, udp(A, GROUP, 64)), (12, udp(A, GROUP, 64))]), CUT, 64, 2)
    assert figures == {'discovery_packets': 0, 'discovery_bytes': 0, 'header_bytes': 0}
    assert properties['transport'] == 'UDP multicast' and properties['discovery'].startswith('none on the wire')
    figures, properties = wire.describe(packets([(1, tcp(A, B, 0)), (12, tcp(A, B, 66))]), CUT, 64, 1)
    assert figures['header_bytes'] == 2 and properties['transport'] == 'TCP'
    assert properties['discovery'].startswith('none on the wire but a TCP connection')


def test_what_was_not_seen_is_absent():
    assert wire.describe([], CUT, 64, 0) == ({'discovery_packets': 0, 'discovery_bytes': 0},
                                             {'discovery': 'none on the wire: addresses are known otherwise'})
    assert 'header_bytes' not in wire.describe(packets([(12, udp(A, B, 10))]), CUT, 64, 1)[0]


def record_of(name, mode, tmp_path):
    """One trial of the experiment `wire`."""
    try:
        with network.veth():
            pass
    except Unsupported as error:
        print(f'NOT TESTED: {error}', file=sys.stderr)
        pytest.skip(f'NOT TESTED: {error}')
    if not os.access(paths.lab_peer()[0], os.X_OK):
        pytest.skip('NOT TESTED: lab_peer is not built')
    one = contestants.load()[name]
    if contestants.why_absent(one):
        pytest.skip(contestants.why_absent(one))
    what = experiment.load(paths.data() / 'experiments' / 'wire.yaml')
    what.settings.update(count=50)
    record = runner.Runner(tmp_path, Stop()).run(plan.Item(what, one, (('mode', mode),), False, 0))
    assert record['status'] == 'ok', record
    return record


def test_the_floor_has_no_header_and_no_discovery(tmp_path):
    record = record_of('floor-udp', 'unicast', tmp_path)
    assert record['figures']['header_bytes'] == 0 and record['figures']['discovery_packets'] == 0
    assert record['properties']['transport'] == 'UDP'


@pytest.mark.parametrize('mode', network.network_settings.MODES)
def test_dds_has_a_header_and_finds_its_peers(tmp_path, mode):
    record = record_of('cyclonedds', mode, tmp_path)
    assert record['figures']['header_bytes'] > 40 and record['figures']['discovery_packets'] > 2
    assert record['figures']['discovery_ns'] >= 0
    assert record['properties']['transport'] == ('UDP multicast' if mode == 'multicast' else 'UDP')
    assert ('multicast' in record['properties']['discovery']) == (mode == 'multicast')
