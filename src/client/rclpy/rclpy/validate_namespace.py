"""Rules for namespaces."""

from rclpy.exceptions import InvalidNamespaceException
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy


def validate_namespace(namespace: str) -> bool:
    """Return True if it is a namespace. InvalidNamespaceException if not."""
    problem = _rclpy.rclpy_get_validation_error_for_namespace(namespace)
    if problem is not None:
        raise InvalidNamespaceException(namespace, *problem)
    return True
