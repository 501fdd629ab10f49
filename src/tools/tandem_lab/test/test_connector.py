"""RTI Connext through RTI's Connector, which `make connext` installs: absent with the reason, or measured."""

import json

import pytest
from fake_lab import Lab
from peer_process import PeerProcess

from tandem_lab import paths
from tandem_lab.analysis import analysis
from tandem_lab.inputs import contestants

here = pytest.mark.skipif(not paths.connector(),
                          reason="NOTHING WAS MEASURED THROUGH RTI's Connector: 'make connext' installs it")
DOMAIN = 43


@pytest.fixture
def start(tmp_path, monkeypatch):
    """start(name, role, **spec): a peer that does not outlive the test."""
    monkeypatch.setenv('TANDEM_SHM_DIR', str(tmp_path))
    peers = []

    def start_one(name, role, **spec):
        link = contestants.load()['connext-connector'].link
        peers.append(PeerProcess(tmp_path, name, role=role, link=link, domain=DOMAIN, **spec))
        return peers[-1]

    yield start_one
    for peer in peers:
        peer.end()


def end(peers):
    for peer in peers:
        peer.say('stop')
    assert [peer.status() for peer in peers] == [0] * len(peers)


def test_without_the_library_it_is_absent(monkeypatch, tmp_path):
    contestants.why_absent.cache_clear()
    monkeypatch.setattr(paths, 'prefixes', lambda: [tmp_path / 'install'])
    one = contestants.load()['connext-connector']
    try:
        assert contestants.why_absent(one) == "RTI's Connector is not installed: make connext"
        assert contestants.describe([one])[0]['version'] == ''
    finally:
        contestants.why_absent.cache_clear()


def test_the_report_says_how_it_was_measured(tmp_path):
    note = contestants.load()['connext-connector'].note
    assert "through RTI's Connector, whose cost is included" in note
    lab = Lab(tmp_path)
    (lab.folder / 'contestants.yaml').write_text(
        f'contestants:\n  - {{id: good, title: Good, kind: faulty, link: good, note: {json.dumps(note)}}}\n'
        '  - {id: other, title: Other, kind: faulty, link: other}\n')
    status, _, err = lab.run('run', lab.experiment(contestants='good, other'), '--output', lab.run_folder)
    assert status == 0, err
    caveats = analysis.build(lab.run_folder)['sections'][0]['caveats']
    assert f'Good: {note}' in caveats


def test_a_library_that_is_none(start, tmp_path, monkeypatch):
    library = tmp_path / 'librtiddsconnector.so'
    library.write_text('this is no library')
    monkeypatch.setattr(paths, 'connector', lambda: library)
    peer = start('peer', 'publish')
    assert peer.status() == 1
    assert "'make connext' installs it" in peer.errors() and str(library) in peer.errors()


@here
@pytest.mark.parametrize('size', [16, 60_000, 1 << 20])
@pytest.mark.parametrize('history', ['keep_last', 'keep_all'])
def test_one_publisher_and_three_subscribers(start, size, history):
    spec = dict(size=size, count=50, warm_up=5, rate=200, depth=100, history=history, check='full')
    subscribers = [start(f'subscriber{i}', 'subscribe', **spec) for i in range(3)]
    publisher = start('publisher', 'publish', peers=3, **spec)
    for peer in [publisher, *subscribers]:
        peer.until('matched')
    publisher.say('go')
    assert publisher.finished()['sent'] == 50
    for peer in subscribers:
        peer.say('expect 50')
        figures = peer.finished()
        assert [figures[name] for name in ('received', 'lost', 'torn', 'duplicates')] == [50, 0, 0, 0]
    end([publisher, *subscribers])


@here
@pytest.mark.parametrize('size', [16, 1 << 20])
def test_round_trip(start, size):
    spec = dict(size=size, count=50, warm_up=5, check='full')
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


@here
@pytest.mark.parametrize('more, says', [({'loan': True}, 'cannot lend'),
                                        ({'message': 'image'}, 'only messages of bytes'),
                                        ({'hosts': ['10.0.0.1']}, 'not told addresses')])
def test_what_it_cannot_do(start, more, says):
    peer = start('peer', 'publish', **more)
    assert peer.status() == 3
    assert says in peer.errors()
