"""A subscriber waits; a publisher's process is started: `start_up_ns` until the subscriber has its first message."""

import time

SETTINGS = set()
# The first message that arrives counts; more are sent in case one is lost.
RATE = 1000


def run(trial, point, settings):
    subscriber = trial.start('subscribe', peers=0, samples=False)
    subscriber.wait('matched')
    began = time.monotonic_ns()
    publisher = trial.start('publish', peers=1, samples=False, rate=RATE, count=0, seconds=0, warm_up=0)
    publisher.say('go')
    first = subscriber.wait('first')
    trial.figure('start_up_ns', first['at'] - began)
    publisher.stop()
    subscriber.stop()
