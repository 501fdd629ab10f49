"""The harness itself: hosts are apart, and their links do as they are told."""

import json

import pytest
from hosts import Hosts, wait_until

RECEIVE = """
import socket
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.bind(('', 5555))
while True:
    print(s.recv(100).decode(), flush=True)
"""
SEND = """
import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
for i in range(int(sys.argv[2])):
    s.sendto(b'x', (sys.argv[1], 5555))
"""


@pytest.fixture
def pair():
    with Hosts(2) as hosts:
        yield hosts


def start_receiver(host):
    receiver = host.start('python3', '-c', RECEIVE)
    wait_until(lambda: ':5555' in host.out('ss', '-lun'), 'the receiver')
    return receiver


def send(host, to, count):
    host.out('python3', '-c', SEND, to.address, count)


def received(receiver, count):
    wait_until(lambda: receiver.stdout.count('x') >= count, f'{count} datagrams')
    return receiver.stdout.count('x')


def test_hosts_share_a_network_but_no_memory(pair):
    a, b = pair
    a.out('touch', '/dev/shm/there')
    assert b.out('ls', '/dev/shm') == ''
    receiver = start_receiver(b)
    with b.capture('udp port 5555') as packets:
        send(a, b, 3)
        assert received(receiver, 3) == 3
        wait_until(lambda: b.out('tcpdump', '-nr', packets).count('.5555: UDP') >= 3, 'the capture')
    assert a.packets()[1] >= 3 and b.packets()[0] >= 3


def test_loss_is_as_told_and_ends(pair):
    a, b = pair
    receiver = start_receiver(b)
    b.lose(50)
    send(a, b, 400)
    wait_until(lambda: b.dropped() + receiver.stdout.count('x') >= 400, 'all datagrams')
    assert 100 < b.dropped() < 300
    before = receiver.stdout.count('x')
    b.lose(0)
    send(a, b, 10)
    assert received(receiver, before + 10) == before + 10


def test_a_link_is_cut_and_restored(pair):
    a, b = pair
    receiver = start_receiver(b)
    send(a, b, 1)
    assert received(receiver, 1) == 1

    def carrier():
        return json.loads(b.out('ip', '-j', 'link', 'show', 'eth0'))[0]['operstate']

    b.cut()
    wait_until(lambda: carrier() == 'DOWN', 'the cut')
    before = a.packets()[1]
    send(a, b, 1)
    wait_until(lambda: a.packets()[1] > before, 'the datagram on its way')
    assert receiver.stdout.count('x') == 1
    b.restore()
    wait_until(lambda: carrier() == 'UP', 'the link')

    def arrives():
        send(a, b, 1)
        return receiver.stdout.count('x') > 1
    wait_until(arrives, 'a datagram after the cut')
