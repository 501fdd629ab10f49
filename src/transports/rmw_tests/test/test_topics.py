"""Topics between nodes of a stock ROS 2 over Tandem, and between them and native nodes, both ways."""

import itertools
import random

import pytest
from ours import Ours
from peers import STOCK

RELIABILITY, DURABILITY = ('reliable', 'best_effort'), ('volatile', 'transient_local')
HISTORY = ('keep_last', 'keep_all')
QOS = list(itertools.product(RELIABILITY, DURABILITY, HISTORY))
PACKAGES = ('diagnostic_msgs', 'geometry_msgs', 'nav_msgs', 'sensor_msgs', 'shape_msgs', 'std_msgs', 'stereo_msgs',
            'test_msgs', 'trajectory_msgs', 'visualization_msgs')


def names(words):
    return ''.join(f'{word!r}, ' for word in words)


def options_of(words, depth=100):
    return [text for option, word in zip(('reliability', 'durability', 'history'), words, strict=True)
            for text in (f'--qos-{option}', word)] + ['--qos-depth', str(depth)]


def topic_of(prefix, words):
    return f'/{prefix}_' + '_'.join(words)


def match(topic, *peers):
    for peer in peers:
        peer.wait(f'matched({topic!r})')


@pytest.mark.parametrize('words', QOS, ids='-'.join)
def test_every_qos_passes_between_stock_nodes(a, b, words):
    topic, kind = topic_of('stock', words), 'std_msgs/msg/UInt64'
    b.do(f'listen({topic!r}, {kind!r}, {names(words)} keep=data)')
    a.do(f'advertise({topic!r}, {kind!r}, {names(words)} depth=3)')
    match(topic, a, b)
    for number in range(5):
        a.do(f'publish({topic!r}, {{"data": {number}}}, {kind!r})')
        b.wait(f'len(got[{topic!r}]) == {number + 1}')
    assert b.ask(f'got[{topic!r}]') == list(range(5))
    # Who comes late gets the history that both offer and ask for, as deep as it is kept.
    late = {'volatile': [], 'transient_local': [0, 1, 2, 3, 4] if words[2] == 'keep_all' else [2, 3, 4]}[words[1]]
    b.do(f'listen({topic!r}, {kind!r}, {names(words)} keep=data, key="late")')
    a.wait(f'publishers[{topic!r}].get_subscription_count() == 2')
    b.wait(f'len(got["late"]) == {len(late)}')
    a.do(f'publish({topic!r}, {{"data": 5}}, {kind!r})')
    b.wait(f'len(got["late"]) == {len(late) + 1}')
    assert b.ask('got["late"]') == [*late, 5]


@pytest.mark.parametrize('words', QOS, ids='-'.join)
def test_every_qos_passes_between_stock_and_native_nodes(world, a, words):
    topic = topic_of('mixed', words)
    a.do(f'advertise({topic!r}, "std_msgs/msg/String", {names(words)})')
    listener = world.command('ros2', 'topic', 'echo', topic, '--field', 'data', *options_of(words))
    a.wait(f'matched({topic!r})')
    for number in range(3):
        a.do(f'publish({topic!r}, {{"data": "stock {number}"}})')
        listener.await_line(lambda line, n=number: line == f'stock {n}')
    a.do(f'listen({topic!r}, "std_msgs/msg/String", {names(words)} keep=data)')
    world.ros2('topic', 'pub', '-t', '3', '-r', '100', '-w', '2', '-p', '0', topic, 'std_msgs/msg/String',
               '{data: native}',
               *options_of(words))
    a.wait(f'got[{topic!r}].count("native") == 3')


def test_a_subscription_keeps_as_many_as_its_depth(a, b):
    b.do('idle = rclpy.create_node("idle")')
    b.do('listen("/deep", "std_msgs/msg/UInt64", "reliable", keep=data, key="few", at=idle, depth=3)')
    b.do('listen("/deep", "std_msgs/msg/UInt64", "keep_all", keep=data, key="all", at=idle)')
    a.do('advertise("/deep", "std_msgs/msg/UInt64")')
    a.wait('publishers["/deep"].get_subscription_count() == 2')
    a.do('[publish("/deep", {"data": n}, "std_msgs/msg/UInt64") for n in range(10)]')
    b.do('take_all(idle)')
    assert b.ask('got["few"]') == [7, 8, 9]
    assert b.ask('got["all"]') == list(range(10))
    b.do('idle.destroy_node()')


def test_messages_older_than_their_lifespan_are_not_delivered(a, b):
    b.do('idle = rclpy.create_node("idle")')
    b.do('listen("/short", "std_msgs/msg/UInt64", keep=data, at=idle)')
    a.do('advertise("/short", "std_msgs/msg/UInt64", lifespan=0.05)')
    a.wait('matched("/short")')
    a.do('publish("/short", {"data": 1}, "std_msgs/msg/UInt64")')
    b.do('import time; time.sleep(0.1)')  # the lifespan itself
    b.do('take_all(idle)')
    assert b.ask('got["/short"]') == []
    b.do('idle.destroy_node()')


@pytest.mark.parametrize('there_by', ['stock', 'native'])
def test_images_of_6_mb_come_back_whole_through_numpy(a, b, native, there_by):
    out, back = ('/to_native', '/from_native') if there_by == 'native' else ('/to_b', '/from_b')
    if there_by == 'stock':
        b.do('out = node.create_publisher(interface("sensor_msgs/msg/Image"), "/from_b", 10)')
        b.do('ends = node.create_subscription(interface("sensor_msgs/msg/Image"), "/to_b", out.publish, 10)')
    a.do('import array, numpy')
    a.do(f'listen({back!r}, "sensor_msgs/msg/Image", keep=summary)')
    a.do(f'advertise({out!r}, "sensor_msgs/msg/Image")')
    match(out, a)
    match(back, a)
    for seed in range(3):
        a.do(f'pixels = numpy.random.default_rng({seed}).integers(0, 256, (1080, 1920, 3), numpy.uint8)')
        a.do(f'publish({out!r}, dict(header=interface("std_msgs/msg/Header")(frame_id="image {seed}"), '
             'height=1080, width=1920, '
             'encoding="rgb8", step=5760, data=array.array("B", pixels.tobytes())), "sensor_msgs/msg/Image")')
        a.wait(f'len(got[{back!r}]) == {seed + 1}')
        assert a.ask(f'got[{back!r}][-1] == [f"image {seed}", pixels.size, hashlib.sha256(pixels).hexdigest()]')


def test_serialized_messages_are_published_and_taken(a, b):
    b.do('listen("/raw", raw=True, keep=lambda m: '
         '[type(m).__name__, deserialize_message(m, interface("std_msgs/msg/String")).data])')
    b.do('listen("/raw", key="typed", keep=data)')
    a.do('advertise("/raw")')
    a.wait('publishers["/raw"].get_subscription_count() == 2')
    a.do('publishers["/raw"].publish(serialize_message(interface("std_msgs/msg/String")(data="bytes")))')
    a.do('publish("/raw", {"data": "fields"})')
    b.wait('len(got["/raw"]) == 2 and len(got["typed"]) == 2')
    assert b.ask('got["/raw"]') == [['bytes', 'bytes'], ['bytes', 'fields']]
    assert b.ask('got["typed"]') == ['bytes', 'fields']


def test_content_filters_of_native_nodes_hold_for_stock_publishers(world, a, native):
    a.do('advertise("/numbers", "std_msgs/msg/UInt64")')
    world.tell(native, 'filter /numbers data > 6')
    a.wait('matched("/numbers")')
    a.do('[publish("/numbers", {"data": n}, "std_msgs/msg/UInt64") for n in range(10)]')
    native.await_line(lambda line: line == 'filtered 9')
    assert [line for line in native.lines if line.startswith('filtered')] == ['filtered 7', 'filtered 8', 'filtered 9']


def test_time_and_sender_are_told_with_a_message(a, b):
    b.do('infos = []; keeps = node.create_subscription(interface("std_msgs/msg/String"), "/informed", '
         'lambda message, info: infos.append(info), 10)')
    a.do('advertise("/informed")')
    a.wait('publishers["/informed"].get_subscription_count() == 1')
    a.do('publish("/informed", {"data": "x"})')
    b.wait('len(infos) == 1')
    assert b.ask('0 < infos[0]["source_timestamp"] <= infos[0]["received_timestamp"]')


def types():
    return [f'{package}/msg/{file.stem}' for package in PACKAGES
            for file in sorted((STOCK / 'share' / package / 'msg').glob('*.msg'))]


@pytest.mark.parametrize('package', PACKAGES)
def test_random_messages_of_every_type_come_back_from_a_native_node(world, a, native, package):
    seed = random.randrange(1 << 30)
    ours = Ours()
    kinds = [name for name in types() if name.startswith(package + '/')]
    wanted = {}
    for name in kinds:
        there, back = (f'/{way}/{name.replace("/msg/", "/")}' for way in ('there', 'back'))
        world.tell(native, f'echo {name} {there} {back}')
        a.do(f'listen({back!r}, {name!r}); advertise({there!r}, {name!r})')
        wanted[name] = [ours.random(name, seed + number, number * 3).hex() for number in range(3)]
    ours.close()
    for name, contents in wanted.items():
        there, back = (f'/{way}/{name.replace("/msg/", "/")}' for way in ('there', 'back'))
        a.wait(f'matched({there!r}) and matched({back!r})')
        a.do(f'sent = [from_cdr({name!r}, cdr) for cdr in {contents!r}]')
        a.do(f'[publishers[{there!r}].publish(m) for m in sent]')
        a.wait(f'len(got[{back!r}]) == 3')
        # As CDR, since a NaN equals nothing.
        assert a.ask(f'cdr_of({back!r}) == [serialize_message(m).hex() for m in sent]'), f'{name} of seed {seed}'
