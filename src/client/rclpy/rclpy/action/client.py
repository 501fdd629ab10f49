"""Clients of actions."""

from __future__ import annotations

import os
import threading
import time
from types import GenericAlias
from typing import Any, Callable, TYPE_CHECKING
import weakref

from action_msgs.msg import GoalInfo, GoalStatus, GoalStatusArray
from action_msgs.srv import CancelGoal
from unique_identifier_msgs.msg import UUID

from .entities import ActionEntities
from .goal_states import is_terminal
from rclpy.qos import qos_profile_action_status_default, qos_profile_services_default, QoSProfile
from rclpy.task import Future
from rclpy.waitable import NumberOfEntities

if TYPE_CHECKING:
    from builtin_interfaces.msg import Time
    from rclpy.callback_groups import CallbackGroup
    from rclpy.client import Client
    from rclpy.clock import Clock
    from rclpy.node import Node
    from rclpy.service_introspection import ServiceIntrospectionState

POLL_INTERVAL_SEC = 0.02  # how often it is looked whether there is a server
_NO_GOAL = 'goal_id.uuid[0] < 0'  # a filter of feedback that lets none through


class ClientGoalHandle:
    """A goal that was sent, and that the server has answered."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, action_client: ActionClient, goal_id: UUID, goal_response: Any) -> None:
        """Make the handle of a goal. Only an ActionClient makes them."""
        self._action_client = action_client
        self._goal_id = goal_id
        self._goal_response = goal_response
        self._status = GoalStatus.STATUS_ACCEPTED if goal_response.accepted else GoalStatus.STATUS_UNKNOWN

    def __eq__(self, other: object) -> bool:
        """Return whether both are of the same goal."""
        return isinstance(other, ClientGoalHandle) and self.goal_id == other.goal_id

    def __ne__(self, other: object) -> bool:
        """Return whether they are of different goals."""
        return not self == other

    def __repr__(self) -> str:
        """Return what is known of the goal."""
        return f'ClientGoalHandle <id={self.goal_id.uuid}, accepted={self.accepted}, status={self.status}>'

    @property
    def goal_id(self) -> UUID:
        """Return the goal's identifier."""
        return self._goal_id

    @property
    def stamp(self) -> Time:
        """Return when it was accepted."""
        return self._goal_response.stamp

    @property
    def accepted(self) -> bool:
        """Return whether the server has accepted it."""
        return self._goal_response.accepted

    @property
    def status(self) -> int:
        """Return the last status that is known, one of GoalStatus."""
        return self._status

    def cancel_goal(self) -> CancelGoal.Response:
        """Ask the server to cancel the goal, and wait for the answer. Not in callbacks."""
        return self._action_client._cancel_goal(self)

    def cancel_goal_async(self) -> Future:
        """Ask the server to cancel the goal. Return a future of the answer, a CancelGoal.Response."""
        return self._action_client._cancel_goal_async(self)

    def get_result(self) -> Any:
        """Wait for the result. Return a GetResult response, which has status and result. Not in callbacks."""
        return self._action_client._get_result(self)

    def get_result_async(self) -> Future:
        """Ask the server for the result. Return a future of a GetResult response, which has status and result."""
        return self._action_client._get_result_async(self)


class ActionClient:
    """Sends goals to the servers of an action."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(
            self, node: Node, action_type: type, action_name: str, *, callback_group: CallbackGroup | None = None,
            goal_service_qos_profile: QoSProfile = qos_profile_services_default,
            result_service_qos_profile: QoSProfile = qos_profile_services_default,
            cancel_service_qos_profile: QoSProfile = qos_profile_services_default,
            feedback_sub_qos_profile: QoSProfile = QoSProfile(depth=10),
            status_sub_qos_profile: QoSProfile = qos_profile_action_status_default,
            enable_feedback_msg_optimization: bool = False) -> None:
        """Make a client, whose callbacks are in the group, by default the node's.

        :param enable_feedback_msg_optimization: whether feedback without a callback is not even read
        """
        self._node = node
        self._action_type = action_type
        self._action_name = action_name
        self._logger = node.get_logger().get_child('action_client')
        self._lock = threading.Lock()  # for the two below
        self._goal_handles: weakref.WeakValueDictionary[bytes, ClientGoalHandle] = weakref.WeakValueDictionary()
        self._feedback_callbacks: dict[bytes, Callable] = {}
        self._filters_feedback = enable_feedback_msg_optimization

        impl = action_type.Impl
        entities = self._entities = ActionEntities(node, action_type, action_name, callback_group)
        self._status_subscription = entities.subscription(
            impl.GoalStatusMessage, 'status', self._on_status, status_sub_qos_profile)
        self._feedback_subscription = entities.subscription(
            impl.FeedbackMessage, 'feedback', self._on_feedback, feedback_sub_qos_profile)
        self._result_client = entities.client(
            impl.GetResultService, 'get_result', result_service_qos_profile, lambda: self._on_unexpected('result'))
        self._cancel_client = entities.client(
            impl.CancelGoalService, 'cancel_goal', cancel_service_qos_profile, lambda: self._on_unexpected('cancel'))
        self._goal_client = entities.client(
            impl.SendGoalService, 'send_goal', goal_service_qos_profile, lambda: self._on_unexpected('goal'))
        self._clients = (self._goal_client, self._cancel_client, self._result_client)
        entities.keep(self)
        self._filter_feedback()

    def get_num_entities(self) -> NumberOfEntities:
        """Return of how many entities it consists."""
        return NumberOfEntities(num_subs=2, num_clients=3)

    def server_is_ready(self) -> bool:
        """Return whether there is a server."""
        return (all(client.service_is_ready() for client in self._clients)
                and self._feedback_subscription.get_publisher_count() > 0
                and self._status_subscription.get_publisher_count() > 0)

    def wait_for_server(self, timeout_sec: float | None = None) -> bool:
        """Return whether there is a server, at the latest after the timeout; None: as long as the context lives."""
        end = None if timeout_sec is None else time.monotonic() + timeout_sec
        while not self.server_is_ready():
            left = POLL_INTERVAL_SEC if end is None else end - time.monotonic()
            if left <= 0 or not self._node.context.ok():
                return False
            time.sleep(min(left, POLL_INTERVAL_SEC))
        return True

    def send_goal(self, goal: Any, **kwargs: Any) -> Any:
        """Send a goal and wait for its result. Return a GetResult response, which has status and result.

        Not in callbacks. Keywords: those of send_goal_async().
        """
        return self._get_result(_wait(self.send_goal_async(goal, **kwargs)))

    def send_goal_async(self, goal: Any, feedback_callback: Callable | None = None,
                        goal_uuid: UUID | None = None) -> Future:
        """Send a goal. Return a future of its ClientGoalHandle.

        :param goal: TypeError is raised if it is no Goal of the action
        :param feedback_callback: called with a FeedbackMessage, which has goal_id and feedback
        :param goal_uuid: the goal's identifier; by default random
        """
        if not isinstance(goal, self._action_type.Goal):
            raise TypeError(f'Expected {self._action_type.Goal}, got {type(goal)}')
        goal_id = self._generate_random_uuid() if goal_uuid is None else goal_uuid
        key = bytes(goal_id.uuid)
        request = self._action_type.Impl.SendGoalService.Request(goal_id=goal_id, goal=goal)
        if feedback_callback is not None:
            with self._lock:
                self._feedback_callbacks[key] = feedback_callback
                self._filter_feedback()
        return self._ask(self._goal_client, request, lambda response: self._answered(key, goal_id, response))

    def configure_introspection(
            self, clock: Clock, service_event_qos_profile: QoSProfile,
            introspection_state: ServiceIntrospectionState) -> None:
        """Set what is published about requests and responses."""
        for client in self._clients:
            client.configure_introspection(clock, service_event_qos_profile, introspection_state)

    def destroy(self) -> None:
        """Stop. Futures that are not done stay so."""
        with self._lock:
            self._goal_handles.clear()
            self._feedback_callbacks.clear()
            self._filters_feedback = False
        self._entities.destroy()

    # ---- requests --------------------------------------------------------------------------------------------------

    def _generate_random_uuid(self) -> UUID:
        octets = list(os.urandom(16))
        octets[6] = octets[6] & 0x0f | 0x40  # version 4
        octets[8] = octets[8] & 0x3f | 0x80  # of RFC 4122
        return UUID(uuid=octets)

    def _ask(self, client: Client, request: Any, convert: Callable[[Any], Any]) -> Future:
        """Return a future of what the function makes of the response; what the function raises is the future's."""
        future = Future()
        answer = client.call_async(request)

        def on_answer(_: Future) -> None:
            if answer.cancelled():
                return
            executor = self._node.executor
            if executor is not None and future._executor() is None:
                future._set_executor(executor)  # which calls its callbacks
            try:
                converted = convert(answer.result())
            except Exception as error:
                future.set_exception(error)
            else:
                future.set_result(converted)

        def on_done(_: Future) -> None:
            if future.cancelled():
                client.remove_pending_request(answer)

        answer.add_done_callback(on_answer)
        future.add_done_callback(on_done)
        return future

    def _answered(self, key: bytes, goal_id: UUID, response: Any) -> ClientGoalHandle:
        goal_handle = ClientGoalHandle(self, goal_id, response)
        with self._lock:
            is_known = key in self._goal_handles
            if goal_handle.accepted and not is_known:
                self._goal_handles[key] = goal_handle
            elif not is_known:
                self._forget_feedback(key)
        if goal_handle.accepted and is_known:
            raise RuntimeError(f'Two goals were accepted with the same ID ({goal_id})')
        return goal_handle

    def _cancel_goal(self, goal_handle: ClientGoalHandle) -> CancelGoal.Response:
        return _wait(self._cancel_goal_async(goal_handle))

    def _cancel_goal_async(self, goal_handle: ClientGoalHandle) -> Future:
        _check_goal_handle(goal_handle)
        request = CancelGoal.Request(goal_info=GoalInfo(goal_id=goal_handle.goal_id))
        return self._ask(self._cancel_client, request, lambda response: response)

    def _get_result(self, goal_handle: ClientGoalHandle) -> Any:
        return _wait(self._get_result_async(goal_handle))

    def _get_result_async(self, goal_handle: ClientGoalHandle) -> Future:
        _check_goal_handle(goal_handle)
        request = self._action_type.Impl.GetResultService.Request(goal_id=goal_handle.goal_id)
        return self._ask(self._result_client, request, lambda response: self._ended(goal_handle, response))

    def _ended(self, goal_handle: ClientGoalHandle, response: Any) -> Any:
        key = bytes(goal_handle.goal_id.uuid)
        with self._lock:
            self._forget_feedback(key)
            self._goal_handles.pop(key, None)
        if response.status != GoalStatus.STATUS_UNKNOWN:
            goal_handle._status = response.status
        return response

    def _on_unexpected(self, what: str) -> None:
        self._logger.warning(
            f'Ignoring unexpected {what} response. There may be more than one action server for the action '
            f"'{self._action_name}'")

    # ---- topics ----------------------------------------------------------------------------------------------------

    def _forget_feedback(self, key: bytes) -> None:
        """Call back no more for a goal. With the lock held."""
        if self._feedback_callbacks.pop(key, None) is not None:
            self._filter_feedback()

    def _filter_feedback(self) -> None:
        """Leave feedback without a callback unread, if that is wanted. With the lock held."""
        if self._filters_feedback:
            goals = [' AND '.join(f'goal_id.uuid[{place}] = {octet}' for place, octet in enumerate(key))
                     for key in self._feedback_callbacks]
            self._feedback_subscription.set_content_filter(' OR '.join(goals) or _NO_GOAL, [])

    def _on_feedback(self, message: Any) -> Any:
        callback = self._feedback_callbacks.get(bytes(message.goal_id.uuid))
        # Without one, the goal is another client's. A coroutine is the executor's.
        return callback(message) if callback is not None else None

    def _on_status(self, message: GoalStatusArray) -> None:
        for status in message.status_list:
            key = bytes(status.goal_info.goal_id.uuid)
            with self._lock:
                goal_handle = self._goal_handles.get(key)
                if goal_handle is None:
                    continue
                goal_handle._status = status.status
                if is_terminal(status.status):
                    del self._goal_handles[key]


def _check_goal_handle(goal_handle: ClientGoalHandle) -> None:
    if not isinstance(goal_handle, ClientGoalHandle):
        raise TypeError(f'Expected {ClientGoalHandle}, got {type(goal_handle)}')


def _wait(future: Future) -> Any:
    """Return the future's result. Somebody else has to spin the node meanwhile."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    done.wait()
    if future.exception() is not None:
        raise future.exception()
    return future.result()
