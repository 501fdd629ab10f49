"""Our nodes over rmw_zenoh_cpp and ones on PyPI's eclipse-zenoh, which speak as the stock rmw_zenoh: by routers of
either, both ways."""

import importlib.util
import os
import subprocess
import sys
import tempfile
import threading

import pytest
import yaml
from contents import CONTENTS
from peers import HERE, PATIENCE, PREFIX, Domain, OurPeer, Peer, wait_for

TRANSPORT = 'rmw_zenoh_cpp'
CALLS = [(2, 3), (-1, 1), (2**62, 2**61), (0, 0)]
STRING = 'std_msgs/String'
LATCHED = 'geometry_msgs/PoseStamped'


def is_missing():
    if not (PREFIX / 'share/ament_index/resource_index/tandem_transport' / TRANSPORT).exists():
        return f'{TRANSPORT} is not built: `make rust` builds it'
    if importlib.util.find_spec('zenoh') is None:
        return "PyPI's eclipse-zenoh is missing: scripts/install-python.sh installs it"
    return None


pytestmark = pytest.mark.skipif(is_missing() is not None, reason=f'NOTHING WAS SAID OVER ZENOH: {is_missing()}')


class Meeting:
    """A router, and the nodes that meet at it."""

    def __init__(self, number, folder):
        self.domain = Domain(number)
        self.env = {**self.domain.env, 'TANDEM_SHM_DIR': folder}
        self.peers = []
        self.router = None

    def start_router(self, of):
        if of == 'ours':
            command = [PREFIX / 'lib/rmw_zenoh_cpp/rmw_zenohd']
        else:
            command = [sys.executable, HERE / 'zenoh_peer.py', '--router']
        self.router = Peer(f'router of {of}', command, self.env)
        self.router.await_answer('Zenoh' if of == 'ours' else 'ready')

    def kill_router(self):
        self.router.process.kill()
        self.router.end()

    def theirs(self, name, *specs, **env):
        return self.add(Peer(name, [sys.executable, HERE / 'zenoh_peer.py', name, *specs], {**self.env, **env}))

    def ours(self, name, *specs, program='WIRE_NODE', transport=TRANSPORT, **env):
        words = specs if program == 'WIRE_SERVICE' else [name, *specs]
        return self.add(OurPeer(name, [os.environ[program], *words],
                                {**self.env, 'RMW_IMPLEMENTATION': transport, **env}))

    def add(self, peer):
        self.peers.append(peer)
        return peer

    def ros2(self, *arguments, **env):
        return subprocess.run([PREFIX / 'bin/ros2', *arguments], capture_output=True, text=True, timeout=PATIENCE,
                              env={**self.env, 'RMW_IMPLEMENTATION': TRANSPORT, **env})

    def end(self):
        statuses = {peer.name: peer.end() for peer in self.peers}
        if self.router is not None and self.router.process.poll() is None:
            self.router.process.terminate()
            self.router.end()
        return statuses


@pytest.fixture
def meeting():
    with tempfile.TemporaryDirectory(dir='/dev/shm') as folder:
        meeting = Meeting(15, folder)
        yield meeting
        assert not any(meeting.end().values())


@pytest.fixture(params=['ours', 'theirs'])
def met(request, meeting):
    meeting.start_router(request.param)
    return meeting


def exchange(talker, listener, topic, messages):
    talker.send('wait', topic, '1')
    talker.await_answer('matched', lambda answers: topic in answers)
    for message in messages:
        talker.send(topic, message)
    listener.await_answer(f'message {topic}', lambda answers: len(answers) >= len(messages))
    assert listener.messages(topic) == messages


def check(client, calls, *words):
    since = len(client.lines)
    for a, b in calls:
        client.send(*words, f'{a} {b}')
    sums = client.await_answer('sum', lambda told: len(told) >= len(calls), since)
    assert sorted(map(int, sums)) == sorted(a + b for a, b in calls)


@pytest.mark.parametrize('is_old', ['', '1'], ids=['today', 'before-2025'])
def test_all_types_both_ways(met, is_old):
    topics = {f'/{type_name.split("/")[1].lower()}': type_name for type_name in CONTENTS}
    talk = [f'talk {topic} {type_name}' for topic, type_name in topics.items()]
    listen = [f'listen {topic} {type_name}' for topic, type_name in topics.items()]
    pairs = [(met.ours('our_talker', *talk), met.theirs('their_listener', *listen)),
             (met.theirs('their_talker', *[text.replace(' /', ' /theirs/', 1) for text in talk], WIRE_OLD=is_old),
              met.ours('our_listener', *[text.replace(' /', ' /theirs/', 1) for text in listen]))]
    for prefix, (talker, listener) in zip(('', '/theirs'), pairs):
        for topic, type_name in topics.items():
            exchange(talker, listener, prefix + topic, CONTENTS[type_name])


def test_late_joiners_get_the_history(met):
    spec = f'/latched {LATCHED} transient_local'
    talkers = [met.ours('our_talker', f'talk {spec}'), met.theirs('their_talker', f'talk {spec}')]
    for talker, message in zip(talkers, CONTENTS[LATCHED]):
        talker.await_answer('ready')
        talker.send('/latched', message)
    for listener in [met.theirs('their_listener', f'listen {spec}'), met.ours('our_listener', f'listen {spec}')]:
        listener.await_answer('message /latched', lambda answers: len(answers) >= len(talkers))
        heard = sorted(listener.messages('/latched'), key=str)
        assert heard == sorted(CONTENTS[LATCHED], key=str)


def test_a_late_publisher_s_history_comes(met):
    spec = f'/latched {LATCHED} transient_local'
    listeners = [met.ours('our_listener', f'listen {spec}'), met.theirs('their_listener', f'listen {spec}')]
    for listener in listeners:
        listener.await_answer('ready')
    for talker, message in zip([met.ours('our_talker', f'talk {spec}'), met.theirs('their_talker', f'talk {spec}')],
                               CONTENTS[LATCHED]):
        talker.await_answer('ready')
        talker.send('/latched', message)
    for listener in listeners:
        listener.await_answer('message /latched', lambda answers: len(answers) >= 2)
        assert sorted(listener.messages('/latched'), key=str) == sorted(CONTENTS[LATCHED], key=str)


def test_services_both_ways(met):
    met.ours('our_server', 'serve', '/ours/add', program='WIRE_SERVICE').await_answer('ready')
    met.theirs('their_server', 'serve /theirs/add').await_answer('ready')
    for number in range(2):
        theirs = met.theirs(f'their_client{number}', 'call /ours/add')
        theirs.ask('wait', '/ours/add', '1', answer='matched')
        check(theirs, CALLS, '/ours/add')
        ours = met.ours(f'our_client{number}', 'call', '/theirs/add', program='WIRE_SERVICE')
        ours.await_answer('ready')
        check(ours, CALLS)


def test_each_of_many_clients_gets_its_own_replies(meeting):
    meeting.ours('server', 'serve', '/crowd', program='WIRE_SERVICE').await_answer('ready')
    assert meeting.ours('crowd', 'crowd', '/crowd', program='WIRE_SERVICE').await_answer('right') == ['10000']


def test_all_see_all(met):
    ours = met.ours('our_node', f'talk /a {STRING} best_effort', f'listen /b {STRING} transient_local')
    theirs = met.theirs('their_node', f'listen /a {STRING}', f'talk /b {STRING}', 'serve /add')
    theirs.send('wait', '/a', '1')
    theirs.await_answer('matched', lambda answers: '/a' in answers)
    tokens = [token for token in theirs.graph() if token.split('/')[8] == 'our_node']
    kinds = {token.split('/')[5] for token in tokens}
    assert {'NN', 'MP', 'MS', 'SS'} <= kinds, tokens
    talker, = [token.split('/') for token in tokens if '/%a/' in token]
    assert talker[6:8] == ['%', '%'] and talker[10] == 'std_msgs::msg::dds_::String_' and talker[12] == '2::,10:,:,:,,'
    node, = [token.split('/') for token in tokens if token.split('/')[5] == 'NN']
    assert talker[2:4] == node[2:4]
    ours.await_answer('ready')

    def listed():
        nodes = met.ros2('node', 'list', '--spin-time', '1').stdout.split()
        return {'/our_node', '/peers/their_node'} <= set(nodes)
    wait_for(listed, 'list of both nodes')
    info = met.ros2('topic', 'info', '-v', '/a', '--spin-time', '1').stdout
    assert 'Node name: their_node' in info and 'Node namespace: /peers' in info and 'Reliability: BEST_EFFORT' in info
    assert 'RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18' in info
    assert '/add [example_interfaces/srv/AddTwoInts]' in met.ros2('service', 'list', '-t', '--spin-time', '1').stdout


def test_the_command_line(met):
    talker = met.theirs('talker', f'talk /chatter {STRING}')
    done = threading.Event()
    heard = []

    def echo():
        heard.append(met.ros2('topic', 'echo', '--once', '/chatter', 'std_msgs/msg/String'))
        done.set()

    thread = threading.Thread(target=echo)
    thread.start()

    def heard_something():
        talker.send('/chatter', {'data': 'hello'})
        return done.wait(0.1)
    wait_for(heard_something, 'echo')
    thread.join()
    assert heard[0].returncode == 0, heard[0].stderr
    assert yaml.safe_load(heard[0].stdout.split('---')[0]) == {'data': 'hello'}


def test_nodes_of_humble(met):
    env = {'TANDEM_ROS_DISTRO': 'humble', 'WIRE_DISTRO': 'humble'}
    pairs = {'/a': (met.ours('our_talker', f'talk /a {STRING}', **env),
                    met.theirs('their_listener', f'listen /a {STRING}', **env)),
             '/b': (met.theirs('their_talker', f'talk /b {STRING}', **env),
                    met.ours('our_listener', f'listen /b {STRING}', **env))}
    for topic, (talker, listener) in pairs.items():
        exchange(talker, listener, topic, CONTENTS[STRING])


def test_without_a_router_those_of_a_host_meet(meeting):
    exchange(meeting.ours('talker', f'talk /a {STRING}'), meeting.ours('listener', f'listen /a {STRING}'), '/a',
             CONTENTS[STRING])


def test_a_killed_router_may_come_again(met):
    ours, theirs = met.ours('our_node', f'talk /a {STRING}'), met.theirs('their_node', f'listen /a {STRING}')
    exchange(ours, theirs, '/a', CONTENTS[STRING][:1])
    met.kill_router()
    ours.send('/a', {'data': 'they know each other'})
    theirs.await_answer('message /a', lambda answers: len(answers) >= 2)
    met.start_router('ours')
    late = met.theirs('late_node', f'listen /a {STRING}')
    ours.send('wait', '/a', '2')
    ours.await_answer('matched', lambda answers: len(answers) >= 2)
    ours.send('/a', {'data': 'all'})
    late.await_answer('message /a')
    theirs.await_answer('message /a', lambda answers: len(answers) >= 3)


def test_strangers_messages_are_dropped(met):
    """Without an attachment, with a malformed one, no CDR: what is sound still comes."""
    import zenoh
    sys.path.insert(0, str(HERE))
    listener = met.ours('listener', f'listen /a {STRING}')
    listener.await_answer('ready')
    config = zenoh.Config()
    config.insert_json5('mode', '"client"')
    config.insert_json5('connect/endpoints', '["tcp/localhost:7447"]')
    hash_ = 'RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18'
    key = f'{met.env["ROS_DOMAIN_ID"]}/a/std_msgs::msg::dds_::String_/{hash_}'
    good = b'\x01' + bytes(7) + bytes(8) + b'\x10' + b'0123456789abcdef'
    hello = b'\x00\x01\x00\x00\x06\x00\x00\x00hello\x00'
    with zenoh.open(config) as session:
        odd = ('x', 'ab/0/0/MP/%/%/n', 'ab/0/0/MP/%/%/n/%a/t/h/::7', 'ab/0/99999999999999999999/NN/%/%/n')
        tokens = [session.liveliness().declare_token(f'@ros2_lv/{met.env["ROS_DOMAIN_ID"]}/{rest}') for rest in odd]

        def heard():
            unsound = (hello, None), (hello, b'x'), (hello, good[:-1]), (b'', good), (b'\xff' * 9, good)
            for payload, attachment in unsound:
                session.put(key, payload, attachment=attachment)
            session.put(key, hello, attachment=good)
            return listener.messages('/a')
        assert wait_for(heard, 'sound message')[0] == {'data': 'hello'}
        del tokens


@pytest.mark.parametrize('setting, what', [('mode', 'has no value'), ('mode="pear"', 'mode'),
                                           ('no/such/key=1', 'no/such/key')])
def test_a_setting_that_cannot_be_used_is_named(meeting, setting, what):
    result = meeting.ros2('topic', 'pub', '--once', '/a', 'std_msgs/msg/String', '{}', ZENOH_CONFIG_OVERRIDE=setting)
    assert result.returncode != 0
    assert 'ZENOH_CONFIG_OVERRIDE' in result.stderr and what in result.stderr


def test_a_configuration_file_that_is_missing_is_named(meeting):
    result = meeting.ros2('topic', 'list', ZENOH_SESSION_CONFIG_URI='/nowhere/session.json5')
    assert result.returncode != 0 and '/nowhere/session.json5' in result.stderr
