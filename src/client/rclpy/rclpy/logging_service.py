"""The services by which others see and set the levels of this process's loggers."""

from __future__ import annotations

import weakref

from rcl_interfaces.msg import LoggerLevel
from rcl_interfaces.msg import SetLoggerLevelsResult
from rcl_interfaces.srv import GetLoggerLevels
from rcl_interfaces.srv import SetLoggerLevels
from rclpy.logging import get_logger_level
from rclpy.logging import set_logger_level
from rclpy.qos import qos_profile_services_default


class LoggingService:
    """Serve '<node>/get_logger_levels' and '<node>/set_logger_levels'."""

    def __init__(self, node):
        """Create both services; the node is held weakly."""
        name = node.get_fully_qualified_name()
        self._node = weakref.ref(node)
        node.create_service(GetLoggerLevels, name + '/get_logger_levels', self._get_logger_levels,
                            qos_profile=qos_profile_services_default)
        node.create_service(SetLoggerLevels, name + '/set_logger_levels', self._set_logger_levels,
                            qos_profile=qos_profile_services_default)

    def _get_logger_levels(self, request, response):
        for name in request.names:
            level = LoggerLevel(name=name)
            try:
                level.level = get_logger_level(name)
            except RuntimeError:
                level.level = 0
            response.levels.append(level)
        return response

    def _set_logger_levels(self, request, response):
        for level in request.levels:
            result = SetLoggerLevelsResult(successful=True)
            try:
                set_logger_level(level.name, level.level, detailed_error=True)
            except (RuntimeError, ValueError) as error:
                result.successful = False
                is_level = not isinstance(error, ValueError)
                result.reason = str(error) if is_level else 'Failed reason: Invalid logger level.'
            response.results.append(result)
        return response
