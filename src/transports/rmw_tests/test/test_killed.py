"""kill -9 of a stock or a native node while messages pass: the others go on, and its shared memory is given back."""

import os

import pytest
from peers import STOCK, World

IMAGE = 'sensor_msgs/msg/Image'
TALK = f'''
import array, numpy, time
advertise("/pixels", "{IMAGE}", depth=5)

def talk():
    number = 0
    while rclpy.ok() and not silent:
        number += 1
        pixels = numpy.full(1_500_000, number % 256, numpy.uint8)
        publish("/pixels", dict(height=number, width=1, data=array.array("B", pixels.tobytes())), "{IMAGE}")
        time.sleep(0.002)

silent = False
talking = threading.Thread(target=talk)
talking.start()
'''
# Whole: every byte is the number of the message.
LISTEN = f'''
import numpy

def judged(image):
    pixels = numpy.frombuffer(image.data, numpy.uint8)
    return [image.height, len(pixels), bool((pixels == image.height % 256).all())]

listen("/pixels", "{IMAGE}", keep=judged, depth=5)
'''
SAYS = "got['/pixels']"


def check(listener, at_least=20):
    """Whole messages come, from now on too."""
    before = listener.ask(f'len({SAYS})')
    listener.wait(f'len({SAYS}) >= {before + at_least}')
    wrong = listener.ask(f'[m for m in {SAYS} if m[1:] != [1_500_000, True]]')
    assert wrong == []


def of_process(world, peer_folder, process):
    """The files of shared memory that a process has mapped."""
    return {os.path.basename(line.split()[-1]) for line in open(f'/proc/{process}/maps') if str(world.folder) in line}


def stop_talking(peer):
    peer.do('silent = True; talking.join()')


def test_a_killed_stock_publisher_is_replaced_and_leaves_nothing():
    with World() as world:
        listener, native = world.stock('listener'), world.command('ros2', 'topic', 'hz', '/pixels', '--json')
        listener.do(LISTEN)
        for number in range(3):
            talker = world.stock(f'talker_{number}')
            talker.do(TALK)
            check(listener)
            lines = len(native.lines)
            native.await_line(bool, since=lines)
            if number < 2:
                talker.kill()
                listener.wait('count("/pixels", "matched", "current_count") == 0')
        stop_talking(talker)


def test_killed_subscriptions_do_not_hold_up_a_stock_publisher():
    with World() as world:
        talker, listener = world.stock('talker'), world.stock('listener')
        listener.do(LISTEN)
        talker.do(TALK)
        check(listener)
        for start in (lambda: world.stock('victim'),
                      lambda: world.command('ros2', 'topic', 'echo', '/pixels', '--field', 'height')):
            victim = start()
            if victim.name == 'victim':
                victim.do(LISTEN)
                check(victim, 3)
            else:
                victim.await_line(str.isdigit)
            talker.wait('publishers["/pixels"].get_subscription_count() == 2')
            victim.kill()
            talker.wait('publishers["/pixels"].get_subscription_count() == 1')
            check(listener)
        stop_talking(talker)


def test_a_killed_native_publisher_leaves_nothing_at_stock_subscriptions():
    with World() as world:
        listener = world.stock('listener')
        listener.do('listen("/words", keep=data)')
        for number in range(2):
            talker = world.command('ros2', 'topic', 'pub', '-r', '200', '-p', '0', '/words', 'std_msgs/msg/String',
                                   f'{{data: talker {number}}}')
            listener.wait(f'got["/words"].count("talker {number}") > 20')
            talker.kill()
            listener.wait('count("/words", "matched", "current_count") == 0')
            listener.wait('"/words" not in dict(node.get_topic_names_and_types()) or '
                          'not node.get_publishers_info_by_topic("/words")')


@pytest.mark.parametrize('served_by', ['stock', 'native'])
def test_a_killed_server_is_unavailable_until_another_one_serves(served_by):
    name = {'stock': '/stock_bool', 'native': '/set_bool'}[served_by]
    with World() as world:
        client = world.stock('client')
        client.do(f'from std_srvs.srv import SetBool; client = node.create_client(SetBool, {name!r})')
        for _ in range(2):
            if served_by == 'native':
                server = world.native()
            else:
                server = world.stock('server')
                server.do('from std_srvs.srv import SetBool')
                server.do(f'serving = node.create_service(SetBool, {name!r}, lambda request, response: response)')
            client.wait('client.service_is_ready()')
            client.do('answer = client.call_async(SetBool.Request(data=True))')
            client.wait('answer.done()')
            server.kill()
            client.wait('not client.service_is_ready()')


def test_the_wheels_are_what_runs():
    with World() as world:
        node = world.stock('node')
        mapped = {line.split()[-1] for line in open(f'/proc/{node.process.pid}/maps')}
        assert {str(STOCK / 'lib/librmw_tandem_cpp.so'), str(STOCK / 'lib/librcl.so')} <= mapped
        assert not [file for file in mapped if file.startswith(os.environ['INSTALL_PREFIX'])]
