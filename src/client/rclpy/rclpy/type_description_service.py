"""The service by which others ask for the types that a node uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rcl_interfaces.msg import ParameterDescriptor
from rcl_interfaces.msg import ParameterType
from rclpy.parameter import Parameter

if TYPE_CHECKING:
    from rclpy.node import Node

START_TYPE_DESCRIPTION_SERVICE_PARAM = 'start_type_description_service'


class TypeDescriptionService:
    """The service get_type_description of a node, unless a parameter says no."""

    def __init__(self, node: Node) -> None:
        """Declare the parameter, and offer the service if it is true."""
        self.service_name = f'{node.get_fully_qualified_name()}/get_type_description'

        if not node.has_parameter(START_TYPE_DESCRIPTION_SERVICE_PARAM):
            node.declare_parameter(
                START_TYPE_DESCRIPTION_SERVICE_PARAM,
                True,
                ParameterDescriptor(
                    name=START_TYPE_DESCRIPTION_SERVICE_PARAM,
                    type=ParameterType.PARAMETER_BOOL,
                    description='Whether the node offers the service ~/get_type_description',
                    read_only=True))
        parameter = node.get_parameter(START_TYPE_DESCRIPTION_SERVICE_PARAM)
        self.enabled = parameter.type_ == Parameter.Type.BOOL and parameter.value
        if parameter.type_ != Parameter.Type.BOOL:
            node.get_logger().error(
                f"Invalid type for parameter '{START_TYPE_DESCRIPTION_SERVICE_PARAM}' "
                f'{parameter.type_!r} should be bool')
        if self.enabled:
            with node.handle:
                node.handle.start_type_description_service()

    def destroy(self) -> None:
        """Do nothing: the service ends with its node."""
