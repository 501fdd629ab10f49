#!/usr/bin/python3
"""A process of the suites of rclpy, Tandem's or a stock one: python_worker.py play SUITE ping|pong NUMBER CPU FOLDER.

What it is told and answers: rounds.py. Ping receives and measures; pong publishes, with the time and its processor
time in each message. It imports nothing of the laboratory: a stock ROS 2 has none.
"""

import array
import json
import os
import subprocess
import sys
import time

import rclpy
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Image
from std_msgs.msg import String

IMAGES, STRINGS, FLOOD = 40, 300, 10000
WARM_UP = 5  # messages that do not count
PATIENCE = 30  # seconds
ALL = QoSProfile(history=HistoryPolicy.KEEP_ALL, reliability=ReliabilityPolicy.RELIABLE, depth=0)
START = """
import rclpy
from std_msgs.msg import String
rclpy.init()
node = rclpy.create_node('start')
got = []
node.create_subscription(String, 'start', got.append, 10)
publisher = node.create_publisher(String, 'start', 10)
publisher.publish(String(data='first'))
while not got:
    rclpy.spin_once(node, timeout_sec=0.1)
"""


def now():
    """Nanoseconds of a clock that both processes see."""
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


def stamp():
    """The time and the processor time of this process, in 64 characters."""
    return '%032d%032d' % (now(), time.process_time_ns())


def summary(values):
    """What is told of samples."""
    values = sorted(values)

    def at(share):
        return values[min(int(share * len(values)), len(values) - 1)]

    return {'samples': len(values), 'p50': at(0.5), 'p90': at(0.9), 'p99': at(0.99), 'p999': at(0.999),
            'max': values[-1]}


class Pong:
    """Publishes."""

    def __init__(self, node, suite):
        self.pause = 0.1 if suite == 'python.stock' else 0.02  # it needs 50 ms for an image
        self.images = node.create_publisher(Image, 'image', 10)
        self.strings = node.create_publisher(String, 'string', ALL)
        self.pixels = array.array('B', bytes(6220800))

    def connect(self):
        while not (self.images.get_subscription_count() and self.strings.get_subscription_count()):
            time.sleep(0.01)

    def play(self, contest):
        print('ready', flush=True)
        if contest == 'start':
            return
        time.sleep(0.1)  # ping is told after this
        if contest == 'image':
            for _ in range(IMAGES):
                image = Image(height=1080, width=1920, encoding='rgb8', step=5760)
                image.header.frame_id = stamp()
                image.data = self.pixels
                self.images.publish(image)
                time.sleep(self.pause)
            return
        for _ in range(FLOOD if contest == 'flood' else STRINGS):
            self.strings.publish(String(data=stamp()))
            if contest == 'string':
                time.sleep(0.002)


class Ping:
    """Receives, and measures."""

    def __init__(self, node, _suite):
        from rclpy.executors import SingleThreadedExecutor
        self.samples = []  # (received, published, processor time of the publisher, own processor time)
        node.create_subscription(Image, 'image', self.take_image, 10)
        node.create_subscription(String, 'string', self.take_string, ALL)
        self.executor = SingleThreadedExecutor()
        self.executor.add_node(node)

    def connect(self):
        """Pong waits for the match; nothing is to be done."""

    def take_image(self, image):
        import numpy
        numpy.asarray(image.data)[0]
        self.note(image.header.frame_id)

    def take_string(self, string):
        self.note(string.data)

    def note(self, text):
        self.samples.append((now(), int(text[:32]), int(text[32:]), time.process_time_ns()))

    def play(self, contest):
        if contest == 'start':
            began = now()
            subprocess.run([sys.executable, '-c', START], check=True)
            return {contest: summary([now() - began])}
        self.samples = []
        wanted = {'image': IMAGES, 'string': STRINGS, 'flood': FLOOD}[contest]
        end = time.monotonic() + PATIENCE
        while len(self.samples) < wanted:
            if time.monotonic() > end:
                raise RuntimeError('%d of %d messages came' % (len(self.samples), wanted))
            self.executor.spin_once(timeout_sec=0.1)
        samples = self.samples[WARM_UP:]
        first, last, count = samples[0], samples[-1], len(samples) - 1
        if contest == 'flood':
            return {contest: summary([(last[0] - first[0]) / count])}
        spent = (last[2] - first[2] + last[3] - first[3]) / count
        return {contest: summary([received - sent for received, sent, *_ in samples]),
                contest + '_cpu': summary([spent])}


def main():
    """Serve the lines of standard input."""
    _, _, suite, side, _, cpu, _ = sys.argv[:7]
    os.sched_setaffinity(0, {int(cpu)})
    rclpy.init(args=[])
    end = (Ping if side == 'ping' else Pong)(rclpy.create_node(side), suite)
    for line in sys.stdin:
        word, _, contest = line.strip().partition(' ')
        if word == 'connect':
            end.connect()
            print('connected', flush=True)
            continue
        contest = contest.rpartition('.')[2]
        told = end.play(contest)
        if told is None:
            print('done', flush=True)
        else:
            print(json.dumps({'%s.%s' % (suite, name): value for name, value in told.items()}), flush=True)


main()
