"""Short runs of the delay study: the files, over each middleware, and what happens when an end is missing."""

import os

import pytest
from conftest import wait_until

# Neither pinned nor with priority: tests run beside others.
MODEST = ['cpu:=-1', 'priority:=0']
MODEST_LAUNCH = ['subscriber_cpu:=-1', 'publisher_cpu:=-1', 'priority:=0']


def run(bench, executable, folder, *parameters, rmw='rmw_tandem_cpp'):
    flags = [word for parameter in parameters for word in ('-p', parameter)]
    return bench.ros2_run('test_sub_and_pub', executable, '--ros-args', *flags, folder=folder,
                          environment={'RMW_IMPLEMENTATION': rmw, 'ROS_DOMAIN_ID': '21', 'ROS_LOCALHOST_ONLY': '1'})


def stamps(file):
    """The stamps of each line."""
    return [[int(stamp) for stamp in line.split()] for line in file.read_text().splitlines()]


def check_files(folder, number, runs=1):
    """publisher.txt has the last run, subscriber.txt all of them; nothing came before it was sent."""
    sent = stamps(folder / 'publisher.txt')
    received = stamps(folder / 'subscriber.txt')
    assert [len(line) for line in sent] == [number]
    assert [len(line) for line in received] == [number] * runs
    assert sent[0] == sorted(sent[0]) and received[-1] == sorted(received[-1])
    assert all(late > early for early, late in zip(sent[0], received[-1]))


def run_both(bench, folder, number, length, rmw='rmw_tandem_cpp'):
    sizes = [f'message_number:={number}', f'message_length:={length}', *MODEST]
    publisher = run(bench, 'publisher', folder, *sizes, rmw=rmw)
    subscriber = run(bench, 'subscriber', folder, *sizes, rmw=rmw)
    assert subscriber.wait() == 0
    wait_until(lambda: 'published' in publisher.text(), 'the publisher has written its file')
    assert publisher.is_running(), 'it stays until it is told to end'
    assert publisher.stop() == 0
    assert f'received all {number} messages of {length} characters over {rmw}' in subscriber.text()


@pytest.mark.parametrize('rmw', ['rmw_tandem_cpp', 'rmw_fastrtps_cpp', 'rmw_cyclonedds_cpp', 'rmw_zeromq_cpp'])
def test_each_message_has_its_times(bench, tmp_path, rmw):
    if not any(f.startswith(f'lib{rmw}.') for f in os.listdir(f'{os.environ["TANDEM_TEST_PREFIX"]}/lib')):
        pytest.skip(f'{rmw} is not built')
    run_both(bench, tmp_path, 500, 60000, rmw)
    check_files(tmp_path, 500)


def test_publisher_overwrites_and_subscriber_appends(bench, tmp_path):
    run_both(bench, tmp_path, 500, 50)
    run_both(bench, tmp_path, 300, 3)
    assert [len(line) for line in stamps(tmp_path / 'publisher.txt')] == [300]
    assert [len(line) for line in stamps(tmp_path / 'subscriber.txt')] == [500, 300]


def test_pins_itself_and_runs_with_priority_or_says_why_not(bench, tmp_path):
    both_ends = ['message_number:=100', 'message_length:=50', f'cpu:={max(os.sched_getaffinity(0))}']
    publisher = run(bench, 'publisher', tmp_path, *both_ends, 'priority:=1')
    subscriber = run(bench, 'subscriber', tmp_path, *both_ends, 'priority:=1')
    assert subscriber.wait() == 0
    assert publisher.stop() == 0
    check_files(tmp_path, 100)
    refused = 'no real-time priority' in publisher.text() or 'not pinned' in publisher.text()
    assert ('[WARN]' in publisher.text()) == refused


def test_publisher_that_dies_is_noticed(bench, tmp_path):
    publisher = run(bench, 'publisher', tmp_path, 'message_number:=500', *MODEST)
    subscriber = run(bench, 'subscriber', tmp_path, 'message_number:=501', *MODEST)
    wait_until(lambda: 'published' in publisher.text(), 'all is published')
    assert publisher.stop() == 0
    assert subscriber.wait() == 1
    assert 'the publisher is gone; 500 of 501 messages were received' in subscriber.text()
    assert not (tmp_path / 'subscriber.txt').exists()


@pytest.mark.parametrize('parameter', ['message_number:=0', 'message_length:=-1', 'cpu:=100000', 'priority:=100'])
def test_bad_parameter_is_named(bench, tmp_path, parameter):
    node = run(bench, 'publisher', tmp_path, parameter)
    assert node.wait() == 1
    assert f'parameter {parameter.split(":")[0]} is' in node.text()


@pytest.mark.parametrize('rmw', ['rmw_tandem_cpp', 'rmw_fastrtps_cpp', 'rmw_opensplice_cpp', 'rmw_connext_cpp'])
def test_launch_file(bench, tmp_path, rmw):
    """The study's commands, word for word but for their numbers. What is not built says so, and what runs instead."""
    command = ['ros2', 'launch', 'test_sub_and_pub', 'run_test1_3.launch.py', 'message_number:=500',
               'message_length:=50', *MODEST_LAUNCH]
    launch = bench.start('launch', command, folder=tmp_path, environment={
        'RMW_IMPLEMENTATION': rmw, 'ROS_DOMAIN_ID': '22', 'ROS_LOCALHOST_ONLY': '1',
        'ROS_LOG_DIR': str(tmp_path / 'log')})
    wait_until(lambda: 'received all' in launch.text() and 'published' in launch.text() or not launch.is_running(),
               'the subscriber has all')
    wait_until(lambda: 'process has finished cleanly' in launch.text() or not launch.is_running(),
               'the subscriber has ended')
    assert launch.is_running(), f'the publisher stays until Ctrl-C:\n{launch.text()}'
    assert launch.stop() == 0
    check_files(tmp_path, 500)
    assert '[subscriber-1]' in launch.text() and '[publisher-2]' in launch.text()
    if f'500 messages of 50 characters over {rmw}' not in launch.text():
        assert f'RMW_IMPLEMENTATION={rmw} is not built here' in launch.text()
        assert 'over rmw_tandem_cpp' in launch.text()
