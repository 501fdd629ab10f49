"""Tests that are programs of their own."""

import sys

from launch.actions import ExecuteProcess, OpaqueFunction, TimerAction
from launch.event_handlers import OnProcessExit
from launch.utilities import normalize_to_list_of_entities


class Test(ExecuteProcess):
    """A process that is told to end after `timeout` seconds: by SIGINT, `kill_timeout` seconds later by SIGTERM, and
    as long after that by SIGKILL."""

    def __init__(self, *, timeout=None, kill_timeout=5.0, **kwargs):
        seconds = str(kill_timeout) if isinstance(kill_timeout, (int, float)) else kill_timeout
        super().__init__(**{'sigterm_timeout': seconds, 'sigkill_timeout': seconds, **kwargs})
        self.timeout = timeout

    def execute(self, context):
        entities = super().execute(context)
        if self.timeout is None or context.is_shutdown:
            return entities
        timer = TimerAction(period=self.timeout, actions=[OpaqueFunction(function=lambda context: self._shut_down())])
        context.register_event_handler(
            OnProcessExit(target_action=self, on_exit=lambda event, context: timer.cancel(), handle_once=True))
        return [*normalize_to_list_of_entities(entities or []), timer]


class GTest(Test):
    """The program of a gtest."""

    def __init__(self, *, path, **kwargs):
        super().__init__(cmd=[path], **kwargs)
        self.path = path


class PyTest(Test):
    """A file, or a folder, of pytest."""

    def __init__(self, *, path, **kwargs):
        super().__init__(cmd=[sys.executable, '-m', 'pytest', path], **kwargs)
        self.path = path
