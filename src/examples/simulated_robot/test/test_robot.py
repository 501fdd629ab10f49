"""The robot in a map of one wall: it tells where it is, sees the wall, drives, and stops in front of it."""

import re

from conftest import wait_until

# Five cells of 1 m in a row, from x = -1 on; the last one is a wall.
MAP = ('{info: {resolution: 1.0, width: 5, height: 1, origin: {position: {x: -1.0, y: -0.5}}}, '
       'data: [0, 0, 0, 0, 100]}')


PUB = ('ros2', 'topic', 'pub')


def numbers(text, pattern):
    return [float(n) for n in re.findall(rf'{pattern}(-?\d[\d.]*)', text)]


def echo(bench, topic, *arguments):
    """One message of the topic, as text."""
    listener = bench.start('echo', ['ros2', 'topic', 'echo', '--once', topic, *arguments])
    assert listener.wait() == 0, listener.text()
    return listener.text()


def test_drives_up_to_a_wall(bench):
    robot = bench.ros2_run('simulated_robot', 'robot')
    mapper = bench.start('map', [*PUB, '/map', 'nav_msgs/msg/OccupancyGrid', MAP,
                                 '--qos-durability', 'transient_local'])
    wait_until(lambda: 'drives in a map of 5 x 1 cells' in robot.text(), 'the robot has the map')
    ahead = numbers(echo(bench, '/scan', '--full-length'), r'\n- ')
    assert any(2.9 < distance < 3.1 for distance in ahead), ahead

    driver = bench.start('drive', [*PUB, '-r', '20', '/cmd_vel', 'geometry_msgs/msg/Twist', '{linear: {x: 2.0}}'])
    wait_until(lambda: 'stands at a wall' in robot.text(), 'the robot has reached the wall')
    at = numbers(echo(bench, '/odom'), 'x: ')
    assert 2.6 < at[0] < 2.81, at  # a radius of 0.2 m before the wall
    transform = echo(bench, '/tf')
    assert 'frame_id: odom' in transform and 'child_frame_id: base_link' in transform
    assert [process.stop() for process in (driver, mapper, robot)] == [0, 0, 0]
    assert bench.files_left() == []
