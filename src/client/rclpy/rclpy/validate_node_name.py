"""Rules for names of nodes."""

from rclpy.exceptions import InvalidNodeNameException
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy


def validate_node_name(node_name: str) -> bool:
    """Return True if it is a node's name without namespace. InvalidNodeNameException if not."""
    problem = _rclpy.rclpy_get_validation_error_for_node_name(node_name)
    if problem is not None:
        raise InvalidNodeNameException(node_name, *problem)
    return True
