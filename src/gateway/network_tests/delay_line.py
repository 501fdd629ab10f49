"""A long way between a host of hosts.py and its switch, for kernels without netem.

    prepare(hosts)                        # all that the host talks to, and itself
    insert(host, delay=20, loss=0.5)      # ms in each direction, percent of the frames

As a program, `delay_line.py PORT OTHER DELAY LOSS` forwards frames between two interfaces that nobody else uses.
"""

import ctypes
import fcntl
import heapq
import random
import select
import socket
import struct
import sys
import time
from pathlib import Path

FRAME = 1 << 16
EVERYTHING = 3  # ETH_P_ALL
PACKET_OUTGOING = 4
SIOCETHTOOL = 0x8946
# Checksums and segmentation must be done before the frames are seen here.
SET_OFF = {'rx checksums': 0x15, 'tx checksums': 0x17, 'tso': 0x1f, 'gso': 0x24, 'gro': 0x2c}


def turn_offloads_off(interface):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        for command in SET_OFF.values():
            value = ctypes.create_string_buffer(struct.pack('II', command, 0))
            request = struct.pack('16sQ', interface.encode(), ctypes.addressof(value))
            try:
                fcntl.ioctl(control, SIOCETHTOOL, request)
            except OSError:  # the interface has no such offload
                pass


def prepare(hosts):
    """So that what they send is complete when the line gets it."""
    for host in hosts:
        host.out('/usr/bin/python3', '-B', Path(__file__), '--offloads-off', 'eth0')


def insert(host, delay, loss):
    """Between the host's cable and the switch. What was sent before is lost."""
    switch, port = host._switch, host._port
    near, far = f'{port}near', f'{port}far'
    switch.out('ip', 'link', 'add', near, 'type', 'veth', 'peer', 'name', far)
    switch.out('ip', 'link', 'set', port, 'nomaster', 'promisc', 'on')
    switch.out('ip', 'link', 'set', near, 'up', 'promisc', 'on')
    switch.out('ip', 'link', 'set', far, 'master', 'bridge', 'up')
    line = switch.start('/usr/bin/python3', '-B', Path(__file__), port, near, str(delay), str(loss))
    line.wait_for('forwarding')
    return line


def open_interface(name):
    turn_offloads_off(name)
    opened = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(EVERYTHING))
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)
    opened.bind((name, EVERYTHING))
    opened.setblocking(False)
    return opened


def forward(names, delay, loss):
    ends = [open_interface(name) for name in names]
    ways = {ends[0].fileno(): ends[::1], ends[1].fileno(): ends[::-1]}
    waiting, number = [], 0
    print('forwarding', flush=True)
    while True:
        timeout = max(0, waiting[0][0] - time.monotonic()) if waiting else None
        readable, _, _ = select.select(list(ways), [], [], timeout)
        for descriptor in readable:
            here, there = ways[descriptor]
            try:
                while True:
                    frame, origin = here.recvfrom(FRAME)
                    if origin[2] != PACKET_OUTGOING and random.random() * 100 >= loss:
                        number += 1
                        heapq.heappush(waiting, (time.monotonic() + delay / 1000, number, there, frame))
            except BlockingIOError:
                pass
        while waiting and waiting[0][0] <= time.monotonic():
            _, _, there, frame = heapq.heappop(waiting)
            try:
                there.send(frame)
            except OSError:  # no room, or no interface: it is lost
                pass


if __name__ == '__main__':
    if sys.argv[1] == '--offloads-off':
        turn_offloads_off(sys.argv[2])
    else:
        forward(sys.argv[1:3], float(sys.argv[3]), float(sys.argv[4]))
