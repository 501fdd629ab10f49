"""Publishing and subscribing, and what messages are when they arrive."""

import signal

from conftest import spin_until, wait_until
import numpy
import pytest
import rclpy
from rclpy.qos import DurabilityPolicy, HistoryPolicy, QoSProfile, ReliabilityPolicy
from rclpy.subscription_content_filter_options import ContentFilterOptions
from sensor_msgs.msg import Image
from std_msgs.msg import Int32, String

ALL = QoSProfile(history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE, depth=0)

PUBLISHER = """
import sys
import time
import rclpy
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image
from std_msgs.msg import Int32
rclpy.init()
node = rclpy.create_node('other')
keep_all = QoSProfile(history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE, depth=0)
numbers = node.create_publisher(Int32, 'numbers', keep_all)
images = node.create_publisher(Image, 'images', 3)
print('ready')
for line in sys.stdin:
    kind, count = line.split()
    while not (numbers if kind == 'numbers' else images).get_subscription_count():
        time.sleep(0.01)
    if kind == 'numbers':
        for i in range(int(count)):
            numbers.publish(Int32(data=i))
    else:
        images.publish(Image(data=bytes([7]) * int(count)))
    print('published')
"""


def tell(program, line):
    program.process.stdin.write(line + '\n')
    program.process.stdin.flush()


def test_messages_come_in_order(node, executor):
    got = []
    node.create_subscription(String, 'topic', lambda message: got.append(message.data), 10)
    publisher = node.create_publisher(String, 'topic', 10)
    for i in range(10):
        publisher.publish(String(data=str(i)))
    spin_until(executor, lambda: len(got) == 10)
    assert got == [str(i) for i in range(10)]


def test_the_oldest_are_dropped_beyond_the_depth(node, executor):
    got = []
    node.create_subscription(Int32, 'topic', lambda message: got.append(message.data), 3)
    publisher = node.create_publisher(Int32, 'topic', 3)
    for i in range(10):
        publisher.publish(Int32(data=i))
    spin_until(executor, lambda: 9 in got)
    assert got == [7, 8, 9]


def test_late_joiners_get_what_is_kept_for_them(node, executor):
    kept = QoSProfile(depth=1, durability=DurabilityPolicy.TRANSIENT_LOCAL)
    node.create_publisher(Int32, 'topic', kept).publish(Int32(data=5))
    got = []
    node.create_subscription(Int32, 'topic', got.append, kept)
    spin_until(executor, lambda: got)
    assert got[0].data == 5


def test_a_callback_with_two_arguments_gets_what_is_known_of_the_message(node, executor):
    got = []
    node.create_subscription(Int32, 'topic', lambda message, info: got.append(info), 10)
    publisher = node.create_publisher(Int32, 'topic', 10)
    publisher.publish(Int32())
    publisher.publish(Int32())
    spin_until(executor, lambda: len(got) == 2)
    assert 0 < got[0]['source_timestamp'] <= got[0]['received_timestamp']
    assert got[1]['publication_sequence_number'] == got[0]['publication_sequence_number'] + 1


def test_a_raw_subscription_gets_what_serialize_gives(node, executor):
    got = []
    node.create_subscription(String, 'topic', got.append, 10, raw=True)
    publisher = node.create_publisher(String, 'topic', 10)
    publisher.publish(String(data='text'))
    publisher.publish(rclpy.serialization.serialize_message(String(data='text')))
    spin_until(executor, lambda: len(got) == 2)
    assert got[0] == got[1] == rclpy.serialization.serialize_message(String(data='text'))


def test_a_filter_lets_through_what_it_matches(node, executor):
    got = []
    subscription = node.create_subscription(
        Int32, 'topic', lambda message: got.append(message.data), 10,
        content_filter_options=ContentFilterOptions('data > %0', ['5']))
    assert subscription.is_cft_enabled
    publisher = node.create_publisher(Int32, 'topic', 10)
    for i in range(10):
        publisher.publish(Int32(data=i))
    spin_until(executor, lambda: 9 in got)
    assert got == [6, 7, 8, 9]


def test_other_messages_are_refused(node):
    publisher = node.create_publisher(String, 'topic', 10)
    with pytest.raises(TypeError, match='Expected .*String.*, got .*Int32'):
        publisher.publish(Int32())
    with pytest.raises(TypeError, match="the field 'data'"):
        publisher.publish(String(data=5))


def test_what_is_destroyed_is_used_no_more(node):
    publisher = node.create_publisher(String, 'topic', 10)
    node.destroy_publisher(publisher)
    with pytest.raises(rclpy.exceptions.InvalidHandle):
        publisher.publish(String())
    assert publisher not in list(node.publishers)


def test_exceptions_of_callbacks_leave_the_spin(node, executor):
    def fail(message):
        raise LookupError('of the callback')

    node.create_subscription(Int32, 'topic', fail, 10)
    node.create_publisher(Int32, 'topic', 10).publish(Int32())
    with pytest.raises(LookupError, match='of the callback'):
        spin_until(executor, lambda: False)


def test_none_of_many_messages_between_processes_is_lost(node, executor, run):
    got = []
    subscription = node.create_subscription(Int32, 'numbers', lambda message: got.append(message.data), ALL)
    other = run(PUBLISHER)
    other.wait_for('ready')
    wait_until(lambda: subscription.get_publisher_count() == 1)  # what was published before is for nobody
    tell(other, 'numbers 20000')
    spin_until(executor, lambda: len(got) == 20000)
    assert got == list(range(20000))


def test_arrays_are_read_where_they_were_written(node, executor):
    got = []
    node.create_subscription(Image, 'images', got.append, 3)
    node.create_publisher(Image, 'images', 3).publish(Image(data=bytes(range(256)) * 4096))
    spin_until(executor, lambda: got)
    array = numpy.asarray(got[0].data)
    assert array.nbytes == 1 << 20 and array[257] == 1
    assert numpy.asarray(got[0].data).ctypes.data == array.ctypes.data
    with pytest.raises(ValueError, match='read-only'):
        array[0] = 1
    with pytest.raises(ValueError, match='gives a copy'):
        got[0].data[0] = 1


@pytest.mark.parametrize('killed', [False, True])
def test_arrays_outlive_all_that_brought_them(shared_memory, run, killed):
    with rclpy.Context() as context:
        with rclpy.create_node('tested', context=context) as node:
            got = []
            subscription = node.create_subscription(Image, 'images', got.append, 3)
            other = run(PUBLISHER)
            other.wait_for('ready')
            wait_until(lambda: subscription.get_publisher_count() == 1)
            with rclpy.executors.SingleThreadedExecutor(context=context) as executor:
                executor.add_node(node)
                tell(other, 'images 1000000')
                spin_until(executor, lambda: got)
            array = numpy.asarray(got.pop().data)
            if killed:
                assert other.end(signal.SIGKILL) == -signal.SIGKILL
            node.destroy_subscription(subscription)
    subscription = executor = None
    assert array.sum() == 7000000
