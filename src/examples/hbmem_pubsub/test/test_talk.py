"""Talker and listener as two processes, as the README says."""

from conftest import wait_until
from talk import HEARD, SAID


def test_listener_hears_the_talker(bench):
    talker = bench.ros2_run('hbmem_pubsub', 'talker')
    listener = bench.ros2_run('hbmem_pubsub', 'listener')
    wait_until(lambda: len(listener.numbers(HEARD)) >= 20, 'the listener hears 20 messages')
    assert (talker.stop(), listener.stop()) == (0, 0)

    heard = listener.numbers(HEARD)
    assert heard == sorted(set(heard)), 'messages arrive in order and once'
    assert set(heard) <= set(talker.numbers(SAID))
    assert bench.files_left() == []


def test_names_are_remapped(bench):
    talker = bench.ros2_run('hbmem_pubsub', 'talker', '--ros-args', '-r', 'topic:=camera', '-r', '__node:=front')
    deaf = bench.ros2_run('hbmem_pubsub', 'listener')
    listener = bench.ros2_run('hbmem_pubsub', 'listener', '--ros-args', '-r', 'topic:=camera')
    wait_until(lambda: len(listener.numbers(HEARD)) >= 5, 'the listener of the remapped topic hears 5 messages')
    assert '[front]' in talker.text()
    assert deaf.numbers(HEARD) == []
    assert [p.stop() for p in (talker, deaf, listener)] == [0, 0, 0]


def test_domains_do_not_hear_each_other(bench):
    bench.ros2_run('hbmem_pubsub', 'talker')
    deaf = bench.ros2_run('hbmem_pubsub', 'listener', environment={'ROS_DOMAIN_ID': '7'})
    listener = bench.ros2_run('hbmem_pubsub', 'listener')
    wait_until(lambda: len(listener.numbers(HEARD)) >= 5, 'the listener of the same domain hears 5 messages')
    assert deaf.is_running()
    assert deaf.numbers(HEARD) == []
