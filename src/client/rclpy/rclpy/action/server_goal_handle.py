"""Goals as their server has them."""

from __future__ import annotations

import threading
from types import GenericAlias
from typing import Any, Callable

from action_msgs.msg import GoalInfo, GoalStatus
from unique_identifier_msgs.msg import UUID

from .goal_states import GoalEvent, is_active, next_status


class ServerGoalHandle:
    """A goal that the server has accepted."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, action_server: Any, goal_info: GoalInfo, goal_request: Any) -> None:
        """Make the handle of a goal that was just accepted. Only an ActionServer makes them."""
        self._action_server = action_server
        self._goal_info = goal_info
        self._goal_request = goal_request
        self._lock = threading.Lock()
        self._goal_status = GoalStatus(goal_info=goal_info, status=GoalStatus.STATUS_ACCEPTED)
        self._is_executed = False  # whether a callback gives the result

    def __eq__(self, other: object) -> bool:
        """Return whether both are of the same goal."""
        return isinstance(other, ServerGoalHandle) and self.goal_id == other.goal_id

    def __ne__(self, other: object) -> bool:
        """Return whether they are of different goals."""
        return not self == other

    @property
    def request(self) -> Any:
        """Return the goal."""
        return self._goal_request

    @property
    def goal_id(self) -> UUID:
        """Return the goal's identifier."""
        return self._goal_info.goal_id

    @property
    def is_active(self) -> bool:
        """Return whether the goal has not ended."""
        return is_active(self.status)

    @property
    def is_cancel_requested(self) -> bool:
        """Return whether the goal is to be cancelled, and has not ended."""
        return self.status == GoalStatus.STATUS_CANCELING

    @property
    def status(self) -> int:
        """Return the status, one of GoalStatus; STATUS_UNKNOWN once the server has forgotten the goal."""
        return self._goal_status.status

    def execute(self, execute_callback: Callable | None = None) -> None:
        """Let the executor call the callback, by default the server's."""
        # A goal that is to be cancelled already stays so; the callback is to cancel it.
        if self.status != GoalStatus.STATUS_EXECUTING:
            self.executing()
        self._action_server.notify_execute(self, execute_callback)

    def executing(self) -> None:
        """Set the status to executing, unless the goal is to be cancelled."""
        if not self.is_cancel_requested:
            self._update_state(GoalEvent.EXECUTE)

    def publish_feedback(self, feedback: Any) -> None:
        """Tell clients how it goes, unless the goal has ended. Raise TypeError if it is no Feedback of the action."""
        feedback_type = self._action_server.action_type.Feedback
        if not isinstance(feedback, feedback_type):
            raise TypeError(f'Expected {feedback_type}, got {type(feedback)}')
        if self.is_active:
            self._action_server._publish_feedback(self.goal_id, feedback)

    def succeed(self, response: Any = None) -> None:
        """End the goal as succeeded, with a result if a callback does not return it."""
        self._end(GoalEvent.SUCCEED, response)

    def abort(self, response: Any = None) -> None:
        """End the goal as aborted, with a result if a callback does not return it."""
        self._end(GoalEvent.ABORT, response)

    def canceled(self, response: Any = None) -> None:
        """End the goal as cancelled, with a result if a callback does not return it."""
        self._end(GoalEvent.CANCELED, response)

    def destroy(self) -> None:
        """Let go of the goal: from now on nothing changes it."""
        with self._lock:
            self._goal_status.status = GoalStatus.STATUS_UNKNOWN

    def _update_state(self, event: GoalEvent) -> None:
        with self._lock:
            if self.status == GoalStatus.STATUS_UNKNOWN:
                return
            self._goal_status.status = next_status(self.status, event)
        self._action_server._publish_status()

    def _end(self, event: GoalEvent, response: Any) -> None:
        self._update_state(event)
        if response is None and not self._is_executed:
            response = self._action_server.action_type.Result()
        if response is not None:
            self._set_result(response)

    def _set_result(self, response: Any) -> None:
        self._action_server._set_result(self, response)
