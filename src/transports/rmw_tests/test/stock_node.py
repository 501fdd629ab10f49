"""stock_node.py NAME: a node of the stock ROS 2 that does what it is told, in a process of its own.

Reads lines of JSON, {"do": statements} or {"ask": expression}, in Python, and answers each with {"value": ...} or
{"error": ...}.
It spins all the while in another thread. The words below are what the lines are made of. It ends with its input.
"""

import hashlib
import importlib
import json
import sys
import threading
import traceback

import rclpy
from rclpy.duration import Duration
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.executors import MultiThreadedExecutor, SingleThreadedExecutor
from rclpy.qos import (
    DurabilityPolicy, HistoryPolicy, LivelinessPolicy, QoSProfile, ReliabilityPolicy,
)
from rclpy.serialization import deserialize_message, serialize_message

POLICIES = {
    'reliable': ReliabilityPolicy.RELIABLE, 'best_effort': ReliabilityPolicy.BEST_EFFORT,
    'volatile': DurabilityPolicy.VOLATILE, 'transient_local': DurabilityPolicy.TRANSIENT_LOCAL,
    'keep_last': HistoryPolicy.KEEP_LAST, 'keep_all': HistoryPolicy.KEEP_ALL,
    'automatic': LivelinessPolicy.AUTOMATIC, 'manual': LivelinessPolicy.MANUAL_BY_TOPIC,
}
FIELD_OF = {ReliabilityPolicy: 'reliability', DurabilityPolicy: 'durability', HistoryPolicy: 'history',
            LivelinessPolicy: 'liveliness'}

got = {}  # what came, by topic
told = {}  # what events told, by topic
publishers = {}
subscriptions = {}


def interface(name):
    """The class of package/kind/Name."""
    package, kind, short = name.split('/')
    return getattr(importlib.import_module(f'{package}.{kind}'), short)


def qos(*words, depth=100, **durations):
    """A profile of POLICIES by name; deadline, lifespan and liveliness_lease_duration in seconds."""
    policies = {FIELD_OF[type(POLICIES[word])]: POLICIES[word] for word in words}
    times = {name: Duration(nanoseconds=int(seconds * 1e9)) for name, seconds in durations.items()}
    return QoSProfile(depth=depth, **policies, **times)


def teller(topic, what):
    return lambda status: told.setdefault(topic, []).append((what, status))


def count(topic, what, field='total_count'):
    """The last number that such an event told, 0 without any."""
    return next((getattr(s, field) for name, s in reversed(told.get(topic, [])) if name == what), 0)


def publish(topic, content, type_name='std_msgs/msg/String', *words, number=1, **options):
    """A message of these fields, number times."""
    kind = interface(type_name)
    publisher = advertise(topic, type_name, *words, **options)
    for _ in range(number):
        publisher.publish(kind(**content))


def advertise(topic, type_name='std_msgs/msg/String', *words, **options):
    if topic not in publishers:
        events = PublisherEventCallbacks(**{what: teller(topic, what) for what in (
            'deadline', 'liveliness', 'incompatible_qos', 'matched')})
        publishers[topic] = node.create_publisher(interface(type_name), topic, qos(*words, **options),
                                                  event_callbacks=events)
    return publishers[topic]


def listen(topic, type_name='std_msgs/msg/String', *words, keep=lambda m: m, raw=False, key=None, at=None, **options):
    """Into got[topic], or of another key, each as keep makes it; by a subscription of this node, or of another one."""
    key = key or topic
    got[key] = []
    events = SubscriptionEventCallbacks(**{what: teller(topic, what) for what in (
        'deadline', 'liveliness', 'incompatible_qos', 'matched', 'message_lost')})
    subscriptions[key] = (at or node).create_subscription(
        interface(type_name), topic, lambda m: got[key].append(keep(m)), qos(*words, **options), raw=raw,
        event_callbacks=events)


def take_all(idle):
    """What a node that nobody spins has waiting."""
    own = SingleThreadedExecutor()
    own.add_node(idle)
    before = -1
    while before != (before := sum(map(len, got.values()))):
        for _ in range(20):
            own.spin_once(timeout_sec=0)
    own.shutdown()


def data(message):
    return message.data


def summary(message):
    """Of an image or the like: its first field's frame, and the hash of its bytes."""
    return [message.header.frame_id, len(message.data), hashlib.sha256(message.data).hexdigest()]


def matched(topic):
    """How many ends publisher and subscription of a topic have on the other side."""
    found = publishers[topic].get_subscription_count() if topic in publishers else 0
    # The rclpy of Jazzy does not count the other way.
    return found or count(topic, 'matched', 'current_count')


def cdr_of(topic):
    return [serialize_message(message).hex() for message in got[topic]]


def from_cdr(type_name, cdr):
    return deserialize_message(bytes.fromhex(cdr), interface(type_name))


def main():
    names = globals()
    for line in sys.stdin:
        request = json.loads(line)
        try:
            value = None
            if 'do' in request:
                exec(request['do'], names)
            else:
                value = eval(request['ask'], names)
            answer = {'value': value}
        except Exception:
            answer = {'error': traceback.format_exc()}
        print(json.dumps(answer, default=repr), flush=True)


if __name__ == '__main__':
    rclpy.init(args=sys.argv[2:] and ['--ros-args', *sys.argv[2:]])
    node = rclpy.create_node(sys.argv[1])
    executor = MultiThreadedExecutor(2)
    executor.add_node(node)
    spinner = threading.Thread(target=executor.spin)
    spinner.start()
    main()
    executor.shutdown()
    spinner.join()
    rclpy.shutdown()
