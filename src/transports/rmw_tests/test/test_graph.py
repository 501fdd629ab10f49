"""The graph: who is there, with which types and QoS, as stock nodes over Tandem and native commands see it."""

import json

from peers import STOCK

NODES = 'sorted(node.get_node_names_and_namespaces())'


def hash_of(name):
    package, kind, short = name.split('/')
    found = json.loads((STOCK / 'share' / package / kind / f'{short}.json').read_text())
    return found['type_hashes'][0]['hash_string']


def infos(way, topic):
    return (f'[[i.node_name, i.topic_type, str(i.topic_type_hash), i.qos_profile.reliability.name, '
            'i.qos_profile.durability.name, '
            f'i.qos_profile.depth] for i in node.get_{way}_info_by_topic({topic!r})]')


def test_nodes_come_and_go(world, a, b, native):
    for peer in a, b:
        peer.wait(f'set(("a", "b", "native_peer")) <= {{n for n, _ in {NODES}}}')
    assert {'/a', '/b', '/native_peer'} <= set(world.ros2('node', 'list').split())
    b.do('short = rclpy.create_node("short", namespace="/deep/down")')
    a.wait(f'("short", "/deep/down") in {NODES}')
    assert '/deep/down/short' in world.ros2('node', 'list').split()
    b.do('short.destroy_node()')
    a.wait(f'("short", "/deep/down") not in {NODES}')
    assert '/deep/down/short' not in world.ros2('node', 'list').split()


def test_topics_and_services_have_names_and_types(world, a, native):
    a.do('advertise("/typed", "geometry_msgs/msg/Pose"); from std_srvs.srv import SetBool')
    a.do('served = node.create_service(SetBool, "~/served", lambda request, response: response)')
    topics = a.ask('dict(node.get_topic_names_and_types())')
    assert topics['/typed'] == ['geometry_msgs/msg/Pose'] and topics['/to_native'] == ['sensor_msgs/msg/Image']
    services = a.ask('dict(node.get_service_names_and_types())')
    assert services['/set_bool'] == services['/a/served'] == ['std_srvs/srv/SetBool']
    services = a.ask('dict(node.get_service_names_and_types_by_node("native_peer", "/"))')
    assert services['/set_bool'] == ['std_srvs/srv/SetBool']
    listed = world.ros2('topic', 'list', '-t').splitlines()
    assert '/typed [geometry_msgs/msg/Pose]' in listed
    assert world.ros2('service', 'type', '/a/served').strip() == 'std_srvs/srv/SetBool'
    about = world.ros2('node', 'info', '/a')
    assert '/typed: geometry_msgs/msg/Pose' in about and '/a/served: std_srvs/srv/SetBool' in about


def test_endpoints_have_node_hash_and_qos(world, a, b, native):
    a.do('advertise("/ends", "std_msgs/msg/String", "transient_local", depth=7)')
    string = ['std_msgs/msg/String', hash_of('std_msgs/msg/String')]
    b.wait(infos('publishers', '/ends'))
    assert b.ask(infos('publishers', '/ends')) == [['a', *string, 'RELIABLE', 'TRANSIENT_LOCAL', 7]]
    listener = world.command('ros2', 'topic', 'echo', '/ends', '-n', 'ear', '--qos-reliability', 'best_effort',
                             '--qos-depth', '4')
    b.wait(infos('subscriptions', '/ends'))
    assert b.ask(infos('subscriptions', '/ends')) == [['ear', *string, 'BEST_EFFORT', 'VOLATILE', 4]]
    text = world.ros2('topic', 'info', '-v', '/ends')
    for expected in 'Node name: a', f'Topic type hash: {string[1]}', 'Durability: TRANSIENT_LOCAL', 'Node name: ear':
        assert expected in text, text
    listener.process.terminate()
    b.wait(f'not {infos("subscriptions", "/ends")}')
    a.do('node.destroy_publisher(publishers.pop("/ends"))')
    b.wait(f'not {infos("publishers", "/ends")}')
    assert '/ends' not in world.ros2('topic', 'list').split()


def test_a_waiting_node_is_told_of_changes(a, b):
    a.do('import concurrent.futures; pool = concurrent.futures.ThreadPoolExecutor(1)')
    a.do('waiting = pool.submit(node.wait_for_node, "/late", 60.0)')
    b.do('late = rclpy.create_node("late")')
    a.wait('waiting.done()')
    assert a.ask('waiting.result()') is True
    b.do('late.destroy_node()')


def test_domains_do_not_meet(world, a):
    outside = world.stock('outside', ROS_DOMAIN_ID='101')
    outside.do('listen("/typed", "geometry_msgs/msg/Pose")')
    assert outside.ask(NODES) == [['outside', '/']]
    assert 'outside' not in {name for name, _ in a.ask(NODES)}
