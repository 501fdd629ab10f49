"""What is published of the calls of a service."""

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

ServiceIntrospectionState = _rclpy.service_introspection.ServiceIntrospectionState
