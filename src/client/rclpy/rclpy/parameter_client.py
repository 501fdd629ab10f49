"""A client of another node's parameters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
import time
from typing import TYPE_CHECKING

from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import ParameterEvent
from rcl_interfaces.srv import DescribeParameters
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import GetParameterTypes
from rcl_interfaces.srv import ListParameters
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.parameter import Parameter
from rclpy.parameter import parameter_dict_from_yaml_file
from rclpy.qos import qos_profile_parameter_events
from rclpy.qos import qos_profile_services_default
from rclpy.qos import QoSProfile

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup
    from rclpy.client import Client
    from rclpy.event_handler import SubscriptionEventCallbacks
    from rclpy.node import Node
    from rclpy.qos_overriding_options import QoSOverridingOptions
    from rclpy.subscription import Subscription
    from rclpy.task import Future


class AsyncParameterClient:
    """Read and change the parameters of another node; each call returns a future of the service's response."""

    def __init__(
        self,
        node: Node,
        remote_node_name: str,
        qos_profile: QoSProfile = qos_profile_services_default,
        callback_group: CallbackGroup | None = None
    ) -> None:
        """Create the clients of the six services."""
        self.remote_node_name = remote_node_name
        self.node = node

        def client_of(service_type, name: str) -> Client:
            return node.create_client(
                service_type, f'{remote_node_name}/{name}', qos_profile=qos_profile, callback_group=callback_group)

        self._get_parameter_client = client_of(GetParameters, 'get_parameters')
        self._list_parameter_client = client_of(ListParameters, 'list_parameters')
        self._set_parameter_client = client_of(SetParameters, 'set_parameters')
        self._get_parameter_types_client = client_of(GetParameterTypes, 'get_parameter_types')
        self._describe_parameters_client = client_of(DescribeParameters, 'describe_parameters')
        self._set_parameters_atomically_client = client_of(SetParametersAtomically, 'set_parameters_atomically')

    def _clients(self) -> tuple[Client, ...]:
        return (
            self._list_parameter_client,
            self._set_parameter_client,
            self._get_parameter_client,
            self._get_parameter_types_client,
            self._describe_parameters_client,
            self._set_parameters_atomically_client,
        )

    def services_are_ready(self) -> bool:
        """Return whether all services are there."""
        return all(client.service_is_ready() for client in self._clients())

    def wait_for_services(self, timeout_sec: float | None = None) -> bool:
        """Wait until all services are there, and return whether they are."""
        end = None if timeout_sec is None else time.monotonic() + timeout_sec
        for client in self._clients():
            left = None if end is None else max(0.0, end - time.monotonic())
            if not client.wait_for_service(left):
                return False
        return True

    def list_parameters(
        self,
        prefixes: list[str] | None = None,
        depth: int | None = None,
        callback: Callable | None = None
    ) -> Future:
        """List the parameters below prefixes, down to a depth; all of them by default."""
        request = ListParameters.Request(prefixes=prefixes or [], depth=depth or ListParameters.Request.DEPTH_RECURSIVE)
        return _call(self._list_parameter_client, request, callback)

    def get_parameters(self, names: list[str], callback: Callable | None = None) -> Future:
        """Get the values of parameters."""
        return _call(self._get_parameter_client, GetParameters.Request(names=names), callback)

    def set_parameters(
        self,
        parameters: Sequence[Parameter | ParameterMsg],
        callback: Callable | None = None
    ) -> Future:
        """Set parameters, one by one."""
        request = SetParameters.Request(parameters=_messages_of(parameters))
        return _call(self._set_parameter_client, request, callback)

    def describe_parameters(self, names: list[str], callback: Callable | None = None) -> Future:
        """Get the descriptors of parameters."""
        return _call(self._describe_parameters_client, DescribeParameters.Request(names=names), callback)

    def get_parameter_types(self, names: list[str], callback: Callable | None = None) -> Future:
        """Get the types of parameters."""
        return _call(self._get_parameter_types_client, GetParameterTypes.Request(names=names), callback)

    def set_parameters_atomically(
        self,
        parameters: Sequence[Parameter | ParameterMsg],
        callback: Callable | None = None
    ) -> Future:
        """Set all of the parameters or none."""
        request = SetParametersAtomically.Request(parameters=_messages_of(parameters))
        return _call(self._set_parameters_atomically_client, request, callback)

    def delete_parameters(self, names: list[str], callback: Callable | None = None) -> Future:
        """Undeclare parameters, by setting them to nothing."""
        return self.set_parameters([Parameter(name) for name in names], callback)

    def load_parameter_file(
        self,
        parameter_file: str,
        use_wildcard: bool = False,
        callback: Callable | None = None
    ) -> Future:
        """Set the parameters of a file, one by one."""
        return self.set_parameters(_parameters_of_file(parameter_file, use_wildcard), callback)

    def load_parameter_file_atomically(
        self,
        parameter_file: str,
        use_wildcard: bool = False,
        callback: Callable | None = None
    ) -> Future:
        """Set all of the parameters of a file or none."""
        return self.set_parameters_atomically(_parameters_of_file(parameter_file, use_wildcard), callback)

    def on_parameter_event(
        self,
        callback: Callable,
        qos_profile: QoSProfile = qos_profile_parameter_events,
        *,
        callback_group: CallbackGroup | None = None,
        event_callbacks: SubscriptionEventCallbacks | None = None,
        qos_overriding_options: QoSOverridingOptions | None = None,
        raw: bool = False
    ) -> Subscription:
        """Subscribe to the changes of all nodes' parameters."""
        return self.node.create_subscription(
            ParameterEvent,
            '/parameter_events',
            callback,
            qos_profile,
            callback_group=callback_group,
            event_callbacks=event_callbacks,
            qos_overriding_options=qos_overriding_options,
            raw=raw)


def _call(client: Client, request, callback: Callable | None) -> Future:
    future = client.call_async(request)
    if callback is not None:
        future.add_done_callback(callback)
    return future


def _messages_of(parameters: Sequence[Parameter | ParameterMsg]) -> list[ParameterMsg]:
    return [parameter.to_parameter_msg() if isinstance(parameter, Parameter) else parameter
            for parameter in parameters]


def _parameters_of_file(parameter_file: str, use_wildcard: bool) -> list[ParameterMsg]:
    return list(parameter_dict_from_yaml_file(parameter_file, use_wildcard).values())
