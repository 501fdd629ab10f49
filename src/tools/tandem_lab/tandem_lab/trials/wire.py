"""What crosses the cable between two namespaces: packets, protocols, headers, what discovery takes.

    with wire.capture(trial) as capture:
        ...
    packets = capture.packets()
    figures, properties = wire.describe(packets, cut, size, messages)

Packets are captured by tcpdump where they leave and reach side 0. The parser knows no more than is asked here:
Ethernet, IPv4, UDP, TCP. Large pieces that the kernel hands to the cable in one are one packet here; the cable's
counters count them as they would travel.
"""

import contextlib
import signal
import struct
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from tandem_lab.trials.network import INTERFACE
from tandem_lab.trials.processes import Failed

NANOSECONDS, MICROSECONDS = 0xa1b23c4d, 0xa1b2c3d4  # how pcap files begin
ETHERNET = 1
IPV4, ARP = 0x0800, 0x0806
PROTOCOLS = {1: 'icmp', 2: 'igmp', 6: 'tcp', 17: 'udp'}
SNAP = 128  # bytes kept of each packet: all headers
OVERHEAD = ('arp', 'igmp', 'icmp')  # of the network, not of the systems


@dataclass
class Packet:
    """`length`: with the Ethernet header; `payload`: of UDP or TCP, whole even when the capture has cut it."""

    at: int  # ns since the epoch
    length: int
    protocol: str
    source: str = ''
    destination: str = ''
    port: int = 0  # of the destination
    payload: int = 0
    fragment: bool = False  # of a datagram, not its first

    @property
    def multicast(self):
        return 224 <= int(self.destination.partition('.')[0] or 0) <= 239


@dataclass
class Cut:
    """Moments of a trial, ns since the epoch: both have said matched; the messages begin; the last has arrived."""

    matched: int
    go: int
    done: int


@dataclass
class Capture:
    file: Path
    dropped: int = 0

    def packets(self):
        with open(self.file, 'rb') as file:
            return list(parse(file.read()))


def parse(data):
    """Packets of a pcap file; one that was cut short by a kill ends where it is whole."""
    if len(data) < 24:
        return
    magics = {order: struct.unpack(order + 'I', data[:4])[0] for order in '<>'}
    order = next((order for order, magic in magics.items() if magic in (NANOSECONDS, MICROSECONDS)), None)
    if order is None or struct.unpack(order + 'I', data[20:24])[0] & 0xffff != ETHERNET:
        raise ValueError('this is no capture of Ethernet packets')
    unit = 1 if magics[order] == NANOSECONDS else 1000
    at = 24
    while at + 16 <= len(data):
        seconds, fraction, kept, length = struct.unpack(order + '4I', data[at:at + 16])
        at += 16
        if at + kept > len(data):
            return
        yield packet(seconds * 10 ** 9 + fraction * unit, length, data[at:at + kept])
        at += kept


def packet(at, length, frame):
    """One Ethernet frame, of which at least the headers are there."""
    kind = int.from_bytes(frame[12:14], 'big')
    if kind != IPV4 or len(frame) < 34:
        return Packet(at, length, 'arp' if kind == ARP else 'other')
    ip = frame[14:]
    header, total = (ip[0] & 15) * 4, int.from_bytes(ip[2:4], 'big')
    offset = int.from_bytes(ip[6:8], 'big') & 0x1fff
    # The kernel leaves the length open where it hands down more than fits into it.
    body = (total or length - 14) - header
    source, destination = ('.'.join(map(str, ip[first:first + 4])) for first in (12, 16))
    found = Packet(at, length, PROTOCOLS.get(ip[9], 'other'), source, destination, payload=body, fragment=offset != 0)
    segment = ip[header:]
    if not offset and len(segment) >= 4:
        found.port = int.from_bytes(segment[2:4], 'big')
        if found.protocol == 'udp':
            found.payload = body - 8
        elif found.protocol == 'tcp' and len(segment) >= 13:
            found.payload = body - (segment[12] >> 4) * 4
    return found


def between(packets, begin, end):
    return [one for one in packets if begin <= one.at <= end and one.protocol not in OVERHEAD]


def header_bytes(packets, size, sender):
    """How much longer than the payload the packets with messages are, inside UDP or TCP; None when there are none.

    The most frequent length of those that are long enough to hold a message: one message each when they are sent one by
    one. It holds what goes with each message: the protocol's header, and what serialization adds (4 to 8 bytes of CDR).
    """
    lengths = Counter(one.payload for one in packets if one.source == sender and one.payload >= size)
    if not lengths:
        return None
    most = max(lengths.values())
    return min(length for length, count in lengths.items() if count == most) - size


def transport_text(data, least, sender):
    """By which protocol the messages go: packets with so many bytes at least."""
    carried = Counter(one.protocol.upper() + (' multicast' if one.multicast else '') for one in data
                      if one.source == sender and one.payload >= least)
    return ', '.join(kind for kind, count in carried.most_common() if count >= 0.1 * sum(carried.values()))


def discovery_text(packets):
    """How the two sides found each other."""
    if not packets:
        return 'none on the wire: addresses are known otherwise'
    groups = sorted({one.destination for one in packets if one.multicast})
    protocols = sorted({one.protocol.upper() for one in packets})
    if protocols == ['TCP']:
        return 'none on the wire but a TCP connection: addresses are known otherwise'
    how = f'multicast ({", ".join(groups)}) and unicast' if groups else 'unicast'
    return f'{", ".join(protocols)} {how}'


def describe(packets, cut, size, messages, sender='10.98.0.1'):
    """(figures, properties) of a capture in which so many messages of this size were sent one by one."""
    discovery, data = between(packets, 0, cut.matched), between(packets, cut.go, cut.done)
    figures = {'discovery_packets': len(discovery), 'discovery_bytes': sum(one.length for one in discovery)}
    properties = {'discovery': discovery_text(discovery)}
    if messages and data:
        header = header_bytes(data, size, sender)
        if header is not None:
            figures['header_bytes'] = header
            properties['transport'] = transport_text(data, size + header, sender)
    return figures, properties


@contextlib.contextmanager
def capture(trial):
    """Captures what crosses the cable of this trial meanwhile. Yields a Capture, complete afterwards."""
    file = trial.folder / 'wire.pcap'
    dump = trial.launch('tcpdump', ['tcpdump', '-i', INTERFACE, '-U', '--immediate-mode', '-Z', 'root', '-s', SNAP,
                                    '-B', 4096, '--time-stamp-precision=nano', '-w', file])
    while 'listening on' not in dump.err.read_text(errors='replace'):
        if not dump.alive():
            raise Failed(f'tcpdump does not run: {dump.err.read_text(errors="replace").strip()}')
        trial.check()
        if trial.remaining() <= 0:
            raise Failed('tcpdump did not begin in time')
        time.sleep(0.01)
    found = Capture(file)
    yield found
    dump.signal(signal.SIGINT)
    dump.wait()
    for line in dump.err.read_text(errors='replace').splitlines():
        if line.endswith('dropped by kernel'):
            found.dropped = int(line.split()[0])
