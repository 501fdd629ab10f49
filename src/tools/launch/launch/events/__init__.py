"""Events, and matchers for them."""

from ..event import Event
from ..utilities import alias_modules


class ExecutionComplete(Event):
    name = 'launch.events.ExecutionComplete'

    def __init__(self, *, action):
        self.action = action


class IncludeLaunchDescription(Event):
    name = 'launch.events.IncludeLaunchDescription'

    def __init__(self, launch_description):
        self.launch_description = launch_description


class Shutdown(Event):
    """The launched system ends: processes are told to, and nothing new is started."""

    name = 'launch.events.Shutdown'

    def __init__(self, *, reason='reason not given', due_to_sigint=False):
        self.reason = reason
        self.due_to_sigint = due_to_sigint


class TimerEvent(Event):
    name = 'launch.events.TimerEvent'

    def __init__(self, *, timer_action):
        self.timer_action = timer_action


def matches_action(target_action):
    """A matcher of this very action."""
    return lambda action: action is target_action


from . import process  # noqa: E402

__all__ = ['ExecutionComplete', 'IncludeLaunchDescription', 'Shutdown', 'TimerEvent', 'matches_action', 'process']
alias_modules(__name__, [name for name in __all__ if name != 'process'])
