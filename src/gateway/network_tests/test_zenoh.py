"""Two sites, each a host with a gateway, and a Zenoh router between them: 40 ms and 1 % of loss from site to site."""

import json
import os
import time

import delay_line
import pytest
from flows import is_whole, listener, publisher
from hosts import PREFIX, Hosts, wait_until

ROUTER = PREFIX / 'lib/rmw_zenoh_cpp/rmw_zenohd'
STRING = 'std_msgs/msg/String'
DELAY, LOSS = 20, 0.5  # of each site's cable: ms, percent
FIGURES = os.environ.get('ZENOH_FIGURES')  # a file that gets what was measured

pytestmark = pytest.mark.skipif(not ROUTER.is_file(),
                                reason='NO GATEWAY WENT OVER ZENOH: it is not built; `make rust` builds it')


def note(what, **figures):
    if FIGURES:
        with open(FIGURES, 'a', encoding='utf-8') as file:
            print(json.dumps({'what': what, **figures}), file=file)


def client_of(cloud):
    """The environment of who connects to the router on that host."""
    return {'ZENOH_CONFIG_OVERRIDE': f'mode="client";connect/endpoints=["tcp/{cloud.address}:7447"]'}


class Sites:
    """Two sites, and a host with a router that both of them reach."""

    def __init__(self, hosts, delay, loss):
        self.a, self.b, self.cloud = hosts
        if delay:
            delay_line.prepare(hosts)
            for site in (self.a, self.b):
                delay_line.insert(site, delay, loss)
        self.env = client_of(self.cloud)
        self.start_router()
        self.gateways = [self.start_gateway(site) for site in (self.a, self.b)]

    def start_router(self):
        self.router = self.cloud.start(ROUTER)
        self.router.wait_for('router .* is running')

    def start_gateway(self, site):
        gateway = site.start('tandem-gateway', '--network', 'zenoh', env=self.env)
        gateway.wait_for('carrying topics', 'stderr')
        return gateway


@pytest.fixture
def near():
    with Hosts(3, env={'ROS_DOMAIN_ID': '83'}) as hosts:
        yield Sites(hosts, 0, 0)


@pytest.fixture
def far():
    with Hosts(3, env={'ROS_DOMAIN_ID': '83'}) as hosts:
        yield Sites(hosts, DELAY, LOSS)


def wait_for_output(host, text, *command):
    wait_until(lambda: text in host.out('ros2', *command), f'{text!r} in ros2 {" ".join(command)}')


def test_messages_nodes_and_topics_reach_the_other_site(near):
    near.a.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '-n', 'talker', '/chatter', STRING, '{data: hi}')
    near.b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
    wait_for_output(near.b, '/talker\n', 'node', 'list')
    wait_for_output(near.b, 'Publisher count: 1\n', 'topic', 'info', '/chatter')
    wait_for_output(near.a, 'Subscription count: 1\n', 'topic', 'info', '/chatter')


def test_the_first_node_starts_the_gateway():
    with Hosts(3, env={'ROS_DOMAIN_ID': '83', 'TANDEM_NETWORK': 'zenoh'}) as (a, b, cloud):
        cloud.start(ROUTER).wait_for('router .* is running')
        env = client_of(cloud)
        a.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '/chatter', STRING, '{data: hi}', env=env)
        b.start('ros2', 'topic', 'echo', '/chatter', STRING, env=env).wait_for('data: hi')


def test_routers_of_both_hosts_join():
    """As stock ROS 2 has it: the nodes of a host meet at its router."""
    with Hosts(2, env={'ROS_DOMAIN_ID': '83'}) as (a, b):
        a.start(ROUTER).wait_for('router .* is running')
        b.start(ROUTER, env={'ZENOH_CONFIG_OVERRIDE': f'connect/endpoints=["tcp/{a.address}:7447"]'})
        for host in (a, b):
            host.start('tandem-gateway', '--network', 'zenoh')
        a.start('ros2', 'topic', 'pub', '-r', '20', '-p', '0', '/chatter', STRING, '{data: hi}')
        b.start('ros2', 'topic', 'echo', '/chatter', STRING).wait_for('data: hi')
        stock = {'RMW_IMPLEMENTATION': 'rmw_zenoh_cpp'}
        b.start('ros2', 'topic', 'echo', '/chatter', STRING, env=stock).wait_for('data: hi')


def test_the_gateway_waits_for_its_router():
    with Hosts(2, env={'ROS_DOMAIN_ID': '83'}) as (site, cloud):
        env = client_of(cloud)
        gateway = site.start('tandem-gateway', '--network', 'zenoh', env=env)
        gateway.wait_for(f'waits for a router at .*tcp/{cloud.address}:7447', 'stderr')
        assert gateway.interrupt() == 0
        gateway = site.start('tandem-gateway', '--network', 'zenoh', env=env)
        cloud.start(ROUTER).wait_for('router .* is running')
        gateway.wait_for('carrying topics', 'stderr')


def test_late_joiners_get_as_much_history_as_the_publisher_keeps(near):
    publisher(near.a, 'talker', '--transient-local', '--depth', 3, '--count', 5, '--readers', 0).published()
    for _ in range(2):  # the second gets them from the gateway of its own host
        late = listener(near.b, {'talker': 5}, '--transient-local', '--depth', 50, '--linger', 1)
        line = late.heard()[0]['talker']
        assert (line['first'], line['last'], line['messages'], line['twice']) == (3, 5, 3, 0)


def test_nothing_is_lost_on_a_long_way(far):
    listening = listener(far.b, {'talker': 500}, '--depth', 1000, '--size', 10_000)
    begun = time.monotonic()
    publisher(far.a, 'talker', '--depth', 1000, '--count', 500, '--rate', 100, '--size', 10_000).published()
    is_whole(listening.heard()[0]['talker'], 500)
    note('500 messages of 10 kB at 100 Hz', seconds=round(time.monotonic() - begun, 1))


def test_services_are_called_on_a_long_way(far):
    publisher(far.b, 'talker', '--readers', 0, '--count', 1).published()  # from then on it answers
    wait_for_output(far.a, '/talker/get_parameters\n', 'service', 'list')
    begun = time.monotonic()
    assert 'use_sim_time' in far.a.out('ros2', 'param', 'list', '/talker')
    note('ros2 param list at the other site', seconds=round(time.monotonic() - begun, 1))


def test_a_killed_router_comes_again(far):
    talker = far.a.start('ros2', 'topic', 'pub', '-r', '10', '-p', '0', '-n', 'talker', '/chatter', STRING,
                         '{data: hi}')
    echo = far.b.start('ros2', 'topic', 'echo', '/chatter', STRING)
    echo.wait_for('data: hi')
    far.router.kill()
    time.sleep(2)
    before = echo.stdout.count('data: hi')
    time.sleep(2)
    assert echo.stdout.count('data: hi') == before  # nothing goes past the router
    begun = time.monotonic()
    far.start_router()
    wait_until(lambda: echo.stdout.count('data: hi') > before, 'message after the router has come again')
    note('a router that was killed comes again', seconds_until_the_next_message=round(time.monotonic() - begun, 1))
    wait_for_output(far.b, '/talker\n', 'node', 'list')
    assert talker.process.poll() is None and all(gateway.process.poll() is None for gateway in far.gateways)


def test_transient_local_messages_survive_a_router(far):
    """What is published meanwhile comes when the router is there again."""
    talker = publisher(far.a, 'talker', '--transient-local', '--depth', 100, '--count', 60, '--rate', 10)
    listening = listener(far.b, {'talker': 60}, '--transient-local', '--depth', 100, '--linger', 1)
    wait_until(lambda: '"published"' not in talker.program.stdout, 'start')
    time.sleep(1.5)
    far.router.kill()
    time.sleep(2)
    far.start_router()
    talker.published()
    line = listening.heard()[0]['talker']
    assert (line['messages'], line['first'], line['missing'], line['twice']) == (60, 1, 0, 0), line
