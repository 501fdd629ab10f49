"""Loggers and their levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.impl.rcutils_logger import RcutilsLogger

if TYPE_CHECKING:
    from pathlib import Path

_root_logger = RcutilsLogger()


def get_logger(name: str) -> RcutilsLogger:
    """Return a logger, below the root. ValueError for an empty name."""
    if not name:
        raise ValueError('Logger name must not be empty.')
    return _root_logger.get_child(name)


def initialize() -> None:
    """Prepare logging; the first line does that by itself."""
    _rclpy.rclpy_logging_initialize()


def shutdown() -> None:
    """Forget the levels of all loggers."""
    _rclpy.rclpy_logging_shutdown()


def clear_config() -> None:
    """Give all loggers the levels that they had at first."""
    shutdown()
    initialize()


def set_logger_level(name: str, level: int | LoggingSeverity, detailed_error: bool = False) -> None:
    """Set the level of a logger, whether or not this program has it.

    :param detailed_error: whether the text of an error says why
    :raises ValueError: there is no such level
    :raises RuntimeError: it cannot be set
    """
    _rclpy.rclpy_logging_set_logger_level(name, LoggingSeverity(level), detailed_error)


def get_logger_effective_level(name: str) -> LoggingSeverity:
    """Return the level of a logger, or that of its nearest parent with a level."""
    return LoggingSeverity(_rclpy.rclpy_logging_get_logger_effective_level(name))


def get_logger_level(name: str) -> LoggingSeverity:
    """Return the level of a logger; UNSET if it has none of its own."""
    return LoggingSeverity(_rclpy.rclpy_logging_get_logger_level(name))


def get_logging_severity_from_string(log_severity: str) -> LoggingSeverity:
    """Return the level of a name, 'INFO'. RuntimeError if there is none."""
    return LoggingSeverity(_rclpy.rclpy_logging_severity_level_from_string(log_severity))


def get_logging_directory() -> Path:
    """Return where files of logs are: by the environment, else ~/.ros/log."""
    from pathlib import Path
    return Path(_rclpy.rclpy_logging_get_logging_directory())
