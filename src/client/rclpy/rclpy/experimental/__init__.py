"""What may change still."""

from rclpy.experimental.events_executor import EventsExecutor

__all__ = ['EventsExecutor']
