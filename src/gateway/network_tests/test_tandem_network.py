"""TANDEM_NETWORK: the first node of a host starts the gateway, which ends after the last."""

import contextlib
import json
import time
from pathlib import Path

import pytest
from hosts import NETWORKS, Hosts, wait_until

STRING = 'std_msgs/msg/String'


def gateways(host):
    """Processes of this host that are gateways."""
    def name(process):
        with contextlib.suppress(OSError):  # it has just ended
            return Path(f'/proc/{process}/cmdline').read_text().split('\0')[0]
    return [process for process in host.processes() if (name(process) or '').endswith('/tandem-gateway')]


def status(host):
    """What the gateway tells of itself; nothing where none answers yet."""
    done = host.run('tandem-gateway', '--status', '--json')
    return json.loads(done.stdout) if done.returncode == 0 else {}


def talk(host, number=0):
    return host.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '-n', f'talker_{number}', '/chatter', STRING,
                      '{data: hi}')


def hosts_with(network, count):
    return Hosts(count, env={'ROS_DOMAIN_ID': '84', 'TANDEM_NETWORK': network})


@pytest.mark.parametrize('network', NETWORKS)
def test_nodes_find_the_other_host_by_themselves(network):
    with hosts_with(network, 2) as (a, b):
        talk(a)
        b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        assert len(gateways(a)) == len(gateways(b)) == 1


def test_many_first_nodes_start_one_gateway():
    with hosts_with(NETWORKS[0], 1) as (host,):
        talkers = [talk(host, number) for number in range(20)]
        wait_until(lambda: status(host).get('local_nodes') == 20, 'the gateway')
        wait_until(lambda: len(gateways(host)) == 1, 'the end of all others')
        assert status(host)['process'] == gateways(host)[0]
        for talker in talkers:
            talker.interrupt()
            assert 'gateway' not in talker.stderr
        wait_until(lambda: not gateways(host), 'its end after the last node')


def test_who_only_looks_starts_none():
    with hosts_with(NETWORKS[0], 1) as (host,):
        host.out('ros2', 'topic', 'list')
        host.out('ros2', 'node', 'list')
        assert gateways(host) == []
        # Returns although the gateway goes on, which holds nobody's output.
        host.out('ros2', 'topic', 'pub', '-t', '1', '/chatter', STRING, '{data: hi}', '-w', '0')
        wait_until(lambda: gateways(host), 'the gateway')


@pytest.mark.parametrize('network', NETWORKS)
def test_the_gateway_ends_without_a_network_too(network):
    with hosts_with(network, 1) as (host,):
        talker = talk(host)
        wait_until(lambda: status(host).get('local_nodes') == 1, 'the gateway')
        host.out('ip', 'link', 'delete', 'eth0')
        talker.interrupt()
        wait_until(lambda: not gateways(host), 'its end after the last node')


def test_a_killed_gateway_is_started_again():
    with hosts_with(NETWORKS[0], 2) as (a, b):
        talk(a)
        b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        first = gateways(a)
        a.out('kill', '-9', str(first[0]))
        wait_until(lambda: gateways(a) and gateways(a) != first, 'another gateway')
        b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        second = gateways(a)
        a.out('kill', str(second[0]))
        wait_until(lambda: not gateways(a), 'its end')
        time.sleep(3)  # nodes look once a second or two
        assert gateways(a) == [], 'who ends it means it'


def test_a_wrong_value_costs_a_line():
    with hosts_with('carrier_pigeon', 1) as (host,):
        talker = talk(host)
        talker.wait_for('TANDEM_NETWORK=carrier_pigeon: there is no such network', 'stderr')
        host.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        assert talker.stderr.count('TANDEM_NETWORK') == 1
        assert gateways(host) == []
