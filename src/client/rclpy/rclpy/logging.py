"""Loggers and their levels."""

from __future__ import annotations

from pathlib import Path

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.logging_severity import LoggingSeverity
from rclpy.impl.rcutils_logger import RcutilsLogger

_root_logger = RcutilsLogger()


def get_logger(name: str) -> RcutilsLogger:
    """Return the logger of this name; dots in names make a tree."""
    if not name:
        raise ValueError('Logger name must not be empty.')
    return _root_logger.get_child(name)


def initialize():
    """Do nothing: logging is there."""
    return _rclpy.rclpy_logging_initialize()


def shutdown():
    """Do nothing: logging stays there."""
    return _rclpy.rclpy_logging_shutdown()


def clear_config():
    """Do nothing: logging stays as it is."""
    shutdown()
    initialize()


def set_logger_level(name: str, level, detailed_error: bool = False):
    """Set the least level of lines that a logger writes."""
    level = LoggingSeverity(level)
    return _rclpy.rclpy_logging_set_logger_level(name, level, detailed_error)


def get_logger_effective_level(name: str) -> LoggingSeverity:
    """Return the level of a logger, or that of its nearest parent with one."""
    return LoggingSeverity(_rclpy.rclpy_logging_get_logger_effective_level(name))


def get_logger_level(name: str) -> LoggingSeverity:
    """Return the level of a logger itself, UNSET if it has none."""
    return LoggingSeverity(_rclpy.rclpy_logging_get_logger_level(name))


def get_logging_severity_from_string(log_severity: str) -> LoggingSeverity:
    """Return the level of this name. RuntimeError if there is none."""
    return LoggingSeverity(_rclpy.rclpy_logging_severity_level_from_string(log_severity))


def get_logging_directory() -> Path:
    """Return the folder where programs may put files of logs."""
    return Path(_rclpy.rclpy_logging_get_logging_directory())
