"""Tests of systems of processes that a launch description describes; the API of ROS 2's `launch_testing`."""

from . import actions, asserts, event_handlers, markers, tools, util
from .decorator import post_shutdown_test
from .io_handler import ActiveIoHandler, IoHandler
from .parametrize import parametrize
from .proc_info_handler import ActiveProcInfoHandler, ProcInfoHandler
from .ready_aggregator import ReadyAggregator
from .ready_to_test_action_timeout import ready_to_test_action_timeout

__all__ = ['actions', 'asserts', 'event_handlers', 'markers', 'tools', 'util', 'parametrize', 'post_shutdown_test',
           'ready_to_test_action_timeout', 'ActiveIoHandler', 'ActiveProcInfoHandler', 'IoHandler', 'ProcInfoHandler',
           'ReadyAggregator']
