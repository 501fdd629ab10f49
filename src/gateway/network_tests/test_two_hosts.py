"""Two hosts with a gateway each."""

import pytest
from hosts import NETWORKS, Hosts, wait_until

STRING = 'std_msgs/msg/String'


@pytest.fixture
def pair():
    with Hosts(2, env={'ROS_DOMAIN_ID': '83'}) as hosts:
        yield hosts


def start_gateway(host, network):
    gateway = host.start('tandem-gateway', '--network', network)
    gateway.wait_for('carrying topics', 'stderr')
    return gateway


def start_talker(host):
    host.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '-n', 'talker', '/chatter', STRING, '{data: hi}')
    wait_until(lambda: '/talker' in host.out('ros2', 'node', 'list'), 'the talker')


def test_without_gateways_there_is_silence(pair):
    a, b = pair
    start_talker(a)
    listener = b.start('ros2', 'topic', 'echo', '/chatter', STRING)
    assert b.run('ros2', 'topic', 'echo', '--once', '--timeout', '3', '/chatter', STRING).returncode == 1
    assert listener.stdout == ''
    assert b.out('ros2', 'node', 'list') == ''
    assert a.packets()[0] < 100  # a few that the kernel sends by itself


@pytest.mark.parametrize('network', NETWORKS)
def test_messages_nodes_and_topics_reach_the_other_host(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    start_talker(a)
    listener = b.start('ros2', 'topic', 'echo', '/chatter', STRING)
    listener.wait_for('data: hi')
    assert '/talker' in b.out('ros2', 'node', 'list')
    assert 'Publisher count: 1\n' in b.out('ros2', 'topic', 'info', '/chatter')
    assert 'Subscription count: 1\n' in a.out('ros2', 'topic', 'info', '/chatter')
