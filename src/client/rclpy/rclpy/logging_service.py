"""The services by which others read and set the levels of a process's loggers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rcl_interfaces.msg import LoggerLevel
from rcl_interfaces.msg import SetLoggerLevelsResult
from rcl_interfaces.srv import GetLoggerLevels
from rcl_interfaces.srv import SetLoggerLevels
from rclpy.logging import get_logger_level
from rclpy.logging import set_logger_level

if TYPE_CHECKING:
    from rclpy.node import Node


class LoggingService:
    """The services get_logger_levels and set_logger_levels of a node."""

    def __init__(self, node: Node):
        """Offer the services; the node keeps them."""
        prefix = node.get_fully_qualified_name()
        node.create_service(GetLoggerLevels, f'{prefix}/get_logger_levels', self._get_logger_levels)
        node.create_service(SetLoggerLevels, f'{prefix}/set_logger_levels', self._set_logger_levels)

    def _get_logger_levels(self, request, response):
        response.levels = [LoggerLevel(name=name, level=self._level_of(name)) for name in request.names]
        return response

    def _set_logger_levels(self, request, response):
        response.results = [self._set(wanted.name, wanted.level) for wanted in request.levels]
        return response

    @staticmethod
    def _level_of(name: str) -> int:
        try:
            return int(get_logger_level(name))
        except RuntimeError:
            return LoggerLevel.LOG_LEVEL_UNKNOWN

    @staticmethod
    def _set(name: str, level: int) -> SetLoggerLevelsResult:
        """Set a level, and return whether and why not."""
        try:
            set_logger_level(name, level, detailed_error=True)
        except ValueError:
            return SetLoggerLevelsResult(successful=False, reason='Failed reason: Invalid logger level.')
        except RuntimeError as error:
            return SetLoggerLevelsResult(successful=False, reason=str(error))
        return SetLoggerLevelsResult(successful=True)
