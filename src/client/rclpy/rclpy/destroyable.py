"""What native parts have in common, for annotations."""

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

DestroyableType = _rclpy.Destroyable
