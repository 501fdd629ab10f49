"""The services by which others read and change a node's parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING
import weakref

from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import SetParametersResult
from rcl_interfaces.srv import DescribeParameters
from rcl_interfaces.srv import GetParameters
from rcl_interfaces.srv import GetParameterTypes
from rcl_interfaces.srv import ListParameters
from rcl_interfaces.srv import SetParameters
from rcl_interfaces.srv import SetParametersAtomically
from rclpy.exceptions import ParameterNotDeclaredException
from rclpy.exceptions import ParameterUninitializedException
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_parameters

if TYPE_CHECKING:
    from rclpy.node import Node


class ParameterService:
    """The six parameter services of a node."""

    def __init__(self, node: Node) -> None:
        """Offer the services; the node keeps them."""
        self._node_weak_ref = weakref.ref(node)
        prefix = node.get_fully_qualified_name()
        for service_type, name, callback in (
            (DescribeParameters, 'describe_parameters', self._describe_parameters_callback),
            (GetParameters, 'get_parameters', self._get_parameters_callback),
            (GetParameterTypes, 'get_parameter_types', self._get_parameter_types_callback),
            (ListParameters, 'list_parameters', self._list_parameters_callback),
            (SetParameters, 'set_parameters', self._set_parameters_callback),
            (SetParametersAtomically, 'set_parameters_atomically', self._set_parameters_atomically_callback),
        ):
            node.create_service(service_type, f'{prefix}/{name}', callback, qos_profile=qos_profile_parameters)

    def _describe_parameters_callback(self, request, response):
        node = self._get_node()
        try:
            response.descriptors = node.describe_parameters(list(request.names))
        except ParameterNotDeclaredException as error:
            response.descriptors = []
            node.get_logger().warning(f'Failed to describe parameters: {error}')
        return response

    def _get_parameters_callback(self, request, response):
        node = self._get_node()
        try:
            parameters = node.get_parameters(list(request.names))
            response.values = [parameter.get_parameter_value() for parameter in parameters]
        except (ParameterNotDeclaredException, ParameterUninitializedException) as error:
            response.values = []
            node.get_logger().warning(f'Failed to get parameters: {error}')
        return response

    def _get_parameter_types_callback(self, request, response):
        node = self._get_node()
        try:
            types = node.get_parameter_types(list(request.names))
            response.types = [type_.value if isinstance(type_, Parameter.Type) else type_ for type_ in types]
        except ParameterNotDeclaredException as error:
            response.types = []
            node.get_logger().warning(f'Failed to get parameter types: {error}')
        return response

    def _list_parameters_callback(self, request, response):
        response.result = self._get_node().list_parameters(list(request.prefixes), request.depth)
        return response

    def _set_parameters_callback(self, request, response):
        node = self._get_node()
        response.results = [self._set(node, [message], 'set parameter') for message in request.parameters]
        return response

    def _set_parameters_atomically_callback(self, request, response):
        response.result = self._set(self._get_node(), request.parameters, 'set parameters atomically')
        return response

    def _set(self, node: Node, messages: list[ParameterMsg], action: str) -> SetParametersResult:
        """Set parameters, all or none, and return whether and why not."""
        try:
            parameters = [Parameter.from_parameter_msg(message) for message in messages]
        except ValueError as error:
            reason = str(error)
        else:
            try:
                return node.set_parameters_atomically(parameters)
            except ParameterNotDeclaredException as error:
                reason = str(error)
        node.get_logger().warning(f'Failed to {action}: {reason}')
        return SetParametersResult(successful=False, reason=reason)

    def _get_node(self) -> Node:
        node = self._node_weak_ref()
        if node is None:
            raise ReferenceError('The node of the parameter services is gone')
        return node
