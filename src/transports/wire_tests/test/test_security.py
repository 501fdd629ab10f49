"""SROS2 over each DDS: who has an enclave's keys takes part as its permissions say, all others hear and see nothing."""

import contextlib
import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from keystore import Keystore
from peers import HERE, OURS, PATIENCE, PREFIX, Domain, Peer, wait_for

CHATTER = '/chatter std_msgs/String'
SECRET = 'nobody else reads this'
NETWORKS = {'rmw_cyclonedds_cpp': 'cyclonedds', 'rmw_fastrtps_cpp': 'fastdds'}
# What every node needs: its part of the graph, its log, its parameters and services.
COMMON = ('ros_discovery_info', 'rt/rosout', 'rt/parameter_events', 'rq/*', 'rr/*')
OTHERS = sorted(file.name for file in (PREFIX / 'share/ament_index/resource_index/tandem_transport').iterdir()
                if file.name not in OURS)


@pytest.fixture(scope='module')
def keystores():
    with tempfile.TemporaryDirectory() as folder:
        ours, other = Keystore(f'{folder}/ours'), Keystore(f'{folder}/other')
        for name in ('/talker', '/robot/listener', '/gateway'):
            ours.enclave(name)
        ours.enclave('/narrow', publish=(*COMMON, 'rt/chatter'), subscribe=COMMON)
        other.enclave('/talker')
        yield ours, other


class World:
    """A domain and a keystore, and who is there with or without its keys."""

    def __init__(self, keystore, folder):
        self._keystore = keystore
        self._domain = Domain(17)
        self._peers = []
        self.env = {**self._domain.env, 'TANDEM_SHM_DIR': folder}
        for name in [name for name in self.env if name.startswith('ROS_SECURITY_')]:
            del self.env[name]

    def secured(self, enclave=None, keystore=None, strategy='Enforce'):
        """Variables of the environment."""
        return {'ROS_SECURITY_ENABLE': 'true', 'ROS_SECURITY_STRATEGY': strategy,
                'ROS_SECURITY_KEYSTORE': str((keystore or self._keystore).folder),
                **({'ROS_SECURITY_ENCLAVE_OVERRIDE': enclave} if enclave else {})}

    def node(self, transport, name, *specs, env):
        self._domain.env = {**self.env, **env}
        self._peers.append(self._domain.start(transport, name, *specs))
        return self._peers[-1]

    def talker(self, transport, env=None):
        """In the enclave /talker unless `env` says otherwise."""
        return self.node(transport, 'talker', f'talk {CHATTER}',
                         env=self.secured('/talker') if env is None else env)

    def listener(self, transport, env=None):
        return self.node(transport, 'listener', f'listen {CHATTER}',
                         env=self.secured('/robot/listener') if env is None else env)

    def service(self, transport, *words, enclave):
        env = {**self.env, **self.secured(enclave), 'RMW_IMPLEMENTATION': transport}
        self._peers.append(Peer(words[0], [os.environ['WIRE_SERVICE'], *words], env))
        return self._peers[-1]

    def ros2(self, transport, *command, env):
        self._domain.env = {**self.env, **env}
        return self._domain.ros2(transport, *command, '--spin-time', '1')

    @contextlib.contextmanager
    def gateway(self, network, env):
        gateway = subprocess.Popen([PREFIX / 'bin/tandem-gateway', '--network', network], env={**self.env, **env})
        try:
            yield gateway
        finally:
            gateway.terminate()
            assert gateway.wait(PATIENCE) == 0

    def end(self):
        while self._peers:
            self._peers.pop().end()


@pytest.fixture
def world(keystores):
    with tempfile.TemporaryDirectory(dir='/dev/shm') as folder:
        world = World(keystores[0], folder)
        yield world
        world.end()


def speak(talker, listener, text=SECRET, count=3):
    """Until so much of it is heard."""
    def heard(told):
        talker.send('/chatter', {'data': text})
        return len(told) >= count
    listener.await_answer('message /chatter', heard)
    assert all(message['data'] == text for message in listener.messages('/chatter'))


def error_of(peer):
    """What it says when it cannot go on."""
    wait_for(lambda: peer.process.poll() is not None, f'end of {peer.name}')
    assert peer.process.returncode != 0
    return peer.errors()


@contextlib.contextmanager
def everything_sent():
    """Yields what gives the bytes of all packets on loopback and of what DDS leaves in shared memory."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, 'packets')
        dump = subprocess.Popen(['tcpdump', '-i', 'lo', '-U', '--immediate-mode', '-Z', 'root', '-s', '0', '-w', file],
                                stderr=subprocess.PIPE, text=True)
        assert any('listening on' in line for line in dump.stderr)
        yield lambda: file.read_bytes() + b''.join(path.read_bytes() for path in Path('/dev/shm').glob('fast*'))
        dump.terminate()
        dump.communicate()


@pytest.mark.parametrize('udp', [True, False], ids=['udp', 'default'])
@pytest.mark.parametrize('has_keys', [True, False], ids=['secured', 'open'])
@pytest.mark.parametrize('transport', OURS)
def test_messages_arrive_and_nobody_else_can_read_them(world, transport, has_keys, udp):
    if udp:  # else Fast DDS stays in shared memory
        world.env['FASTRTPS_DEFAULT_PROFILES_FILE'] = str(HERE / '../../rmw_fastrtps_cpp/test/udp.xml')
    env = None if has_keys else {}
    with everything_sent() as sent:
        speak(world.talker(transport, env), world.listener(transport, env), SECRET * 100)
        assert (SECRET.encode() in sent()) != has_keys


@pytest.mark.parametrize('transport', OURS)
def test_the_argument_names_the_enclave(world, transport):
    talker = world.node(transport, 'talker', f'talk {CHATTER}', '--ros-args', '--enclave', '/talker',
                        env=world.secured())
    speak(talker, world.listener(transport))


@pytest.mark.parametrize('transport', OURS)
def test_without_keys_nothing_is_heard_or_seen(world, transport):
    stranger = world.node(transport, 'stranger', f'listen {CHATTER}', env={})
    loud = world.node(transport, 'loud', f'talk {CHATTER}', env={})
    listener = world.listener(transport)
    for peer in (stranger, loud, listener):
        peer.await_answer('ready')
    speak(loud, stranger, 'said openly')  # both are there
    talker = world.talker(transport)
    speak(talker, listener)  # and heard nothing else

    def sees_strangers_only():  # each time it looks for a moment only
        seen = world.ros2(transport, 'topic', 'info', '-v', '/chatter', env={}).stdout
        assert 'Node name: talker' not in seen and 'Node name: listener' not in seen
        return 'Node name: loud' in seen and 'Node name: stranger' in seen
    wait_for(sees_strangers_only, 'sight of both strangers')
    assert {message['data'] for message in stranger.messages('/chatter')} == {'said openly'}


@pytest.mark.parametrize('transport', OURS)
def test_enclaves_see_each_other(world, transport):
    world.talker(transport)

    def seen():
        done = world.ros2(transport, 'node', 'list', env=world.secured('/robot/listener'))
        assert done.returncode == 0, done.stderr
        return '/talker' in done.stdout
    wait_for(seen, '/talker in ros2 node list')


@pytest.mark.parametrize('transport', OURS)
def test_keys_of_another_authority_are_none(world, keystores, transport):
    forger = world.talker(transport, world.secured('/talker', keystores[1]))
    listener = world.listener(transport)
    for peer in (forger, listener):
        peer.await_answer('ready')
    forger.send('/chatter', {'data': 'forged'})
    speak(world.talker(transport), listener)
    forger.send('/chatter', {'data': 'forged'})
    speak(world.talker(transport), listener, count=6)


@pytest.mark.parametrize('transport', OURS)
def test_permissions_count(world, transport):
    narrow = world.secured('/narrow')
    speak(world.talker(transport, narrow), world.listener(transport))
    for denied in ('talk /other std_msgs/String', f'listen {CHATTER}'):
        error = error_of(world.node(transport, 'denied', denied, env=narrow))
        assert denied.split()[1] in error and 'permissions.p7s' in error


@pytest.mark.parametrize('transport', OURS)
def test_calls_pass_between_enclaves(world, transport):
    world.service(transport, 'serve', '/secured/add', enclave='/talker').await_answer('ready')
    client = world.service(transport, 'call', '/secured/add', enclave='/robot/listener')
    client.await_answer('ready')
    client.send('2 3')
    assert client.await_answer('sum') == ['5']


@pytest.mark.parametrize('transport', OURS)
def test_a_missing_file_is_named(world, keystores, transport):
    keystores[1].enclave('/lost/' + transport)
    missing = keystores[1].folder / 'enclaves/lost' / transport / 'key.pem'
    missing.unlink()
    where = ('/lost/' + transport, keystores[1])
    assert f'{missing} cannot be read' in error_of(world.talker(transport, world.secured(*where)))
    talker = world.talker(transport, world.secured(*where, strategy='Permissive'))
    speak(talker, world.listener(transport, env={}))
    assert f'{missing} cannot be read' in talker.errors()


@pytest.mark.parametrize('transport', OURS)
def test_a_bad_file_is_an_error_also_when_permissive(world, keystores, transport):
    folder = keystores[1].enclave('/bad/' + transport)
    (folder / 'permissions.p7s').write_text('nonsense')
    for strategy in ('Enforce', 'Permissive'):
        env = world.secured('/bad/' + transport, keystores[1], strategy)
        assert str(folder) in error_of(world.talker(transport, env))


@pytest.mark.parametrize('transport', OTHERS)
def test_transports_without_security_are_refused(world, transport):
    error = error_of(world.talker(transport))
    assert transport in error and 'ROS_SECURITY_STRATEGY=Enforce' in error


@pytest.mark.parametrize('transport', OURS)
def test_the_gateway_joins_shared_memory_with_an_enclave(world, transport):
    with world.gateway(NETWORKS[transport], world.secured('/gateway')):
        stranger = world.listener(transport, env={})
        stranger.await_answer('ready')
        speak(world.talker('rmw_tandem_cpp', env={}), world.listener(transport))
        assert stranger.messages('/chatter') == []
    world.end()
    with world.gateway(NETWORKS[transport], world.secured('/gateway')):
        speak(world.talker(transport), world.listener('rmw_tandem_cpp', env={}))


@pytest.mark.parametrize('transport', [name for name in OTHERS if name != 'rmw_tandem_cpp'])
def test_the_gateway_needs_a_network_with_security(world, transport):
    done = subprocess.run([PREFIX / 'bin/tandem-gateway', '--network', transport],
                          env={**world.env, **world.secured('/gateway')}, capture_output=True, text=True,
                          timeout=PATIENCE)
    assert done.returncode == 1
    assert 'ROS_SECURITY_STRATEGY=Enforce' in done.stderr
