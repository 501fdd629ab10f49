"""Two hosts with a gateway each."""

import pytest
from flows import listener, publisher, start_gateway
from hosts import NETWORKS, Hosts, wait_until

STRING = 'std_msgs/msg/String'


@pytest.fixture
def pair():
    with Hosts(2, env={'ROS_DOMAIN_ID': '83'}) as hosts:
        yield hosts


def wait_for_output(host, text, *command):
    wait_until(lambda: text in host.out('ros2', *command), f'{text!r} in ros2 {" ".join(command)}')


def start_talker(host):
    host.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '-n', 'talker', '/chatter', STRING, '{data: hi}')
    wait_for_output(host, '/talker\n', 'node', 'list')


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
    # What is told of nodes and counts goes its own way: it may come after the first message.
    wait_for_output(b, '/talker\n', 'node', 'list')
    wait_for_output(b, 'Publisher count: 1\n', 'topic', 'info', '/chatter')
    wait_for_output(a, 'Subscription count: 1\n', 'topic', 'info', '/chatter')


@pytest.mark.parametrize('network', NETWORKS)
def test_every_subscription_is_shown_under_its_node(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    for node in ('first', 'second'):
        listener(b, {'talker': 1}, node=node, topic='/chatter')
    publisher(a, 'talker', '--readers', 3, topic='/chatter')
    direct = {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp' if network == 'cyclonedds' else 'rmw_fastrtps_cpp'}
    for env in ({}, direct):  # beside the gateway, and on the network itself
        for node in ('first', 'second'):
            shown = {'topic info -v /chatter': f'Node name: {node}\n', f'node info /{node}': '/chatter: '}
            for command, text in shown.items():
                wait_until(lambda: text in a.run('ros2', *command.split(), env=env).stdout, f'{text!r} in {command}')


@pytest.mark.parametrize('network', NETWORKS)
def test_late_joiners_get_as_much_history_as_the_publisher_keeps(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    publisher(a, 'talker', '--transient-local', '--depth', 3, '--count', 5, '--readers', 0).published()
    for _ in range(2):  # the second gets them from the gateway of its own host
        late = listener(b, {'talker': 5}, '--transient-local', '--depth', 50, '--linger', 1)
        line = late.heard()[0]['talker']
        assert (line['first'], line['last'], line['messages'], line['twice']) == (3, 5, 3, 0)
