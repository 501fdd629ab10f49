"""RTPS packets: taken from loopback, spoiled or forged, and sent."""

import socket
import threading

ETH_P_ALL = 3
DATA = 0x15
HEADER = 20  # bytes of an RTPS header: magic, version, vendor, prefix of the participant
ETHERNET, IP, UDP = 14, 20, 8


class Capture:
    """What is sent on loopback while this is open."""

    def __init__(self):
        self._raw = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL))
        self._raw.bind(('lo', 0))
        self._raw.settimeout(0.1)
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._packets = []
        self._ends = False
        self._thread = threading.Thread(target=self._run)

    def _run(self):
        while not self._ends:
            try:
                frame = self._raw.recv(65535 + ETHERNET)
            except TimeoutError:
                continue
            payload = frame[ETHERNET + IP + UDP:]
            port = int.from_bytes(frame[ETHERNET + IP + 2:ETHERNET + IP + 4], 'big')
            # An IPv4 header without options, and UDP.
            if frame[12:15] == b'\x08\0\x45' and frame[ETHERNET + 9] == 17 and payload[:4] == b'RTPS':
                self._packets.append((payload, (socket.inet_ntoa(frame[ETHERNET + 16:ETHERNET + 20]), port)))

    def packets_of(self, prefix):
        """Those that the participant sent, each with where it went."""
        return [(payload, to) for payload, to in list(self._packets) if payload[8:HEADER] == prefix]

    def messages_of(self, writer):
        """Of a writer's GUID: the sequence number of each message and where it went."""
        return [(int.from_bytes(body[16:20], 'little'), to) for payload, to in self.packets_of(writer[:12])
                for kind, body in submessages(payload) if kind == DATA and body[8:12] == writer[12:]]

    def send(self, payload, destination):
        self._udp.sendto(payload, destination)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends = True
        self._thread.join()
        self._raw.close()
        self._udp.close()


def submessages(payload):
    """(kind, what is behind its header) of each, little-endian as our machines speak."""
    at = HEADER
    while at + 4 <= len(payload):
        length = int.from_bytes(payload[at + 2:at + 4], 'little') or len(payload) - at - 4
        yield payload[at], payload[at + 4:at + 4 + length]
        at += 4 + length


class Forger:
    """Speaks in the name of a writer whose messages were captured: any bytes, which DDS libraries would not send."""

    def __init__(self, capture, writer):
        self._capture = capture
        self._writer = writer
        self._number = max(number for number, _ in capture.messages_of(writer))
        self._said = []

    def say(self, data):
        self._number += 1
        data = data.ljust((len(data) + 3) & ~3, b'\0')
        number = bytes(4) + self._number.to_bytes(4, 'little')
        body = b'\0\0\x10\0' + bytes(4) + self._writer[12:] + number + data
        head = b'RTPS\2\1\1\x10' + self._writer[:12]
        packet = head + bytes([DATA, 5]) + len(body).to_bytes(2, 'little') + body
        self._said.append(packet)
        self._send(packet)

    def say_again(self):
        """All of it: what was lost comes late, the rest is ignored."""
        for packet in self._said:
            self._send(packet)

    def _send(self, packet):
        # The writer sends to each reader by itself: the second destination is captured later than the first.
        for to in {to for _, to in self._capture.messages_of(self._writer)}:
            self._capture.send(packet, to)


def mutated(payload, dice):
    """Some bytes changed behind the header, or cut, or repeated."""
    body = bytearray(payload[HEADER:])
    for _ in range(dice.randrange(1, 6)):
        if body:
            at = dice.randrange(len(body))
            body[at] = dice.choice((0, 1, 127, 128, 255, dice.randrange(256)))
    if dice.randrange(4) == 0:
        del body[dice.randrange(len(body) + 1):]
    if dice.randrange(8) == 0:
        body += body[dice.randrange(len(body) + 1):]
    return payload[:HEADER] + bytes(body)
