"""Tests of nodes; of ROS 2's `launch_testing_ros`, what needs no rclpy."""

from . import tools
from .test_runner import LaunchTestRunner
from .wait_for_topics import WaitForTopics

__all__ = ['LaunchTestRunner', 'tools', 'WaitForTopics']


def __getattr__(name):
    if name in ('DataRepublisher', 'MessagePump'):
        raise AttributeError(f'launch_testing_ros.{name} needs rclpy, which is not part of Tandem; write a node in C++')
    raise AttributeError(f"module 'launch_testing_ros' has no attribute '{name}'")
