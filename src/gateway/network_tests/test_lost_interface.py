"""A process ends although the interface, or its address, that it began with has gone."""

import pytest
from flows import Flow
from hosts import NETWORKS, Hosts

PLUG_INS = {'cyclonedds': 'rmw_cyclonedds_cpp', 'fastdds': 'rmw_fastrtps_cpp'}


@pytest.mark.parametrize('change', ['link delete eth0', 'link set eth0 down', 'address flush dev eth0'])
@pytest.mark.parametrize('network', NETWORKS)
def test_a_node_ends_without_its_interface(network, change):
    with Hosts(1, env={'ROS_DOMAIN_ID': '86', 'RMW_IMPLEMENTATION': PLUG_INS[network]}) as (host,):
        node = Flow(host, 'crowd', node='node')
        host.out('ip', *change.split())
        assert node.program.interrupt() == 0
        assert 'recvmsg' not in node.program.stderr
