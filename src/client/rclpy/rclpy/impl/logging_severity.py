"""Levels of lines of the log."""

from enum import IntEnum


class LoggingSeverity(IntEnum):
    """How important a line is; UNSET: the level of the parent."""

    UNSET = 0
    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40
    FATAL = 50
