"""`ros2 bag record --black-box`, and recorders and recorded processes that are killed."""

import os
import re
import signal
import time
from random import Random

import pytest
from bags import STRING, Bags, needs_mcap, others
from conftest import wait_for

pytestmark = needs_mcap


@pytest.fixture
def bags(domain, tmp_path):
    return Bags(domain, tmp_path)


def test_black_box_writes_when_a_process_dies(bags):
    box = bags.record('--black-box', '60s', '--topics', '/chatter')
    robot = bags.domain.peer('publish', '/chatter', STRING, 100, 0, 1)
    robot.wait_for_output('published')
    hung = bags.domain.peer('take', '/unrecorded', STRING, 99)
    silent = bags.domain.peer('publish', '/unrecorded', STRING, 20, 20, 1)
    silent.wait_for_output('matched')
    hung.send(signal.SIGSTOP)  # what it was to take stays in the ring
    silent.wait_for_output('published 20')
    assert bags.info()['messages'] == 0
    robot.send(signal.SIGKILL)
    wait_for(lambda: 'has died' in box.errors() and 'Written: 100 messages' in box.errors(), 'a word on it')
    silent.send(signal.SIGKILL)
    wait_for(lambda: box.errors().count('Written:') == 2, 'what was left')
    left = int(re.findall(r'and (\d+) that the process left', box.errors())[-1])
    assert 5 < left <= 20
    box.send(signal.SIGKILL)  # what it has written is complete
    box.wait()
    info = bags.info()
    assert info['incomplete_files'] == []
    assert {row['name']: row['messages'] for row in info['topics']} == {'/chatter': 100, '/unrecorded': left}
    assert len(others('read', bags.path())['mcap']['/chatter']) == 100


def test_black_box_gets_the_last_messages_of_a_process_that_dies(bags):
    """Published while the recorder slept, by a process that is dead when it looks again."""
    box = bags.record('--black-box', '60s', '--topics', '/chatter')
    robot = bags.domain.peer('publish', '/chatter', STRING, 200, 100, 1)
    robot.wait_for_output('matched')
    box.send(signal.SIGSTOP)
    robot.wait_for_output('published 200 failed 0')
    robot.send(signal.SIGKILL)
    robot.wait()
    box.send(signal.SIGCONT)
    wait_for(lambda: 'Written: 200 messages' in box.errors(), 'all messages')
    assert box.interrupt() == 0
    assert bags.count() == 200


def test_black_box_forgets_what_is_old(bags):
    box = bags.record('--black-box', '1s', '--topics', '/chatter')
    robot = bags.domain.peer('publish', '/chatter', STRING, 300, 100, 1)
    robot.wait_for_output('published')
    assert 'success=True' in bags.call('/rosbag2_recorder/snapshot', 'Snapshot')
    assert box.interrupt() == 0
    assert 10 < bags.count() < 130


def test_black_box_is_triggered_by_a_topic(bags):
    box = bags.record('--black-box', '1m', '--topics', '/chatter', '--trigger-topics', '/alarm')
    bags.domain.peer('publish', '/chatter', STRING, 50, 0, 1).wait_for_output('published')
    bags.domain.out('topic', 'pub', '--once', '/alarm', STRING, '{data: stop}')
    wait_for(lambda: bags.count() == 50, 'a dump')
    assert box.interrupt() == 0
    assert bags.count(topic='/alarm') == 1


def test_black_box_watches_named_nodes_and_lets_others_leave(bags):
    box = bags.record('--black-box', '30s', '--watch', '/peer', '--topics', '/chatter')
    leaver = bags.domain.peer('publish', '/chatter', STRING, 5, 0, 1)
    leaver.wait_for_output('published')
    leaver.process.stdin.close()
    assert leaver.wait() == 0
    other = bags.domain.start('topic', 'pub', '-n', 'other', '-r', '10', '/x', STRING)
    bags.domain.wait_for_topic('/x')
    time.sleep(0.3)  # so that the recorder has noticed it
    other.send(signal.SIGKILL)
    watched = bags.domain.peer('publish', '/chatter', STRING, 5, 0, 1)
    watched.wait_for_output('published')
    watched.send(signal.SIGKILL)
    wait_for(lambda: 'has died' in box.errors(), 'the death')
    assert box.interrupt() == 0
    assert box.errors().count('has died') == 1
    assert 'nodes /peer' in box.errors()


def test_black_box_survives_recorded_processes_killed_at_any_moment(bags):
    """Each bag is readable and holds whole messages, numbered without a gap."""
    seed = int(os.environ.get('BAG_TEST_SEED', time.time()))
    print(f'BAG_TEST_SEED={seed} repeats it')
    random = Random(seed)
    box = bags.record('--black-box', '60s', '--topics', '/chatter')
    for round_number in range(1, 9):
        robot = bags.domain.peer('publish', '/chatter', STRING, 100000, 2000, 1)
        wait_for(lambda: 'Subscription count: 1' in bags.domain.ros2('topic', 'info', '/chatter').stdout, 'a reader')
        time.sleep(0.05 + random.random() * 0.1)
        robot.send(signal.SIGKILL)
        wait_for(lambda: box.errors().count('Written:') == round_number, 'a dump')
    assert box.interrupt() == 0
    info = bags.info()
    assert info['incomplete_files'] == []
    assert len(info['files']) <= 8
    seen = others('read', bags.path())
    assert len(seen['mcap']['/chatter']) == info['messages'] > 0
    assert all(data == '' for _, data in seen['mcap']['/chatter'])


@pytest.mark.parametrize('options', [['--black-box', '10s'], ['--storage-preset-profile', 'zstd_fast'], []],
                         ids=['black box', 'zstd', 'plain'])
def test_recorders_killed_at_any_moment(bags, options):
    seed = int(os.environ.get('BAG_TEST_SEED', time.time()))
    print(f'BAG_TEST_SEED={seed} repeats it')
    random = Random(seed)
    for number in range(6):
        robot = bags.domain.peer('publish', '/chatter', STRING, 100000, 3000, 1)
        recorder = bags.record('--topics', '/chatter', *options, name=f'bag{number}')
        time.sleep(random.random() * 0.3)
        recorder.send(signal.SIGKILL)
        recorder.wait()
        robot.end()
        info = bags.info(f'bag{number}')
        assert 'messages' in info
        bags.domain.out('bag', 'reindex', bags.path(f'bag{number}'))
