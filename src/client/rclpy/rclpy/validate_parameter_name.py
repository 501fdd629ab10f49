"""Rules for names of parameters."""

from rclpy.exceptions import InvalidParameterException


def validate_parameter_name(name: str) -> bool:
    """Return True if it is not empty. InvalidParameterException if it is."""
    if not name:
        raise InvalidParameterException(name)
    return True
