"""Requests and replies, each way, with what shares nothing with ours but a vendor's numbers of requests."""

import os
import subprocess
import sys
import tempfile

import pytest
from conftest import MISSING
from peers import HERE, OURS, PATIENCE, PREFIX, Domain, Peer, wait_for

KINDS = ['rmw_cyclonedds_cpp', 'cyclonedds']
MAPPINGS = {'rmw_cyclonedds_cpp': 'cyclone', 'rmw_fastrtps_cpp': 'enhanced'}
NETWORKS = {'rmw_cyclonedds_cpp': 'cyclonedds', 'rmw_fastrtps_cpp': 'fastdds'}
PATIENT = '2'  # ros2-client's servers drop replies to a client that they have not met yet
CALLS = [(2, 3), (-1, 1), (2**62, 2**61), (0, 0)]


@pytest.fixture
def domain():
    with tempfile.TemporaryDirectory(dir='/dev/shm') as folder:
        domain = Domain(14)
        domain.env['TANDEM_SHM_DIR'] = folder
        yield domain


@pytest.fixture
def start(domain):
    peers = []

    def start_one(kind, *words):
        if kind in MISSING:
            pytest.skip(f'NO SERVICE WAS CALLED WITH {kind}: {MISSING[kind]}')
        if kind not in ('cyclonedds', 'ros2_client', 'rmw_tandem_cpp', *OURS):
            pytest.skip(f'NO SERVICE WAS CALLED OVER {kind}: it is not built')
        command = [os.environ['WIRE_SERVICE']]
        if kind == 'cyclonedds':
            command = [sys.executable, str(HERE / 'cyclone_service.py')]
        elif kind == 'ros2_client':
            command = [f"{os.environ['WIRE_PEERS']}/wire_peer_jazzy"]
        env = {**domain.env, 'RMW_IMPLEMENTATION': kind}
        peers.append(Peer(f'{kind} {words[0]}', [*command, *words], env))
        return peers[-1]

    yield start_one
    for peer in peers:
        peer.end()


@pytest.fixture
def start_gateway(domain, tmp_path):
    """Between shared memory and a network."""
    gateways = []

    def start_one(transport):
        if transport not in OURS:
            pytest.skip(f'NO SERVICE PASSED A GATEWAY OVER {transport}: it is not built')
        log = tmp_path / f'gateway_{len(gateways)}.txt'
        with log.open('wb') as output:
            gateways.append(subprocess.Popen([PREFIX / 'bin/tandem-gateway', '--network', NETWORKS[transport]],
                                             env=domain.env, stderr=output))
        # Before that a signal ends it as any program.
        wait_for(lambda: 'carrying topics' in log.read_text() or gateways[-1].poll() is not None, 'the gateway carries')

    yield start_one
    for gateway in gateways:
        gateway.terminate()
        assert gateway.wait(PATIENCE) == 0


def check(client, calls):
    since = len(client.lines)
    for a, b in calls:
        client.send(f'{a} {b}')
    sums = client.await_answer('sum', lambda told: len(told) >= len(calls), since)
    assert [int(text) for text in sums] == [a + b for a, b in calls]


@pytest.mark.parametrize('server', KINDS)
@pytest.mark.parametrize('client', KINDS)
def test_a_client_gets_the_replies_to_its_own_requests(start, client, server):
    serving = start(server, 'serve', '/wire/add')
    serving.await_answer('ready')
    calling = [start(client, 'call', '/wire/add'), start(client, 'call', '/wire/add')]
    for one in calling:
        one.await_answer('ready')
        check(one, CALLS)
    check(calling[0], CALLS)


@pytest.mark.parametrize('transport', MAPPINGS)
def test_ros2_client_calls_ours(start, transport):
    start(transport, 'serve', '/wire/ours').await_answer('ready')
    calling = [start('ros2_client', '--call', '/wire/ours', MAPPINGS[transport]) for _ in range(2)]
    for one in calling:
        one.await_answer('ready')
        check(one, CALLS)
    check(calling[0], [(number, 1) for number in range(200)])


@pytest.mark.parametrize('transport', MAPPINGS)
def test_ours_call_ros2_client(start, transport):
    start('ros2_client', '--serve', '/wire/theirs', MAPPINGS[transport]).await_answer('ready')
    calling = [start(transport, 'call', '/wire/theirs', PATIENT) for _ in range(2)]
    for one in calling:
        one.await_answer('ready')
        check(one, CALLS)
    check(calling[0], [(number, 1) for number in range(200)])


@pytest.mark.parametrize('transport', ['rmw_cyclonedds_cpp', 'rmw_fastrtps_cpp'])
def test_each_of_many_clients_gets_its_own_replies(start, transport):
    start(transport, 'serve', '/wire/crowd').await_answer('ready')
    assert start(transport, 'crowd', '/wire/crowd').await_answer('right') == ['10000']


@pytest.mark.parametrize('transport', ['rmw_cyclonedds_cpp', 'rmw_fastrtps_cpp'])
def test_another_server_takes_over_when_one_is_killed(start, transport):
    first = start(transport, 'serve', '/wire/killed')
    first.await_answer('ready')
    client = start(transport, 'call', '/wire/killed')
    client.await_answer('ready')
    check(client, CALLS)
    first.process.kill()
    start(transport, 'serve', '/wire/killed').await_answer('ready')
    late = start(transport, 'call', '/wire/killed')
    late.await_answer('ready')
    check(late, CALLS)


@pytest.mark.parametrize('server', KINDS)
def test_a_server_that_comes_again_is_found(start, server):
    first = start(server, 'serve', '/wire/again')
    first.await_answer('ready')
    client = start('rmw_cyclonedds_cpp', 'call', '/wire/again')
    client.await_answer('ready')
    check(client, CALLS)
    first.end()
    second = start(server, 'serve', '/wire/again')
    second.await_answer('ready')
    late = start('rmw_cyclonedds_cpp', 'call', '/wire/again')
    late.await_answer('ready')
    check(late, CALLS)


# The other end of a gateway: over which transport, and the words that it is started with.
FAR = [('rmw_cyclonedds_cpp', 'cyclonedds'), ('rmw_cyclonedds_cpp', 'rmw_cyclonedds_cpp'),
       ('rmw_fastrtps_cpp', 'rmw_fastrtps_cpp'),
       ('rmw_cyclonedds_cpp', 'ros2_client'), ('rmw_fastrtps_cpp', 'ros2_client')]


@pytest.mark.parametrize('transport, far', FAR)
@pytest.mark.parametrize('is_server_far', [True, False], ids=['server-there', 'server-here'])
def test_the_gateway_carries_calls(start, start_gateway, transport, far, is_server_far):
    def begin(is_far, role):
        if is_far and far == 'ros2_client':
            return start(far, f'--{role}', '/wire/far', MAPPINGS[transport])
        patience = [PATIENT] if far == 'ros2_client' and role == 'call' else []
        return start(far if is_far else 'rmw_tandem_cpp', role, '/wire/far', *patience)

    start_gateway(transport)
    calling = [begin(not is_server_far, 'call'), begin(not is_server_far, 'call')]
    serving = begin(is_server_far, 'serve')
    for one in calling:
        one.await_answer('ready')
        check(one, CALLS)
    check(calling[0], CALLS)
    serving.end()
    begin(is_server_far, 'serve').await_answer('ready')
    late = begin(not is_server_far, 'call')
    late.await_answer('ready')
    check(late, CALLS)


@pytest.mark.parametrize('transport', NETWORKS)
@pytest.mark.parametrize('is_server_far', [True, False], ids=['server-there', 'server-here'])
def test_the_gateway_carries_calls_of_a_crowd(start, start_gateway, transport, is_server_far):
    start_gateway(transport)
    client, server = ('rmw_tandem_cpp', transport) if is_server_far else (transport, 'rmw_tandem_cpp')
    start(server, 'serve', '/wire/far_crowd').await_answer('ready')
    assert start(client, 'crowd', '/wire/far_crowd').await_answer('right') == ['10000']
