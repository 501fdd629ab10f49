"""Rules for topics as users name them."""

from rclpy.exceptions import InvalidServiceNameException
from rclpy.exceptions import InvalidTopicNameException
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

TOPIC_SEPARATOR_STRING = '/'


def validate_topic_name(name: str, *, is_service: bool = False) -> bool:
    """Return True if it can be expanded to a topic's full name, or a service's.

    :raises InvalidTopicNameException, InvalidServiceNameException: it cannot
    """
    problem = _rclpy.rclpy_get_validation_error_for_topic_name(name)
    if problem is not None:
        raise (InvalidServiceNameException if is_service else InvalidTopicNameException)(name, *problem)
    return True
