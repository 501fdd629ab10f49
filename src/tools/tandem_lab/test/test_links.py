"""The floors, libzmq itself and the links that misbehave, through lab_peer; and attestation."""

import os
import signal

import pytest
from peer_process import PeerProcess
from tandem_lab.results.hlog import read_histogram
from tandem_lab.trials.attest import compare

FLOORS = ['cache_line', 'futex', 'memcpy', 'unix', 'tcp', 'udp']
LINKS = [('floor', name) for name in FLOORS] + [('zeromq', 'pubsub')]
DOMAIN = 41

every_link = pytest.mark.parametrize('kind, name', LINKS)
# One of each body of code.
DIFFERENT = [('floor', 'futex'), ('floor', 'tcp'), ('floor', 'udp'), ('zeromq', 'pubsub')]
each_way = pytest.mark.parametrize('kind, name', DIFFERENT)


@pytest.fixture
def start(tmp_path, monkeypatch):
    """start(name, role, (kind, name of the link), **spec): a peer that does not outlive the test."""
    folder = tmp_path / 'shm'
    folder.mkdir()
    monkeypatch.setenv('TANDEM_SHM_DIR', str(folder))
    peers = []

    def start_one(name, role, link, **spec):
        kind, of_kind = link
        spec.update(role=role, link={'kind': kind, 'name': of_kind}, domain=DOMAIN)
        peers.append(PeerProcess(tmp_path, name, **spec))
        return peers[-1]

    yield start_one
    for peer in peers:
        peer.end()


def play(publisher, subscribers):
    """From matched to the end; figures of all."""
    for peer in [publisher, *subscribers]:
        peer.until('matched')
    publisher.say('go')
    sent = publisher.finished()
    for peer in subscribers:
        peer.say(f'expect {sent["sent"]}')
    figures = [sent, *(peer.finished() for peer in subscribers)]
    end([publisher, *subscribers])
    return figures


def end(peers):
    for peer in peers:
        peer.say('stop')
    assert [peer.status() for peer in peers] == [0] * len(peers)


def attested(peer):
    return peer.until('finished')['attestation']


@every_link
def test_one_publisher_and_three_subscribers(start, kind, name):
    spec = dict(link=(kind, name), size=5000, count=50, warm_up=5, rate=1000, check='full')
    subscribers = [start(f'subscriber{i}', 'subscribe', **spec) for i in range(3)]
    publisher = start('publisher', 'publish', peers=3, **spec)
    sent, *received = play(publisher, subscribers)
    assert sent['sent'] == 50
    for figures in received:
        assert figures['received'] + figures['lost'] == 50
        assert figures['duplicates'] == figures['torn'] == 0
        assert figures['lost'] == 0 or name == 'udp'


@every_link
def test_round_trip(start, kind, name):
    spec = dict(link=(kind, name), size=1000, count=50, warm_up=5)
    pong = start('pong', 'pong', **spec)
    ping = start('ping', 'ping', **spec)
    ping.until('matched'), pong.until('matched')
    ping.say('go')
    figures = ping.finished()
    pong.say('stop')
    replied = pong.finished()
    end([ping])
    assert (figures['sent'], figures['received'], figures['torn']) == (50, 50, 0)
    assert (replied['received'], replied['torn']) == (50, 0)


@each_way
def test_polling_back_to_back(start, kind, name):
    spec = dict(link=(kind, name), size=200, count=500, wait='poll', check='full')
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', **spec)
    _, received = play(publisher, [subscriber])
    assert received['received'] + received['lost'] == 500
    assert received['torn'] == 0
    assert received['lost'] == 0 or name == 'udp'


@each_way
def test_everybody_in_a_topic_meets(start, kind, name):
    peers = [start(f'peer{i}', 'join', (kind, name), peers=2) for i in range(3)]
    for peer in peers:
        peer.until('matched')
    end(peers)


@each_way
def test_a_killed_subscriber_holds_nobody_up(start, kind, name):
    spec = dict(link=(kind, name), size=60_000)
    victim = start('victim', 'subscribe', delay_us=1_000_000, **spec)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', peers=2, count=300, rate=1000, **spec)
    for peer in (publisher, subscriber, victim):
        peer.until('matched')
    publisher.say('go')
    victim.until('first')
    os.kill(victim.popen.pid, signal.SIGKILL)
    assert publisher.finished()['sent'] == 300
    subscriber.say('expect 300')
    figures = subscriber.finished()
    assert figures['received'] == 300 or name == 'udp'
    end([publisher, subscriber])


@each_way
def test_a_killed_publisher_holds_nobody_up(start, kind, name):
    spec = dict(link=(kind, name), size=5000)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', count=100, die_at=50, **spec)
    publisher.until('matched'), subscriber.until('matched')
    publisher.say('go')
    assert publisher.status() == -signal.SIGKILL
    subscriber.say('expect 100')
    figures = subscriber.finished()
    assert figures['received'] <= 49 and figures['torn'] == 0
    end([subscriber])


@pytest.mark.parametrize('link, role, more, says', [
    (('floor', 'udp'), 'publish', {'size': 65_508}, 'at most 65507'),
    (('floor', 'udp'), 'subscribe', {'size': 65_508}, 'at most 65507'),
    (('floor', 'tcp'), 'publish', {'loan': True}, 'cannot lend'),
    (('floor', 'memcpy'), 'publish', {'loan': True}, 'cannot lend'),
    (('floor', 'futex'), 'subscribe', {'hold': 15}, 'at most 14'),
    (('zeromq', 'pubsub'), 'publish', {'loan': True}, 'cannot lend')])
def test_what_a_link_cannot_do(start, link, role, more, says):
    peer = start('peer', role, link, **more)
    assert peer.status() == 3
    assert says in peer.errors()


@pytest.mark.parametrize('kind', ['floor', 'faulty'])
def test_unknown_names(start, kind):
    peer = start('peer', 'publish', (kind, 'nonsense'))
    assert peer.status() == 1
    assert "there is no" in peer.errors() and 'nonsense' in peer.errors()


def lend(start, link, **spec):
    """One publisher that lends and one subscriber, with attestation; (same, looked), figures of both."""
    spec = dict(link=link, size=8192, count=20, warm_up=3, rate=500, attest=10, depth=100, **spec)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', loan=True, **spec)
    figures = play(publisher, [subscriber])
    return compare([attested(publisher)], [attested(subscriber)]), figures


@pytest.mark.parametrize('link, same', [(('transport', 'rmw_tandem_cpp'), 10), (('floor', 'futex'), 10),
                                        (('faulty', 'copies'), 0)])
def test_attestation_believes_nobody(start, link, same):
    found, (sent, received) = lend(start, link)
    assert found == (same, 10)
    assert received['received'] == 20
    for figures in (sent, received):
        assert (figures['cycles'] is None) == bool(figures['counters_reason'])


def test_a_transport_that_copies_is_attested_to(start):
    spec = dict(link=('transport', 'rmw_zeromq_cpp'), size=8192, count=20, rate=500, attest=10, depth=100)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', **spec)
    play(publisher, [subscriber])
    assert compare([attested(publisher)], [attested(subscriber)]) == (0, 10)


def test_reuse_before_release_is_torn(start):
    # The subscriber keeps one message: it looks at each once more after the next one has come into the same slot.
    _, (_, received) = lend(start, ('faulty', 'reuses'), check='full', hold=1)
    assert (received['received'], received['torn']) == (20, 19)


def test_an_honest_link_is_not_torn(start):
    _, (_, received) = lend(start, ('floor', 'futex'), check='full', hold=1)
    assert (received['received'], received['torn']) == (20, 0)


def test_a_stall_shows_from_the_intended_time_only(start):
    # 100 ms before every 250th message: at 500 a second, 50 messages are late, half of them by more than 50 ms.
    spec = dict(link=('faulty', 'stalls'), size=1000, count=600, rate=500)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', **spec)
    play(publisher, [subscriber])
    service, intended = (read_histogram(f'{subscriber.output}.hlog', tag) for tag in ('service', 'intended'))
    assert intended.percentile(91.5) >= 50e6  # 50 of 600
    # Together they are late by 2 * (100 + 98 + ... + 2) ms, of which the service time knows nothing.
    assert intended.mean - service.mean >= 0.9 * 2 * 2550e6 / 600


def test_a_refused_message_counts_from_when_it_was_first_offered(start):
    # Ten tries for nine messages; whoever refuses is not better off than whoever lets the sender wait.
    spec = dict(link=('faulty', 'refuses'), size=1000, count=180)
    subscriber = start('subscriber', 'subscribe', **spec)
    publisher = start('publisher', 'publish', **spec)
    sent, received = play(publisher, [subscriber])
    assert sent['timeouts'] == 19 and received['received'] == 180
    assert read_histogram(f'{subscriber.output}.hlog', 'service').percentile(93) >= 20e6
