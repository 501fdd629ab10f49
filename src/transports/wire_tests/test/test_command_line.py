"""`ros2 topic pub` and `ros2 topic echo` with the others, on /chatter."""

import subprocess
import threading

import pytest
import yaml
from conftest import FOREIGN
from peers import OURS, PREFIX, Domain, wait_for

STRING = 'std_msgs/msg/String'


@pytest.fixture(params=OURS)
def transport(request):
    return request.param


@pytest.fixture
def domain():
    domain = Domain(13)
    yield domain
    assert not any(domain.end())


def test_pub_is_heard(domain, transport):
    peers = [domain.start(kind, 'listener', 'listen /chatter std_msgs/String') for kind in FOREIGN]
    for peer in peers:
        peer.await_answer('ready')
    command = [PREFIX / 'bin/ros2', 'topic', 'pub', '-r', '5', '-w', str(len(peers)), '/chatter', STRING,
               '{data: hello}']
    pub = subprocess.Popen(command, env={**domain.env, 'RMW_IMPLEMENTATION': transport}, stdout=subprocess.DEVNULL)
    try:
        for peer in peers:
            peer.await_answer('message /chatter')
            assert peer.messages('/chatter')[0] == {'data': 'hello'}
    finally:
        pub.terminate()
        pub.wait()


@pytest.mark.parametrize('kind', FOREIGN)
def test_echo_hears(domain, transport, kind):
    peer = domain.start(kind, 'talker', 'talk /chatter std_msgs/String')
    peer.await_answer('ready')
    done = threading.Event()
    heard = []

    def echo():
        heard.append(domain.ros2(transport, 'topic', 'echo', '--once', '/chatter', STRING))
        done.set()

    thread = threading.Thread(target=echo)
    thread.start()

    def heard_something():
        peer.send('/chatter', {'data': f'hello from {kind}'})
        return done.wait(0.1)
    wait_for(heard_something, 'echo')
    thread.join()
    assert heard[0].returncode == 0, heard[0].stderr
    assert yaml.safe_load(heard[0].stdout.split('---')[0]) == {'data': f'hello from {kind}'}
