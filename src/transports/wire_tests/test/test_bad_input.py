"""What a network may bring: a clear line, the node keeps running, and a conversation beside it goes on untouched.

PyPI's cyclonedds is the one that misbehaves: it is matched, so that what it sends is looked at. What is sent at random
follows from a seed that is printed; WIRE_SEED sets it.
"""

import os
import random
import time

import pytest
from conftest import FOREIGN
from contents import CONTENTS
from packets import Capture, Forger, mutated
from peers import OURS, Domain, wait_for

SEED = int(os.environ.get('WIRE_SEED', '4'))

pytestmark = pytest.mark.skipif('cyclonedds' not in FOREIGN, reason="PyPI's cyclonedds is not there")


class Conversation:
    """Two of our nodes on /local, beside which `bad` misbehaves."""

    def __init__(self, transport):
        self.domain = Domain(14)
        self.listener = self.domain.start(transport, 'listener', 'listen /local std_msgs/String',
                                          'listen /chatter std_msgs/String best_effort')
        self.talker = self.domain.start(transport, 'talker', 'talk /local std_msgs/String')
        self.bad = self.domain.start('cyclonedds', 'bad', 'talk /chatter std_msgs/String')
        self.said = []
        for peer, topic in ((self.talker, '/local'), (self.listener, '/local'), (self.listener, '/chatter'),
                            (self.bad, '/chatter')):
            peer.send('wait', topic, '1')
        for peer in (self.talker, self.listener, self.bad):
            peer.await_answer('matched')
        self.listener.await_answer('matched', lambda topics: len(topics) == 2)
        self.check()

    def check(self):
        self.said.append({'data': str(len(self.said))})
        self.talker.send('/local', self.said[-1])
        self.listener.await_answer('message /local', lambda told: len(told) == len(self.said))
        assert self.listener.messages('/local') == self.said

    def check_all(self):
        """What a sane stranger says is heard, too."""
        sane = self.domain.start('cyclonedds', 'sane', 'talk /chatter std_msgs/String')
        sane.send('wait', '/chatter', '1')
        sane.await_answer('matched')

        def heard(told):
            sane.send('/chatter', {'data': 'sane'})
            return told and 'sane' in told[-1]
        self.listener.await_answer('message /chatter', heard)
        self.check()

    def forger(self, capture, topic, *words):
        """Speaks in the name of `bad`, after it has said the words."""
        writer = bytes.fromhex(self.bad.graph()['own'][topic])
        self.bad.send(*words)
        wait_for(lambda: capture.messages_of(writer), f'messages on {topic}')
        return Forger(capture, writer)

    def provoke(self, line, forger, malformed):
        """Says it until it is complained of. By its number the first may count as heard already, or one may be lost."""
        def complained():
            for data in malformed:
                forger.say(data)
            time.sleep(0.2)
            if line in self.listener.errors():
                return True
            forger.say_again()
            return False
        wait_for(complained, lambda: f'{line!r} in {self.listener.errors()!r}')

    def lines(self, text):
        return [line for line in self.listener.errors().splitlines() if text in line]


@pytest.fixture(params=OURS)
def conversation(request):
    conversation = Conversation(request.param)
    yield conversation
    conversation.check()
    assert not any(conversation.domain.end())


def noise(dice, first=b'\0\1\0\0'):
    return first + bytes(dice.choice((0, 0, 1, 255, dice.randrange(256))) for _ in range(dice.randrange(64)))


def test_malformed_cdr(conversation):
    dice = random.Random(SEED)
    print('seed', SEED)
    malformed = ['0001', '00010000', '0007000003000000686900', '00010000ffffffff', '00010000ffffff7f6869',
                 '000100000300000068696a', '0000000003000000686900', 'ffff000003000000686900']
    with Capture() as capture:
        forger = conversation.forger(capture, '/chatter', '/chatter', {'data': 'sane as yet'})
        conversation.provoke("topic '/chatter'", forger, [bytes.fromhex(digits) for digits in malformed])
        for _ in range(500):
            forger.say(noise(dice))
        conversation.check_all()
    assert len(conversation.lines("topic '/chatter'")) < 20


def test_another_type_under_the_name_of_a_topic(conversation):
    stranger = conversation.domain.start('cyclonedds', 'stranger', 'talk /local geometry_msgs/PoseStamped')
    stranger.await_answer('ready')
    for _ in range(20):
        stranger.send('/local', CONTENTS['geometry_msgs/PoseStamped'][0])
    wait_for(lambda: "topic '/local'" in conversation.listener.errors(), 'a line about /local')
    line, = [line for line in conversation.listener.errors().splitlines() if "topic '/local'" in line]
    assert 'geometry_msgs/msg/PoseStamped' in line and 'std_msgs/msg/String' in line


@pytest.mark.parametrize('width', [16, 24])
def test_malformed_discovery_info(conversation, width):
    dice = random.Random(SEED)
    print('seed', SEED)
    gid = bytes(range(width))
    malformed = [b'\0\1\0\0' + gid + b'\xff\xff\xff\xff', b'\0\1\0\0' + gid + b'\1\0\0\0' + b'\xff' * 40, b'\0\1\0\0',
                 b'\0\1\0\0' + gid + b'\1\0\0\0' + b'\2\0\0\0/\0\0\0' + b'\5\0\0\0\x1b[2J\0\0\0\0' + bytes(8)]
    with Capture() as capture:
        forger = conversation.forger(capture, 'ros_discovery_info', 'announce')
        conversation.provoke("topic 'ros_discovery_info'", forger, malformed)
        for _ in range(300):
            forger.say(noise(dice, b'\0\1\0\0' + gid))
        conversation.check_all()
    assert '\x1b' not in conversation.listener.errors()
    listed = conversation.domain.eventually(conversation.listener.transport, 'node', 'list',
                                            holds=lambda out: {'/listener', '/talker'} <= set(out.split()))
    assert '\x1b' not in listed


def test_malformed_packets(conversation):
    dice = random.Random(SEED)
    print('seed', SEED)
    prefix = bytes.fromhex(conversation.bad.graph()['own']['/chatter'])[:12]
    with Capture() as capture:
        for i in range(20):
            conversation.bad.send('/chatter', {'data': 'x' * 40 * i})
        wait_for(lambda: len(capture.packets_of(prefix)) >= 20, 'packets')
        packets = capture.packets_of(prefix)
        for _ in range(20):
            for _ in range(50):
                payload, destination = dice.choice(packets)
                capture.send(mutated(payload, dice), destination)
            conversation.check()
