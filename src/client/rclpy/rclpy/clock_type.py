"""Kinds of clocks."""

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

ClockType = _rclpy.ClockType
