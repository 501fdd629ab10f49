"""Goals, feedback, results and cancelling, each way, with an implementation that shares nothing with ours."""

import json
import os
import sys
import tempfile

import pytest
from conftest import MISSING
from peers import HERE, OURS, Domain, Peer
from test_services import start_gateway  # noqa: F401: a fixture

KINDS = ['rmw_cyclonedds_cpp', 'cyclonedds']
SUCCEEDED, CANCELED = 4, 5


@pytest.fixture
def domain():
    with tempfile.TemporaryDirectory(dir='/dev/shm') as folder:
        domain = Domain(15)
        domain.env['TANDEM_SHM_DIR'] = folder
        yield domain


@pytest.fixture
def start(domain):
    peers = []

    def start_one(kind, *words):
        if kind in MISSING:
            pytest.skip(f'NO GOAL WAS SENT WITH {kind}: {MISSING[kind]}')
        if kind not in ('cyclonedds', 'rmw_tandem_cpp', *OURS):
            pytest.skip(f'NO GOAL WAS SENT OVER {kind}: it is not built')
        command = [os.environ['WIRE_ACTION']]
        if kind == 'cyclonedds':
            command = [sys.executable, str(HERE / 'cyclone_action.py')]
        peers.append(Peer(f'{kind} {words[0]}', [*command, *words], {**domain.env, 'RMW_IMPLEMENTATION': kind}))
        return peers[-1]

    yield start_one
    for peer in peers:
        peer.end()


def result_of(client, order):
    """Sends a goal and returns how it ends: its status and its numbers."""
    since = len(client.lines)
    client.send(str(order))
    status, numbers = client.await_answer('result', since=since)[0].split()
    return int(status), json.loads(numbers), since


def check(client):
    # This one goes on until its feedback is heard: of a short one all might be sent before the server knows the client.
    status, numbers, since = result_of(client, -1)
    assert (status, numbers) == (CANCELED, [0, 1])
    assert client.await_answer('cancelling', since=since) == ['1']
    status, numbers, since = result_of(client, 6)
    assert (status, numbers) == (SUCCEEDED, [0, 1, 1, 2, 3, 5, 8])
    # In order and without repetition; what comes behind the result, which takes another way, a client drops.
    heard = [int(number) for number in client.answers('feedback', since)]
    assert heard == sorted(set(heard)) and set(heard) <= {1, 2, 3, 5, 8}
    since = len(client.lines)
    client.send('-2')
    client.await_answer('rejected', since=since)


@pytest.mark.parametrize('server', KINDS)
@pytest.mark.parametrize('client', KINDS)
def test_goals_succeed_are_cancelled_and_rejected(start, client, server):
    start(server, 'serve', '/wire/compute').await_answer('ready')
    sending = [start(client, 'send', '/wire/compute'), start(client, 'send', '/wire/compute')]
    for one in sending:
        one.await_answer('ready')
        check(one)
    check(sending[0])


def test_status_is_heard_by_theirs(start):
    start('rmw_cyclonedds_cpp', 'serve', '/wire/status').await_answer('ready')
    client = start('cyclonedds', 'send', '/wire/status')
    client.await_answer('ready')
    assert result_of(client, 4)[0] == SUCCEEDED
    client.await_answer('status', lambda told: told[-1:] == ['4'])


# The other end of a gateway: over which transport, and who.
FAR = [('rmw_cyclonedds_cpp', 'cyclonedds'), ('rmw_cyclonedds_cpp', 'rmw_cyclonedds_cpp'),
       ('rmw_fastrtps_cpp', 'rmw_fastrtps_cpp')]


@pytest.mark.parametrize('transport, far', FAR)
@pytest.mark.parametrize('is_server_far', [True, False], ids=['server-there', 'server-here'])
def test_the_gateway_carries_goals(start, start_gateway, transport, far, is_server_far):  # noqa: F811
    start_gateway(transport)
    here = 'rmw_tandem_cpp'
    start(far if is_server_far else here, 'serve', '/wire/far').await_answer('ready')
    client = start(here if is_server_far else far, 'send', '/wire/far')
    client.await_answer('ready')
    check(client)
    check(client)
