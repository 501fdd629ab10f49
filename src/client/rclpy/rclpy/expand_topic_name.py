"""From names that users give to full ones."""

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy


def expand_topic_name(topic_name: str, node_name: str, node_namespace: str) -> str:
    """Return the full name of a node's topic, before remapping. ValueError if one of the names is invalid."""
    return _rclpy.rclpy_expand_topic_name(topic_name, node_name, node_namespace)
