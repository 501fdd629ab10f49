"""Clients that send garbage, flood, send huge frames, or stop reading: each harms itself alone."""

import json
import os
import random
import socket
import struct
import threading
from pathlib import Path

import pytest
from conftest import wait_for
from raw_websocket import BINARY, CLOSE, RawWebSocket, request

MEGABYTE = 1 << 20


def connect(view, protocol='foxglove.websocket.v1'):
    client = RawWebSocket(view.port, f'/{view.token}', protocol)
    assert client.status == 101
    client.until('serverInfo')
    return client


def channel_of(client, topic):
    while True:
        for each in client.until('advertise')['channels']:
            if each['topic'] == topic:
                return each['id']


def resident(process):
    """Bytes of memory of the process's own."""
    for line in Path(f'/proc/{process.pid}/status').read_text().splitlines():
        if line.startswith('RssAnon'):
            return int(line.split()[1]) * 1024
    raise AssertionError('no RssAnon')


@pytest.fixture
def watched(view):
    """The view, which must serve a proper client afterwards."""
    yield view
    assert view.poll() is None, 'tandem view has ended'
    client = connect(view)
    client.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': channel_of(client, '/chatter')}])
    while client.receive()[0] != BINARY:
        pass
    client.close()


GARBAGE = [
    b'', b'{', b'[]', b'7', b'null', b'"op"', b'{"op": 7}', b'{"op": "tandem.watch"}', b'{"op": "no such thing"}',
    b'[' * 100000, b'{"op": "subscribe"}', b'{"op": "subscribe", "subscriptions": 7}',
    b'{"op": "subscribe", "subscriptions": [7, {}]}',
    b'{"op": "subscribe", "subscriptions": [{"id": -1, "channelId": 1}]}',
    b'{"op": "subscribe", "subscriptions": [{"id": 1, "channelId": 99999}]}',
    b'{"op": "unsubscribe", "subscriptionIds": [5]}', b'{"op": "unsubscribe", "subscriptionIds": ["a"]}',
    *(json.dumps({'op': 'advertise', 'channels': [
        {'id': 1, 'topic': topic, 'encoding': encoding, 'schemaName': schema}]}).encode()
      for topic, encoding, schema in [('/a b', 'cdr', 'std_msgs/msg/String'), ('/1', 'cdr', 'std_msgs/msg/String'),
                                      ('/a', 'xml', 'std_msgs/msg/String'), ('/a', 'cdr', 'no/such'),
                                      ('/a', 'cdr', '../../x/y'), ('', 'cdr', 'std_msgs/msg/String')]),
    b'{"op": "unadvertise", "channelIds": [5]}', b'{"op": "getParameters", "parameterNames": ["nonsense"]}',
    b'{"op": "setParameters", "parameters": [{"value": 1}]}', b'{"op": "setParameters", "parameters": "all"}',
    b'{"op": "fetchAsset", "uri": 7, "requestId": 1}', b'{"op": "subscribeParameterUpdates"}',
]


@pytest.mark.parametrize('garbage', GARBAGE, ids=range(len(GARBAGE)))
def test_garbage_is_answered_in_words(watched, garbage):
    client = connect(watched)
    client.send(garbage)
    answer = client.until('status')
    assert answer['level'] == 2 and len(answer['message']) > 10
    client.close()


@pytest.mark.parametrize('garbage', [b'', b'\0', b'\1', b'\1\0\0\0\0', b'\2', b'\2' + b'\xff' * 12,
                                     b'\2' + b'\xff' * 40, b'\xff' * 9], ids=range(8))
def test_binary_garbage_is_answered_in_words(watched, garbage):
    client = connect(watched)
    client.send(garbage, BINARY)
    assert client.until('status')['level'] == 2
    client.close()


def test_message_that_does_not_fit_its_type_is_refused(watched):
    client = connect(watched)
    client.send_json(op='advertise', channels=[{'id': 1, 'topic': '/said', 'encoding': 'cdr',
                                                'schemaName': 'std_msgs/msg/String'}])
    for payload in [b'', b'\0\1\0\0\xff\xff\xff\xff', b'\0\1\0\0\4\0\0\0abcd', b'\7\7\0\0',
                    random.Random(1).randbytes(99)]:
        client.send(b'\1' + struct.pack('<I', 1) + payload, BINARY)
        assert '/said' in client.until('status')['message']
    client.close()


def test_one_that_is_refused_keeps_no_other_from_it(watched):
    client = connect(watched)
    client.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': 99999}, 'nonsense',
                                                    {'id': 2, 'channelId': channel_of(client, '/imu')}])
    assert '99999' in client.until('status')['message']
    while client.receive()[0] != BINARY:
        pass
    client.close()


def test_random_bytes_on_the_port(watched):
    generator = random.Random(2)
    for _ in range(30):
        client = RawWebSocket(watched.port, f'/{watched.token}')
        try:
            client.sock.sendall(generator.randbytes(generator.randrange(1, 3000)))
        except OSError:
            pass  # it was cut already
        client.close()
    for _ in range(30):
        with socket.create_connection(('127.0.0.1', watched.port)) as sock:
            sock.sendall(generator.randbytes(generator.randrange(1, 3000)))
    with socket.create_connection(('127.0.0.1', watched.port)) as sock:
        sock.sendall(b'GET /' + b'x' * 100000)  # a head without an end


def test_huge_frame_is_refused_at_its_head(watched):
    before = resident(watched)
    client = connect(watched)
    client.send(b'{"op": "', length=1 << 40)
    opcode = None
    while opcode != CLOSE:
        opcode, payload = client.receive()
    assert struct.unpack('>H', payload[:2])[0] == 1009
    client.close()
    assert resident(watched) < before + 8 * MEGABYTE


def test_large_message_within_the_bound_is_read(watched):
    client = connect(watched)
    client.send(b' ' * (12 * MEGABYTE) + b'{"op": "x"}')
    assert "'x'" in client.until('status')['message']
    client.close()


def test_flood_is_read_slowly_and_delays_nobody(watched):
    flood = connect(watched)
    stop = threading.Event()
    frame = json.dumps({'op': 'unsubscribe', 'subscriptionIds': []}).encode()

    def send():
        try:
            while not stop.is_set():
                flood.send(frame)
        except OSError:
            pass

    thread = threading.Thread(target=send)
    thread.start()
    assert 'too fast' in flood.until('status')['message']
    client = connect(watched)  # is served meanwhile
    client.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': channel_of(client, '/imu')}])
    got = 0
    while got < 20:
        got += client.receive()[0] == BINARY
    client.close()
    stop.set()
    flood.close()
    thread.join()


def test_client_that_stops_reading_loses_its_own_messages_only(watched):
    lazy = connect(watched)
    lazy.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': channel_of(lazy, '/camera/image')}])
    brisk = connect(watched)
    brisk.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': channel_of(brisk, '/camera/image')}])
    before = resident(watched)
    sizes = []
    while len(sizes) < 40:  # images of 2.7 MB: more than every buffer on the way
        opcode, payload = brisk.receive()
        if opcode == BINARY:
            sizes.append(len(payload))
    assert min(sizes) > 2 * MEGABYTE
    assert resident(watched) < before + 64 * MEGABYTE
    brisk.close()
    dropped = lazy.until('status', lambda each: 'dropped' in each['message'])
    assert '/camera/image' in dropped['message'] and dropped['level'] == 1
    lazy.close()


def test_clients_that_come_and_go_leave_nothing(watched):
    descriptors = f'/proc/{watched.pid}/fd'

    def come_and_go():
        client = connect(watched)
        client.send_json(op='subscribe', subscriptions=[{'id': 1, 'channelId': channel_of(client, '/imu')}])
        client.sock.close()

    for _ in range(5):
        come_and_go()
    open_before = len(os.listdir(descriptors))
    before = resident(watched)
    for _ in range(100):
        come_and_go()
    wait_for(lambda: len(os.listdir(descriptors)) <= open_before + 2, 'descriptors are closed')
    assert resident(watched) < before + 16 * MEGABYTE


def test_too_many_connections_are_turned_away(watched):
    clients = []
    try:
        for _ in range(260):
            client = RawWebSocket(watched.port, f'/{watched.token}')
            if client.status != 101:
                break
            clients.append(client)
    except (IndexError, OSError):
        pass  # cut without an answer
    assert 100 < len(clients) < 250
    for client in clients:
        client.close()
    wait_for(lambda: is_served(watched), 'it serves again')


def is_served(view):
    try:
        return request(view.port, f'/{view.token}/')[0] == 200
    except (IndexError, OSError):
        return False


def test_ten_thousand_topics_are_told_of_in_parts(empty_domain):
    empty_domain.robot('many', '10000')
    view = empty_domain.view()
    page = RawWebSocket(view.port, f'/{view.token}', 'tandem.view.v1')
    topics = set()
    while len(topics) < 10000:
        message = page.until('tandem.topics')
        topics.update(row[1] for row in message['changed'] if row[1].startswith('/many/'))
        topics.difference_update(message['removed'])
    quiet = page.until('tandem.topics', lambda each: not each['changed'])
    assert quiet['removed'] == []
    client = connect(view)
    channels = {}
    while len(channels) < 10000:
        parts = client.until('advertise')['channels']
        assert len(parts) <= 200
        channels.update((each['topic'], each['id']) for each in parts if each['topic'].startswith('/many/'))
    some = list(channels.values())[:500]
    client.send_json(op='subscribe', subscriptions=[{'id': id, 'channelId': id} for id in some])
    client.send_json(op='no such')
    assert 'no such' in client.until('status')['message']
    client.close()
    page.close()
