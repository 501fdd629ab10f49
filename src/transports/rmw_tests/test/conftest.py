"""One world for each file: two stock nodes over Tandem, 'a' and 'b', and a native one."""

import pytest
from peers import World


def pytest_report_header():
    from peers import STOCK
    wheels = [line.split(' ')[0] for line in (STOCK / 'packages.txt').read_text().splitlines()]
    shown = [wheel for wheel in wheels if wheel.split('==')[0].endswith(('-rclpy', '-rcl', '-rmw'))]
    return f'stock ROS 2 {STOCK.name}: ' + ', '.join(shown)


@pytest.fixture(scope='module')
def world():
    with World() as world:
        yield world


@pytest.fixture(scope='module')
def a(world):
    return world.stock('a')


@pytest.fixture(scope='module')
def b(world):
    return world.stock('b')


@pytest.fixture(scope='module')
def native(world):
    return world.native()
