"""Suites of rclpy: the same programs in Python on Tandem and on a stock ROS 2 from wheels, in one run.

They are played when they are named (--only python), since a burst takes a second. The stock one is left out where
build/jazzy is missing: scripts/install-python.sh jazzy makes it.
"""

import os
import pathlib

from tandem_lab import paths

WORKER = pathlib.Path(__file__).resolve().parent / 'python_worker.py'

# contest: what is told of it, and the limit of the ratio to stock ROS 2; None: for information
CONTESTS = {
    'image': ('one way, an image of 6.2 MB, a new message', 0.02),
    'image_cpu': ('processor time of an image of 6.2 MB, both sides', 0.05),
    'string': ('one way, a string of 64 bytes', 0.2),
    'string_cpu': ('processor time of a string of 64 bytes, both sides', None),
    'flood': ('a string of 64 bytes of many, none lost', 0.2),
    'start': ('import rclpy, a node, its first message', 0.5),
}
PLAYED = ('image', 'string', 'flood', 'start')  # the others are measured with these

# What a shell may have sourced, which a stock ROS 2 is not to see.
OF_TANDEM = ('AMENT_PREFIX_PATH', 'CMAKE_PREFIX_PATH', 'COLCON_PREFIX_PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH',
             'RMW_IMPLEMENTATION', 'ROS_DISTRO')


def stock():
    """The interpreter of a stock ROS 2, or None."""
    found = [prefix.parent / 'build' / 'jazzy' / 'bin' / 'python' for prefix in paths.prefixes()]
    return next((str(python) for python in found if python.exists()), None)


def modules():
    """The folder of Tandem's Python modules."""
    return paths.shared('lib/python3/dist-packages')


def suite(name, title, python, environment, targets):
    """A suite as the benchmark's worker lists them, with the command that plays it."""
    return {'name': name, 'processes': 2, 'optional': True, 'disk': False, 'named': True,
            'command': [python, str(WORKER)], 'environment': environment,
            'contests': ['%s.%s' % (name, contest) for contest in PLAYED],
            'figures': [{'series': '%s.%s' % (name, contest), 'what': '%s: %s' % (title, what)}
                        for contest, (what, _) in CONTESTS.items()],
            'targets': targets, 'excesses': [], 'slopes': []}


def listed():
    """The suites that can be played here."""
    ours = {**os.environ, **paths.environment()}
    ours['PYTHONPATH'] = ':'.join([modules(), *filter(None, [os.environ.get('PYTHONPATH')])])
    targets = [{'what': 'rclpy / stock rclpy: ' + what, 'series': 'python.tandem.' + contest,
                'reference': 'python.stock.' + contest, 'limit': limit}
               for contest, (what, limit) in CONTESTS.items()]
    suites = [suite('python.tandem', 'rclpy', '/usr/bin/python3', ours, targets)]
    if stock():
        clean = {key: value for key, value in os.environ.items() if key not in OF_TANDEM}
        clean['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST'
        suites.append(suite('python.stock', 'stock rclpy', stock(), clean, []))
    return suites
