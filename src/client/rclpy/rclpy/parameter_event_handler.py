"""Callbacks for changes of parameters, of this node and of others."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import RLock
from typing import TYPE_CHECKING

from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import ParameterEvent
from rclpy.qos import qos_profile_parameter_events
from rclpy.qos import QoSProfile

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup
    from rclpy.event_handler import SubscriptionEventCallbacks
    from rclpy.node import Node
    from rclpy.qos_overriding_options import QoSOverridingOptions


class ParameterCallbackHandle:
    """A callback for one parameter of a node."""

    def __init__(self, parameter_name: str, node_name: str, callback: Callable[[ParameterMsg], None]) -> None:
        """Remember the callback and what it is for."""
        self.parameter_name = parameter_name
        self.node_name = node_name
        self.callback = callback


class ParameterEventCallbackHandle:
    """A callback for all events of parameters."""

    def __init__(self, callback: Callable[[ParameterEvent], None]) -> None:
        """Remember the callback."""
        self.callback = callback


class ParameterEventHandler:
    """Call callbacks when parameters of any node are set."""

    class Callbacks:
        """The callbacks; those that were added last are called first."""

        def __init__(self) -> None:
            """Begin without any."""
            self.parameter_callbacks: dict[tuple[str, str], list[ParameterCallbackHandle]] = {}
            self.event_callbacks: list[ParameterEventCallbackHandle] = []
            self.mutex = RLock()

        def event_callback(self, event: ParameterEvent) -> None:
            """Call the callbacks for an event: first those of its parameters."""
            calls = []
            with self.mutex:
                for parameter in ParameterEventHandler.get_parameters_from_event(event):
                    handles = self.parameter_callbacks.get((parameter.name, event.node), ())
                    calls += [(handle.callback, parameter) for handle in handles]
                calls += [(handle.callback, event) for handle in self.event_callbacks]
            for callback, argument in calls:
                callback(argument)

        def add_parameter_callback(
            self, parameter_name: str, node_name: str, callback: Callable[[ParameterMsg], None]
        ) -> ParameterCallbackHandle:
            """Add a callback for one parameter of a node."""
            handle = ParameterCallbackHandle(parameter_name, node_name, callback)
            with self.mutex:
                self.parameter_callbacks.setdefault((parameter_name, node_name), []).insert(0, handle)
            return handle

        def remove_parameter_callback(self, handle: ParameterCallbackHandle) -> None:
            """Remove such a callback.

            :raises RuntimeError: there is no such callback
            """
            key = (handle.parameter_name, handle.node_name)
            with self.mutex:
                handles = self.parameter_callbacks.get(key, [])
                if handle not in handles:
                    raise RuntimeError("Callback doesn't exist")
                handles.remove(handle)
                if not handles:
                    del self.parameter_callbacks[key]

        def add_parameter_event_callback(
            self, callback: Callable[[ParameterEvent], None]
        ) -> ParameterEventCallbackHandle:
            """Add a callback for all events."""
            handle = ParameterEventCallbackHandle(callback)
            with self.mutex:
                self.event_callbacks.insert(0, handle)
            return handle

        def remove_parameter_event_callback(self, handle: ParameterEventCallbackHandle) -> None:
            """Remove such a callback.

            :raises RuntimeError: there is no such callback
            """
            with self.mutex:
                if handle not in self.event_callbacks:
                    raise RuntimeError("Callback doesn't exist")
                self.event_callbacks.remove(handle)

    def __init__(
        self,
        node: Node,
        qos_profile: QoSProfile = qos_profile_parameter_events,
        callback_group: CallbackGroup | None = None,
        event_callbacks: SubscriptionEventCallbacks | None = None,
        qos_overriding_options: QoSOverridingOptions | None = None,
        raw: bool = False
    ) -> None:
        """Subscribe to the events of all nodes."""
        self.node = node
        self.qos_profile = qos_profile
        self._callbacks = ParameterEventHandler.Callbacks()
        self.parameter_event_subscription = node.create_subscription(
            ParameterEvent,
            '/parameter_events',
            self._callbacks.event_callback,
            qos_profile,
            callback_group=callback_group,
            event_callbacks=event_callbacks,
            qos_overriding_options=qos_overriding_options,
            raw=raw)

    def destroy(self) -> None:
        """End the subscription."""
        self.node.destroy_subscription(self.parameter_event_subscription)

    @staticmethod
    def get_parameter_from_event(
        event: ParameterEvent, parameter_name: str, node_name: str
    ) -> ParameterMsg | None:
        """Return a parameter that was set, as the event has it; None if it is not there."""
        if event.node == node_name:
            for parameter in ParameterEventHandler.get_parameters_from_event(event):
                if parameter.name == parameter_name:
                    return parameter
        return None

    @staticmethod
    def get_parameters_from_event(event: ParameterEvent) -> Iterable[ParameterMsg]:
        """Return all parameters that were set, new ones first."""
        return [*event.new_parameters, *event.changed_parameters]

    def add_parameter_callback(
        self, parameter_name: str, node_name: str, callback: Callable[[ParameterMsg], None]
    ) -> ParameterCallbackHandle:
        """Add a callback for one parameter; an empty name of a node is that of this one."""
        return self._callbacks.add_parameter_callback(parameter_name, self._resolve_path(node_name), callback)

    def remove_parameter_callback(self, handle: ParameterCallbackHandle) -> None:
        """Remove a callback for one parameter.

        :raises RuntimeError: there is no such callback
        """
        self._callbacks.remove_parameter_callback(handle)

    def add_parameter_event_callback(
        self, callback: Callable[[ParameterEvent], None]
    ) -> ParameterEventCallbackHandle:
        """Add a callback for all events."""
        return self._callbacks.add_parameter_event_callback(callback)

    def remove_parameter_event_callback(self, handle: ParameterEventCallbackHandle) -> None:
        """Remove a callback for all events.

        :raises RuntimeError: there is no such callback
        """
        self._callbacks.remove_parameter_event_callback(handle)

    def _resolve_path(self, node_path: str | None = None) -> str:
        """Return the full name of a node; one that is not absolute is in this node's namespace."""
        if not node_path:
            return self.node.get_fully_qualified_name()
        if node_path.startswith('/'):
            return node_path
        return f"{self.node.get_namespace().rstrip('/')}/{node_path}"
