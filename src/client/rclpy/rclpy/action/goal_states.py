"""The states of a goal.

  ACCEPTED -- execute --> EXECUTING -- succeed, abort --> SUCCEEDED, ABORTED
     +---- cancel_goal -------+--> CANCELING -- succeed, abort, canceled --> SUCCEEDED, ABORTED, CANCELED
"""

from __future__ import annotations

from action_msgs.msg import GoalStatus

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

GoalEvent = _rclpy.GoalEvent

_NEXT = {
    GoalStatus.STATUS_ACCEPTED: {
        GoalEvent.EXECUTE: GoalStatus.STATUS_EXECUTING,
        GoalEvent.CANCEL_GOAL: GoalStatus.STATUS_CANCELING,
    },
    GoalStatus.STATUS_EXECUTING: {
        GoalEvent.CANCEL_GOAL: GoalStatus.STATUS_CANCELING,
        GoalEvent.SUCCEED: GoalStatus.STATUS_SUCCEEDED,
        GoalEvent.ABORT: GoalStatus.STATUS_ABORTED,
    },
    GoalStatus.STATUS_CANCELING: {
        GoalEvent.SUCCEED: GoalStatus.STATUS_SUCCEEDED,
        GoalEvent.ABORT: GoalStatus.STATUS_ABORTED,
        GoalEvent.CANCELED: GoalStatus.STATUS_CANCELED,
    },
}


def next_status(status: int, event: GoalEvent) -> int:
    """Return the status after the event. Raise RCLError if the event is not possible in that status."""
    try:
        return _NEXT[status][event]
    except KeyError:
        raise _rclpy.RCLError(
            'Failed to update goal state: goal_handle attempted invalid transition from status '
            f'{status} with event {event.name}') from None


def is_active(status: int) -> bool:
    """Return whether a goal of this status has not ended."""
    return status in _NEXT


def is_cancelable(status: int) -> bool:
    """Return whether a goal of this status can be asked to cancel."""
    return GoalEvent.CANCEL_GOAL in _NEXT.get(status, ())


def is_terminal(status: int) -> bool:
    """Return whether a goal of this status has ended."""
    return status in (GoalStatus.STATUS_SUCCEEDED, GoalStatus.STATUS_CANCELED, GoalStatus.STATUS_ABORTED)
