"""Numbered messages between two and three hosts: none lost, none twice, none in a circle, none copied inside a host."""

import json
import time

import pytest
from flows import TOPIC, is_whole, listener, publisher, start_gateway
from hosts import NETWORKS, Hosts, wait_until

DOMAIN = {'ROS_DOMAIN_ID': '84'}
MANY = ('--depth', 5000)
ENDLESS = 10 ** 6


@pytest.fixture
def pair():
    with Hosts(2, env=DOMAIN) as hosts:
        yield hosts


@pytest.fixture
def trio():
    with Hosts(3, env=DOMAIN) as hosts:
        yield hosts


def carried(host):
    """How many messages of the topic the gateway of this host has carried: out, in."""
    topics = json.loads(host.out('tandem-gateway', '--status', '--json'))['topics']
    return [(topic['out']['messages'], topic['in']['messages']) for topic in topics if topic['topic'] == TOPIC]


@pytest.mark.parametrize('network', NETWORKS)
def test_everybody_on_three_hosts_hears_everybody_once(trio, network):
    senders = {'a': 200, 'b': 200, 'c': 200}
    for host in trio:
        start_gateway(host, network)
    # With history, since a publisher does not know whether each of the other hosts has found it.
    qos = ('--transient-local', '--depth', 200, '--size', 100000)
    listeners = [listener(host, senders, *qos, '--linger', 2) for host in trio]
    publishers = [publisher(host, node, *qos, '--count', 200, '--rate', 50, '--readers', 2)
                  for host, node in zip(trio, senders)]
    for one in publishers:
        assert one.published()['failed'] == 0
    for one in listeners:
        heard, copied = one.heard()
        assert heard.keys() == senders.keys()
        for node, count in senders.items():
            is_whole(heard[node], count)
        assert copied == 0
    assert [carried(host) for host in trio] == [[(200, 400)]] * 3  # nothing goes round in circles
    assert [one.copied() for one in publishers] == [0, 0, 0]


@pytest.mark.parametrize('network', NETWORKS)
def test_a_cut_link_loses_nothing_that_is_kept(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    heard = listener(b, {'talker': 400}, *MANY)
    talker = publisher(a, 'talker', *MANY, '--count', 400, '--rate', 50)
    talker.program.wait_for('"there"')
    wait_until(lambda: a.packets()[1] > 50, 'traffic')
    b.cut()
    assert b.run('ping', '-c', '1', '-W', '1', a.address).returncode != 0
    b.restore()
    assert talker.published()['failed'] == 0
    is_whole(heard.heard()[0]['talker'], 400)


@pytest.mark.parametrize('network', NETWORKS)
def test_five_percent_of_the_datagrams_lost_on_both_hosts(pair, network):
    a, b = pair
    for host in pair:
        host.lose(5)
        start_gateway(host, network)
    reliable = listener(b, {'talker': 300}, *MANY, '--size', 200000)
    talker = publisher(a, 'talker', *MANY, '--count', 300, '--rate', 50, '--size', 200000)
    assert talker.published()['failed'] == 0
    is_whole(reliable.heard()[0]['talker'], 300)
    assert b.dropped() > 0


@pytest.mark.parametrize('network', NETWORKS)
def test_deeper_subscriptions_take_over_on_a_lossy_link(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    first = listener(b, {'talker': 0}, '--depth', 1000)
    talker = publisher(a, 'talker', '--depth', 16000, '--count', 0, '--rate', 200)
    wait_until(lambda: any(came for _, came in carried(b)), 'the first message')  # discovery is not what is tested
    b.lose(30)
    others = []
    for depth in (2000, 4000, 8000, 16000):
        time.sleep(1.2)
        others.append(listener(b, {'talker': 0}, '--depth', depth))
        others[-1].program.wait_for('"first"')
    count = talker.publish_last()
    is_whole(first.heard()[0]['talker'], count)
    for other in others:
        line = other.heard()[0]['talker']
        assert line['last'] == count and line['missing'] == line['twice'] == line['disordered'] == 0, line


@pytest.mark.parametrize('network', NETWORKS)
def test_best_effort_crosses_lossy_links_in_order(pair, network):
    a, b = pair
    b.lose(5)
    for host in pair:
        start_gateway(host, network)
    heard = listener(b, {'talker': ENDLESS}, '--best-effort', *MANY)
    publisher(a, 'talker', '--best-effort', *MANY, '--count', ENDLESS, '--rate', 200)
    wait_until(lambda: b.dropped() > 50, 'losses')
    line = heard.heard_so_far()['talker']
    assert line['messages'] > 0
    assert line['twice'] == line['disordered'] == line['damaged'] == 0


@pytest.mark.parametrize('network', NETWORKS)
def test_history_reaches_who_comes_late(pair, network):
    a, b = pair
    for host in pair:
        start_gateway(host, network)
    talker = publisher(a, 'talker', '--transient-local', '--depth', 50, '--count', 50, '--rate', 1000, '--readers', 0)
    talker.published()
    late = listener(b, {'talker': 50}, '--transient-local', '--depth', 50, '--linger', 2)
    is_whole(late.heard()[0]['talker'], 50)


@pytest.mark.parametrize('killed', ['sending', 'receiving'])
@pytest.mark.parametrize('network', NETWORKS)
def test_a_gateway_that_is_killed_is_replaced(pair, network, killed):
    a, b = pair
    gateways = [start_gateway(host, network) for host in pair]
    heard = listener(b, {'talker': 3000}, *MANY)
    local = listener(a, {'talker': 3000}, *MANY)
    talker = publisher(a, 'talker', *MANY, '--count', 3000, '--rate', 200, '--readers', 2)
    victim = 0 if killed == 'sending' else 1
    wait_until(lambda: a.packets()[1] > 200, 'traffic')
    gateways[victim].kill()
    before = pair[victim].packets()[1 - victim]
    start_gateway(pair[victim], network)
    wait_until(lambda: pair[victim].packets()[1 - victim] > before + 200, 'traffic through the new gateway')
    assert talker.published()['failed'] == 0
    is_whole(local.heard()[0]['talker'], 3000)  # those on the talker's host have noticed nothing
    line = heard.heard()[0]['talker']
    assert line['twice'] == line['disordered'] == line['damaged'] == 0


@pytest.mark.parametrize('killed', ['sending', 'receiving'])
@pytest.mark.parametrize('network', NETWORKS)
def test_history_comes_once_though_a_gateway_is_killed(pair, network, killed):
    a, b = pair
    gateways = [start_gateway(host, network) for host in pair]
    heard = listener(b, {'talker': 60}, '--transient-local', '--depth', 200, '--linger', 5)
    publisher(a, 'talker', '--transient-local', '--depth', 50, '--count', 60, '--rate', 10, '--readers', 1)
    wait_until(lambda: any(count > 20 for _, count in carried(b)), 'messages')
    victim = 0 if killed == 'sending' else 1
    gateways[victim].kill()
    start_gateway(pair[victim], network)
    is_whole(heard.heard()[0]['talker'], 60)


@pytest.mark.parametrize('network', NETWORKS)
def test_a_node_that_speaks_dds_itself_is_served_on_the_same_host(pair, network):
    a, _ = pair
    direct = {'RMW_IMPLEMENTATION': 'rmw_cyclonedds_cpp' if network == 'cyclonedds' else 'rmw_fastrtps_cpp'}
    start_gateway(a, network)
    heard = listener(a, {'direct': 100}, *MANY)
    heard_direct = listener(a, {'ours': 100}, *MANY, topic='/back', env=direct)
    publisher(a, 'direct', *MANY, '--count', 100, env=direct)
    publisher(a, 'ours', *MANY, '--count', 100, topic='/back')
    is_whole(heard.heard()[0]['direct'], 100)
    is_whole(heard_direct.heard()[0]['ours'], 100)
