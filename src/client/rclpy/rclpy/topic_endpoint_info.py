"""The names in Jazzy of what is in rclpy.endpoint_info."""

from rclpy.endpoint_info import EndpointTypeEnum as TopicEndpointTypeEnum
from rclpy.endpoint_info import TopicEndpointInfo

__all__ = ['TopicEndpointInfo', 'TopicEndpointTypeEnum']
