"""Servers of actions."""

from __future__ import annotations

from enum import Enum
import threading
from types import GenericAlias
from typing import Any, Callable, TYPE_CHECKING

from action_msgs.msg import GoalInfo, GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from unique_identifier_msgs.msg import UUID

from .entities import ActionEntities, call
from .goal_states import GoalEvent, is_cancelable
from .results import ResultStore
from .server_goal_handle import ServerGoalHandle
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.qos import qos_profile_action_status_default, qos_profile_services_default, QoSProfile
from rclpy.waitable import NumberOfEntities

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup
    from rclpy.clock import Clock
    from rclpy.node import Node
    from rclpy.service_introspection import ServiceIntrospectionState

RCLError = _rclpy.RCLError

__all__ = [
    'ActionServer', 'CancelResponse', 'GoalEvent', 'GoalResponse', 'RCLError', 'ServerGoalHandle',
    'default_cancel_callback', 'default_goal_callback', 'default_handle_accepted_callback',
]


class GoalResponse(Enum):
    """What becomes of a goal that a client sends."""

    REJECT = 1
    ACCEPT = 2


class CancelResponse(Enum):
    """What becomes of a client's wish to cancel a goal."""

    REJECT = 1
    ACCEPT = 2


def default_handle_accepted_callback(goal_handle: ServerGoalHandle) -> None:
    """Execute the goal."""
    goal_handle.execute()


def default_goal_callback(goal_request: Any) -> GoalResponse:
    """Accept every goal."""
    return GoalResponse.ACCEPT


def default_cancel_callback(cancel_request: ServerGoalHandle) -> CancelResponse:
    """Cancel no goal."""
    return CancelResponse.REJECT


class ActionServer:
    """Executes the goals that clients send."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(
            self, node: Node, action_type: type, action_name: str, execute_callback: Callable | None = None, *,
            callback_group: CallbackGroup | None = None,
            goal_callback: Callable | None = default_goal_callback,
            handle_accepted_callback: Callable | None = default_handle_accepted_callback,
            cancel_callback: Callable | None = default_cancel_callback,
            goal_service_qos_profile: QoSProfile = qos_profile_services_default,
            result_service_qos_profile: QoSProfile = qos_profile_services_default,
            cancel_service_qos_profile: QoSProfile = qos_profile_services_default,
            feedback_pub_qos_profile: QoSProfile = QoSProfile(depth=10),
            status_pub_qos_profile: QoSProfile = qos_profile_action_status_default,
            result_timeout: float = 900) -> None:
        """Serve an action. Callbacks may be coroutine functions.

        :param execute_callback: called with a ServerGoalHandle, in a task of the executor; returns the Result
        :param callback_group: of all callbacks but that one; by default the node's
        :param goal_callback: called with a Goal, returns a GoalResponse
        :param handle_accepted_callback: called with the ServerGoalHandle of a goal that was just accepted
        :param cancel_callback: called with a ServerGoalHandle, returns a CancelResponse
        :param result_timeout: for how many seconds a result is kept, by the node's clock; negative: without end
        """
        self._node = node
        self._action_type = action_type
        self._logger = node.get_logger().get_child('action_server')
        self._lock = threading.Lock()  # for _goal_handles
        self._status_lock = threading.Lock()  # statuses are published in the order of their changes
        self._goal_handles: dict[bytes, ServerGoalHandle] = {}
        self._execute_callback = None
        if execute_callback is not None:
            self.register_execute_callback(execute_callback)
        elif handle_accepted_callback in (None, default_handle_accepted_callback):
            self._logger.warning('Not handling nor executing the goal, this server will do nothing')
        self.register_handle_accepted_callback(handle_accepted_callback)
        self.register_goal_callback(goal_callback)
        self.register_cancel_callback(cancel_callback)

        impl = action_type.Impl
        entities = self._entities = ActionEntities(node, action_type, action_name, callback_group)
        self._results = ResultStore(entities, node.get_clock(), result_timeout, self._forget)
        self._feedback_publisher = entities.publisher(impl.FeedbackMessage, 'feedback', feedback_pub_qos_profile)
        self._status_publisher = entities.publisher(impl.GoalStatusMessage, 'status', status_pub_qos_profile)
        self._services = [
            entities.service(impl.GetResultService, 'get_result', self._on_result_request, result_service_qos_profile),
            entities.service(
                impl.CancelGoalService, 'cancel_goal', self._on_cancel_request, cancel_service_qos_profile),
            entities.service(impl.SendGoalService, 'send_goal', self._on_goal_request, goal_service_qos_profile),
        ]
        entities.keep(self)

    @property
    def action_type(self) -> type:
        """Return the type of the action."""
        return self._action_type

    def get_num_entities(self) -> NumberOfEntities:
        """Return of how many entities it consists."""
        return NumberOfEntities(num_timers=1, num_services=3)

    def register_handle_accepted_callback(self, handle_accepted_callback: Callable | None) -> None:
        """Set what is called with a goal that was accepted; None: the default, which executes it."""
        self._handle_accepted_callback = handle_accepted_callback or default_handle_accepted_callback

    def register_goal_callback(self, goal_callback: Callable | None) -> None:
        """Set what decides on new goals; None: the default, which accepts all."""
        self._goal_callback = goal_callback or default_goal_callback

    def register_cancel_callback(self, cancel_callback: Callable | None) -> None:
        """Set what decides on cancelling goals; None: the default, which cancels none."""
        self._cancel_callback = cancel_callback or default_cancel_callback

    def register_execute_callback(self, execute_callback: Callable) -> None:
        """Set what executes goals. Raise TypeError if it cannot be called."""
        if not callable(execute_callback):
            raise TypeError('Failed to register goal execution callback: not callable')
        self._execute_callback = execute_callback

    def configure_introspection(
            self, clock: Clock, service_event_qos_profile: QoSProfile,
            introspection_state: ServiceIntrospectionState) -> None:
        """Set what is published about requests and responses."""
        for service in self._services:
            service.configure_introspection(clock, service_event_qos_profile, introspection_state)

    def notify_execute(self, goal_handle: ServerGoalHandle, execute_callback: Callable | None = None) -> None:
        """Let the executor call a callback for the goal, by default the server's. Without one, do nothing."""
        callback = execute_callback if execute_callback is not None else self._execute_callback
        if callback is None:
            return
        executor = self._node.executor
        if executor is None:
            raise RuntimeError('Cannot execute a goal: the node of its action server has no executor')
        goal_handle._is_executed = True
        executor.create_task(self._execute_goal, callback, goal_handle)

    def destroy(self) -> None:
        """Stop serving. Goals keep no state."""
        with self._lock:
            handles = list(self._goal_handles.values())
            self._goal_handles.clear()
        for handle in handles:
            handle.destroy()
        self._results.clear()
        self._entities.destroy()

    # ---- goals -----------------------------------------------------------------------------------------------------

    async def _on_goal_request(self, request: Any, respond: Callable) -> None:
        key = bytes(request.goal_id.uuid)
        response = self._action_type.Impl.SendGoalService.Response()
        goal_handle = None
        if key in self._goal_handles:
            self._logger.debug(f'Goal with ID {request.goal_id.uuid} already exists: the new one is rejected')
        elif await self._is_welcome(request.goal):
            goal_handle = self._accept(key, request.goal)
        if goal_handle is None:
            self._respond(respond, response)
            return
        response.accepted = True
        response.stamp = goal_handle._goal_info.stamp
        # The client is told before anything happens to the goal.
        self._respond(respond, response)
        self._publish_status()
        await call(self._handle_accepted_callback, goal_handle)

    async def _is_welcome(self, goal: Any) -> bool:
        answer = await call(self._goal_callback, goal)
        if not isinstance(answer, GoalResponse):
            self._logger.warning('Goal request callback did not return a GoalResponse type. Rejecting goal.')
        return answer is GoalResponse.ACCEPT

    def _accept(self, key: bytes, goal: Any) -> ServerGoalHandle | None:
        """Return the handle of a new goal; None if there is one of that key."""
        info = GoalInfo(goal_id=UUID(uuid=list(key)), stamp=self._node.get_clock().now().to_msg())
        goal_handle = ServerGoalHandle(self, info, goal)
        with self._lock:
            if key in self._goal_handles:  # sent twice, and taken by two threads
                return None
            self._goal_handles[key] = goal_handle
            self._results.open(key)
        return goal_handle

    async def _execute_goal(self, execute_callback: Callable, goal_handle: ServerGoalHandle) -> None:
        result = None
        try:
            result = await call(execute_callback, goal_handle)
        except Exception as error:
            import traceback
            self._logger.error(f'Error raised in execute callback: {error}')
            traceback.print_exc()
        if result is None:
            result = self._action_type.Result()
        if goal_handle.is_active:
            self._logger.warning(
                f'Goal state not set, assuming aborted. Goal ID: {goal_handle.goal_id.uuid}')
            goal_handle.abort(result)
        else:
            goal_handle._set_result(result)

    def _set_result(self, goal_handle: ServerGoalHandle, result: Any) -> None:
        key = bytes(goal_handle.goal_id.uuid)
        if self._goal_handles.get(key) is goal_handle:
            response = self._action_type.Impl.GetResultService.Response(status=goal_handle.status, result=result)
            self._results.set(key, response)

    def _forget(self, keys: list[bytes]) -> None:
        for key in keys:
            with self._lock:
                goal_handle = self._goal_handles.pop(key, None)
            if goal_handle is not None:
                goal_handle.destroy()

    def _publish_feedback(self, goal_id: UUID, feedback: Any) -> None:
        self._feedback_publisher.publish(self._action_type.Impl.FeedbackMessage(goal_id=goal_id, feedback=feedback))

    def _publish_status(self) -> None:
        with self._status_lock:
            with self._lock:
                statuses = [goal_handle._goal_status for goal_handle in self._goal_handles.values()]
            self._status_publisher.publish(GoalStatusArray(status_list=statuses))

    # ---- results and cancelling ------------------------------------------------------------------------------------

    def _on_result_request(self, request: Any, respond: Callable) -> None:
        if not self._results.give(bytes(request.goal_id.uuid), lambda response: self._respond(respond, response)):
            self._logger.debug(f'Sending result response for unknown goal ID: {request.goal_id.uuid}')
            unknown = self._action_type.Impl.GetResultService.Response(status=GoalStatus.STATUS_UNKNOWN)
            self._respond(respond, unknown)

    async def _on_cancel_request(self, request: CancelGoal.Request, respond: Callable) -> None:
        response = CancelGoal.Response()
        goals, response.return_code = self._goals_to_cancel(request.goal_info)
        canceling = []
        for goal_handle in goals:
            if await call(self._cancel_callback, goal_handle) is CancelResponse.ACCEPT and self._cancel(goal_handle):
                canceling.append(goal_handle._goal_info)
        if goals and not canceling:
            response.return_code = CancelGoal.Response.ERROR_REJECTED
        response.goals_canceling = canceling
        self._respond(respond, response)

    def _goals_to_cancel(self, info: GoalInfo) -> tuple[list[ServerGoalHandle], int]:
        """Return the goals that are meant, and what is wrong with the request."""
        key = bytes(info.goal_id.uuid)
        stamp = (info.stamp.sec, info.stamp.nanosec)
        has_stamp = any(stamp)
        with self._lock:
            handles = dict(self._goal_handles)
        if any(key) and not has_stamp:  # this one
            if key not in handles:
                return [], CancelGoal.Response.ERROR_UNKNOWN_GOAL_ID
            if not is_cancelable(handles[key].status):
                return [], CancelGoal.Response.ERROR_GOAL_TERMINATED
            return [handles[key]], CancelGoal.Response.ERROR_NONE

        def is_meant(of_goal: bytes, accepted: Any) -> bool:
            return not has_stamp or of_goal == key or (accepted.sec, accepted.nanosec) <= stamp

        # All; or those that were accepted by then, and the one of that identifier.
        goals = [handle for of_goal, handle in handles.items()
                 if is_cancelable(handle.status) and is_meant(of_goal, handle._goal_info.stamp)]
        return goals, CancelGoal.Response.ERROR_NONE

    def _cancel(self, goal_handle: ServerGoalHandle) -> bool:
        try:
            goal_handle._update_state(GoalEvent.CANCEL_GOAL)
        except RCLError as error:  # it has ended meanwhile
            self._logger.debug(f'Failed to cancel goal in cancel callback: {error}')
            return False
        return goal_handle.is_cancel_requested

    def _respond(self, respond: Callable, response: Any) -> None:
        """Send a response, if that is possible still."""
        try:
            respond(response)
        except (RCLError, _rclpy.InvalidHandle) as error:
            self._logger.warning(f'Failed to send a response, the client waits in vain: {error}')
