"""Messages as bytes."""

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.type_support import check_for_type_support


def serialize_message(message) -> bytes:
    """Return the bytes of a message, as topics carry them."""
    message_type = type(message)
    check_for_type_support(message_type)
    return _rclpy.rclpy_serialize(message, message_type)


def deserialize_message(serialized_message: bytes, message_type):
    """Return the message of this type that the bytes are."""
    check_for_type_support(message_type)
    return _rclpy.rclpy_deserialize(serialized_message, message_type)
