"""Every message that somebody says arrives, whole and in order, with everybody else, whoever made their DDS."""

import pytest
from conftest import EVERYBODY, LATCHED, MISSING, TALKS
from contents import CONTENTS
from peers import OURS

# Two of the others are a check of this test; our own transports must understand each other too.
PAIRS = [(talker, listener) for talker in EVERYBODY for listener in EVERYBODY if talker != listener]


@pytest.mark.parametrize('short', TALKS)
@pytest.mark.parametrize('talker, listener', PAIRS)
def test_reliable(party, talker, listener, short):
    peer, topic = party.talkers[listener], f'/{talker}/{short}'
    expected = CONTENTS[TALKS[short]]
    peer.await_answer(f'message {topic}', lambda told: len(told) >= len(expected))
    assert peer.messages(topic) == expected


def test_best_effort(party):
    for peer in party.talkers.values():
        def hears_all(_):
            for kind, talker in party.talkers.items():
                talker.send(f'/{kind}/unreliable', {'data': f'from {kind}'})
            heard = [m['data'] for kind in EVERYBODY for m in peer.messages(f'/{kind}/unreliable')]
            return {f'from {kind}' for kind in EVERYBODY if party.talkers[kind] is not peer} == set(heard)
        peer.await_answer('message', hears_all)


@pytest.mark.parametrize('talker, listener', PAIRS)
def test_late_joiner_gets_what_was_said_before(party, talker, listener):
    peer, topic = party.latecomers[listener], f'/{talker}/latched'
    expected = CONTENTS[LATCHED]
    peer.await_answer(f'message {topic}', lambda told: len(told) >= len(expected))
    assert peer.messages(topic) == expected


@pytest.mark.parametrize('kind', ['ros2_client', 'cyclonedds'])
def test_the_others_are_there(kind):
    if kind in MISSING:
        pytest.skip(f'NOTHING WAS EXCHANGED WITH {kind}: {MISSING[kind]}')


@pytest.mark.parametrize('transport', ['rmw_fastrtps_cpp', 'rmw_cyclonedds_cpp'])
def test_our_transports_are_there(transport):
    if transport not in OURS:
        pytest.skip(f'NOTHING WAS EXCHANGED BY {transport}: it is not built')
