"""lab_peer as processes: what is counted, said and written, over several transports; and how it ends."""

import os
import signal
import time

import pytest
from peer_process import PATIENCE, PeerProcess
from tandem_lab import paths
from tandem_lab.results.hlog import read_histogram

TRANSPORTS = ['rmw_tandem_cpp', 'rmw_fastrtps_cpp', 'rmw_cyclonedds_cpp', 'rmw_zeromq_cpp']
DOMAIN = 31


@pytest.fixture
def start(tmp_path, monkeypatch):
    """start(name, **spec): a peer that does not outlive the test."""
    folder = tmp_path / 'shm'
    folder.mkdir()
    monkeypatch.setenv('TANDEM_SHM_DIR', str(folder))
    peers = []

    def start_one(name, **spec):
        spec.setdefault('domain', DOMAIN)
        peers.append(PeerProcess(tmp_path, name, **spec))
        return peers[-1]

    yield start_one
    for peer in peers:
        peer.end()


def transport(name):
    return {'kind': 'transport', 'name': name}


def play(publishers, subscribers):
    """From matched to the end; figures of all."""
    for peer in publishers + subscribers:
        peer.until('matched')
    for peer in publishers:
        peer.say('go')
    sent = sum(peer.finished()['sent'] for peer in publishers)
    for peer in subscribers:
        peer.say(f'expect {sent}')
    figures = [peer.finished() for peer in publishers + subscribers]
    for peer in publishers + subscribers:
        peer.say('stop')
    assert [peer.status() for peer in publishers + subscribers] == [0] * len(figures)
    return figures


def histogram(peer, tag):
    return read_histogram(str(peer.output) + '.hlog', tag)


@pytest.mark.parametrize('message', ['bytes', 'fixed'])
@pytest.mark.parametrize('name', TRANSPORTS)
def test_one_way(start, name, message):
    index = 'share/ament_index/resource_index/tandem_transport'
    if not any((prefix / index / name).exists() for prefix in paths.prefixes()):
        pytest.skip(f'NOT TESTED: {name} was not built')
    spec = dict(link=transport(name), message=message, size=4096, count=40, warm_up=5, rate=1000, depth=100,
                check='full')
    subscriber = start('subscriber', role='subscribe', **spec)
    publisher = start('publisher', role='publish', **spec)
    sent, received = play([publisher], [subscriber])
    assert (sent['sent'], received['received']) == (40, 40)
    assert received['lost'] == received['duplicates'] == received['torn'] == 0
    assert sent['rss_kib'] > 0 and sent['last_ns'] > sent['first_ns']
    for peer, events in ((publisher, ['started', 'joined', 'matched', 'done', 'finished']),
                         (subscriber, ['started', 'joined', 'matched', 'first', 'done', 'finished'])):
        assert [event['event'] for event in peer.events] == events
        times = [event['at'] for event in peer.events]
        assert times == sorted(times)

    columns, out = publisher.rows()
    assert columns == ['sequence', 'intended_ns', 'sent_ns', 'published_ns']
    assert [row[0] for row in out] == list(range(6, 46))
    assert [row[1] - out[0][1] for row in out] == pytest.approx([i * 1_000_000 for i in range(40)], abs=1)
    assert all(intended <= before <= after for _, intended, before, after in out)
    columns, came = subscriber.rows()
    assert columns == ['sequence', 'sent_ns', 'received_ns', 'lateness_us']
    assert [row[:2] for row in came] == [[row[0], row[2]] for row in out]
    assert all(received_at > sent_at for _, sent_at, received_at, _ in came)
    assert [row[3] for row in came] == [(row[2] - row[1]) // 1000 for row in out]
    service = histogram(subscriber, 'service')
    assert service.count == histogram(subscriber, 'intended').count == histogram(publisher, 'publish').count == 40
    assert service.max == pytest.approx(max(row[2] - row[1] for row in came), rel=0.01)


@pytest.mark.parametrize('name', ['rmw_tandem_cpp', 'rmw_zeromq_cpp'])
@pytest.mark.parametrize('outstanding', [1, 7])
def test_round_trip(start, name, outstanding):
    spec = dict(link=transport(name), size=1000, count=50, warm_up=10, outstanding=outstanding)
    pong = start('pong', role='pong', **spec)
    ping = start('ping', role='ping', **spec)
    ping.until('matched'), pong.until('matched')
    ping.say('go')
    figures = ping.finished()
    pong.say('stop')
    replied = pong.finished()
    assert (figures['sent'], figures['received'], figures['lost'], figures['torn']) == (50, 50, 0, 0)
    assert (replied['received'], replied['sent'], replied['torn']) == (50, 50, 0)
    columns, rows = ping.rows()
    assert columns == ['sequence', 'sent_ns', 'received_ns']
    assert sorted(row[0] for row in rows) == list(range(11, 61))
    assert all(received > sent for _, sent, received in rows)
    halves = histogram(ping, 'half_round_trip')
    assert halves.count == 50
    assert halves.max == pytest.approx(max(row[2] - row[1] for row in rows) / 2, rel=0.01)


@pytest.mark.parametrize('message, size', [('bytes', 5000), ('fixed', 65536), ('image', 5001), ('point_cloud', 4096)])
def test_loans_hold_and_polling(start, message, size):
    spec = dict(message=message, size=size, count=30, rate=2000, depth=100, check='full')
    subscriber = start('subscriber', role='subscribe', wait='poll', hold=5, **spec)
    publisher = start('publisher', role='publish', loan=True, **spec)
    sent, received = play([publisher], [subscriber])
    assert (sent['copied'], sent['failed_borrows']) == (0, 0)
    assert (received['received'], received['lost'], received['torn'], received['copied']) == (30, 0, 0, 0)


def test_what_cannot_be_lent_is_unsupported(start):
    peer = start('peer', role='publish', link=transport('rmw_zeromq_cpp'), loan=True)
    assert peer.status() == 3
    assert 'rmw_zeromq_cpp does not lend' in peer.errors()


def test_fan_in_tells_publishers_apart(start):
    spec = dict(count=30, rate=1000, depth=100)
    subscriber = start('subscriber', role='subscribe', peers=2, **spec)
    publishers = [start(f'publisher{i}', role='publish', source=i, **spec) for i in (0, 255)]
    *_, received = play(publishers, [subscriber])
    assert (received['received'], received['lost'], received['duplicates'], received['torn']) == (60, 0, 0, 0)
    assert {row[0] >> 32 for row in subscriber.rows()[1]} == {0, 255}


def test_slow_subscriber_holds_up_a_keep_all_publisher(start):
    spec = dict(history='keep_all', size=100_000)
    subscriber = start('subscriber', role='subscribe', delay_us=2000, **spec)
    publisher = start('publisher', role='publish', count=100, **spec)
    _, received = play([publisher], [subscriber])
    assert (received['received'], received['lost']) == (100, 0)


def test_slow_subscriber_loses_what_its_depth_does_not_hold(start):
    spec = dict(depth=1)
    subscriber = start('subscriber', role='subscribe', delay_us=50_000, **spec)
    publisher = start('publisher', role='publish', count=200, **spec)
    _, received = play([publisher], [subscriber])
    assert received['lost'] > 0
    assert received['received'] + received['lost'] == 200


def test_bursts_and_time(start):
    subscriber = start('subscriber', role='subscribe', depth=1000)
    publisher = start('publisher', role='publish', demand=10, recovery_us=20_000, seconds=0.1)
    sent, received = play([publisher], [subscriber])
    assert sent['sent'] == received['received'] > 0
    times = [row[1] for row in publisher.rows()[1]]
    assert all(later - earlier >= 20_000_000 for earlier, later in zip(times[::10], times[10::10]))


def test_join(start):
    peers = [start(f'peer{i}', role='join', peers=2) for i in range(3)]
    for peer in peers:
        peer.finished()
    for peer in peers:
        peer.say('stop')
    assert [peer.status() for peer in peers] == [0, 0, 0]


def test_publisher_that_dies_with_a_loan(start):
    subscriber = start('subscriber', role='subscribe', depth=100)
    publisher = start('publisher', role='publish', depth=100, loan=True, rate=1000, die_at=20)
    subscriber.until('matched'), publisher.until('matched')
    publisher.say('go')
    assert publisher.status() == -signal.SIGKILL
    subscriber.say('expect 20')
    figures = subscriber.finished()
    assert (figures['received'], figures['lost'], figures['torn']) == (19, 1, 0)


def test_ping_gives_up_when_its_pong_is_killed(start):
    pong = start('pong', role='pong')
    ping = start('ping', role='ping', rate=100)
    ping.until('matched'), pong.until('matched')
    ping.say('go')
    time.sleep(0.1)
    pong.popen.kill()
    time.sleep(0.1)
    ping.say('stop')
    figures = ping.finished()
    assert figures['received'] + figures['lost'] == figures['sent'] > 0


@pytest.mark.parametrize('role', ['publish', 'subscribe', 'ping', 'pong', 'join'])
@pytest.mark.parametrize('how', ['closed', 'signal'])
def test_no_peer_outlives_its_runner(start, role, how):
    peer = start('peer', role=role)
    peer.until('joined')
    if how == 'closed':
        peer.popen.stdin.close()
    else:
        os.kill(peer.popen.pid, signal.SIGTERM)
    assert peer.status() == 0, peer.errors()


def test_runner_is_gone_in_the_middle(start):
    subscriber = start('subscriber', role='subscribe')
    publisher = start('publisher', role='publish')
    subscriber.until('matched'), publisher.until('matched')
    publisher.say('go')
    subscriber.until('first')
    for peer in (publisher, subscriber):
        peer.popen.stdout.close()
        peer.popen.stdin.close()
    assert [peer.status() for peer in (publisher, subscriber)] == [0, 0]


@pytest.mark.parametrize('spec, message', [
    ({'siez': 3}, "peer.json: field 'siez': there is no such field"),
    ({'size': 4}, "peer.json: field 'size': 4 is not within"),
    ({'message': 'fixed', 'size': 1000}, "field 'size': there is no fixed message of 1000 bytes"),
    ({'link': {'kind': 'transport', 'name': 'rmw_nobody'}}, 'rmw_nobody'),
    ({'priority': 5, 'wait': 'poll'}, "field 'priority'"),
])
def test_bad_specs(start, spec, message):
    peer = start('peer', **spec)
    assert peer.status() == 1
    assert message in peer.errors()


def test_output_that_cannot_be_written(start):
    peer = start('peer', role='join', peers=0, output='/nonexistent/x')
    assert peer.popen.wait(PATIENCE) == 1
    assert '/nonexistent/x.hlog: cannot be created' in peer.errors()
