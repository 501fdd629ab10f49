"""Everybody lists everybody's nodes, topics and types, in both widths of Gids."""

import re

import pytest
from conftest import EVERYBODY, FOREIGN, TALKS
from peers import OURS, wait_for

STRING_HASH = 'RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18'


def dds_type(type_name):
    return '{}::msg::dds_::{}_'.format(*type_name.split('/'))


def names_of(party, but=None):
    """Of all nodes, or of all but those of a kind."""
    return {peer.full_name for peers in (party.talkers, party.latecomers)
            for kind, peer in peers.items() if kind != but}


@pytest.mark.parametrize('kind', FOREIGN)
def test_theirs_lists_all_nodes_and_topics(party, kind):
    peer = party.talkers[kind]
    # On a busy machine one ros2_client now and then never hears of the other: that is between the two of them.
    others = names_of(party, but=kind)
    wait_for(lambda: others <= set(peer.graph()['nodes']), lambda: f"node of {others - set(peer.graph()['nodes'])}")
    listed = {tuple(pair) for pair in peer.graph()['topics']}
    assert {(f'rt{topic}', dds_type(type_name)) for other in EVERYBODY if other != kind
            for topic, type_name in party.topics(other).items()} <= listed


@pytest.mark.skipif('cyclonedds' not in FOREIGN, reason="PyPI's cyclonedds is not there")
@pytest.mark.parametrize('kind', OURS)
def test_our_endpoints_tell_node_and_type_hash(party, kind):
    """As `ros2 topic info -v` of a stock node shows them."""
    def found():
        endpoints = party.talkers['cyclonedds'].graph()['endpoints']
        return {(e['kind'], e['node'], e['user_data']) for e in endpoints if e['topic'] == f'rt/{kind}/string'} >= {
            ('writer', f'/{kind}_talker', f'typehash={STRING_HASH};')}
    wait_for(found, lambda: f"our writer in {party.talkers['cyclonedds'].graph()['endpoints']}")


@pytest.mark.parametrize('transport', OURS)
def test_ours_lists_all_nodes(party, transport):
    party.domain.eventually(transport, 'node', 'list', holds=lambda out: names_of(party) <= set(out.split()))


@pytest.mark.parametrize('transport', OURS)
def test_ours_lists_all_topics(party, transport):
    expected = {f'{topic} [{type_name.replace("/", "/msg/")}]' for kind in EVERYBODY
                for topic, type_name in party.topics(kind).items()}
    party.domain.eventually(transport, 'topic', 'list', '-t', holds=lambda out: expected <= set(out.splitlines()))


@pytest.mark.parametrize('kind', FOREIGN)
@pytest.mark.parametrize('transport', OURS)
def test_ours_tells_of_their_endpoints(party, transport, kind):
    def holds(out):
        publisher = re.search('Publisher count: 1\n(.*)Subscription count: ', out, re.DOTALL)
        return publisher and all(f'{line}\n' in publisher[1] for line in (
            f'Node name: {kind}_talker', 'Node namespace: /peers', 'Topic type: geometry_msgs/msg/PoseStamped',
            '  Reliability: RELIABLE', '  Durability: TRANSIENT_LOCAL'))
    party.domain.eventually(transport, 'topic', 'info', '-v', f'/{kind}/latched', holds=holds)


def test_every_type_is_spoken():
    assert len(TALKS) == 6
