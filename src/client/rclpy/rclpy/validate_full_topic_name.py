"""Rules for full names of topics."""

from rclpy.exceptions import InvalidServiceNameException
from rclpy.exceptions import InvalidTopicNameException
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy


def validate_full_topic_name(name: str, *, is_service: bool = False) -> bool:
    """Return True if it is a full name of a topic, or of a service.

    :raises InvalidTopicNameException, InvalidServiceNameException: it is none
    """
    problem = _rclpy.rclpy_get_validation_error_for_full_topic_name(name)
    if problem is not None:
        raise (InvalidServiceNameException if is_service else InvalidTopicNameException)(name, *problem)
    return True
