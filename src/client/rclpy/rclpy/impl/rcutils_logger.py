"""Loggers, and filters of lines: once, now and then, or all but the first."""

from __future__ import annotations

from collections import namedtuple
from collections import OrderedDict
import sys
import threading

from rclpy.clock import BaseClock
from rclpy.clock import Clock
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.logging_severity import LoggingSeverity


def _find_caller(frame):
    """Return the nearest frame outside of this file."""
    while frame.f_code.co_filename == _OWN_FILE and frame.f_back is not None:
        frame = frame.f_back
    return frame


_OWN_FILE = _find_caller.__code__.co_filename


class CallerId(namedtuple('CallerId', ['function_name', 'file_path', 'line_number', 'last_index'])):
    """Where a line of the log was written."""

    def __new__(cls, frame=None):
        """Take the place from a frame, by default from the one that calls."""
        frame = _find_caller(sys._getframe(1) if frame is None else frame)
        code = frame.f_code
        return super().__new__(cls, code.co_name, code.co_filename, frame.f_lineno, frame.f_lasti)


class LoggingFilter:
    """Decide which lines of a place are written. What it remembers is in the place's context."""

    params = {}  # its keywords, with their defaults; None: it has none

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Take the keywords of the first call."""
        context.update((param, kwargs.get(param, default)) for param, default in cls.params.items())

    @staticmethod
    def should_log(context) -> bool:
        """Return whether this line is written."""
        raise NotImplementedError('Must be implemented by subclass')


class Once(LoggingFilter):
    """Write the first line alone."""

    params = {'once': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Begin before the first line."""
        super().initialize_context(context, **kwargs)
        context['has_been_logged_once'] = False

    @staticmethod
    def should_log(context) -> bool:
        """Return True the first time."""
        is_first = not context['has_been_logged_once']
        context['has_been_logged_once'] = True
        return is_first


class Throttle(LoggingFilter):
    """Write a line only if the last one is old enough."""

    params = {'throttle_duration_sec': None, 'throttle_time_source_type': Clock()}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Begin at the clock's zero, as if a line were written then."""
        super().initialize_context(context, **kwargs)
        clock = context['throttle_time_source_type']
        if not isinstance(clock, BaseClock):
            raise ValueError(f'throttle_time_source_type has to be a clock: {clock!r}')
        context['throttle_last_logged'] = 0

    @staticmethod
    def should_log(context) -> bool:
        """Return whether the time has come, or was set back."""
        now = context['throttle_time_source_type'].now().nanoseconds
        last = context['throttle_last_logged']
        if last <= now < last + context['throttle_duration_sec'] * 1e9:
            return False
        context['throttle_last_logged'] = now
        return True


class SkipFirst(LoggingFilter):
    """Write all lines but the first."""

    params = {'skip_first': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Begin before the first line."""
        super().initialize_context(context, **kwargs)
        context['first_has_been_skipped'] = False

    @staticmethod
    def should_log(context) -> bool:
        """Return False the first time."""
        is_first = not context['first_has_been_skipped']
        context['first_has_been_skipped'] = True
        return not is_first


# Asked in this order; a line that one refuses is unknown to those after it.
supported_filters = OrderedDict(throttle=Throttle, skip_first=SkipFirst, once=Once)
_filters_lock = threading.Lock()


def get_filters_from_kwargs(**kwargs) -> list[str]:
    """Return the names of the filters that these keywords turn on.

    :raises TypeError: a keyword is unknown, or one is missing
    """
    known = [param for kind in supported_filters.values() for param in kind.params]
    for param in kwargs:
        if param not in known:
            raise TypeError(f'parameter "{param}" is not one of the recognized logging options "{known}"')
    wanted = [name for name, kind in supported_filters.items() if any(kwargs.get(param) for param in kind.params)]
    for name in wanted:
        for param, default in supported_filters[name].params.items():
            if default is None and kwargs.get(param) is None:
                raise TypeError(f'required parameter "{param}" not specified '
                                f'but is required for the the logging filter "{name}"')
    return wanted


def _new_context(name: str, severity: LoggingSeverity, kwargs: dict) -> dict:
    """Return what is remembered of a place from its first call on."""
    context = {'name': name, 'severity': severity, 'filters': get_filters_from_kwargs(**kwargs), 'arguments': kwargs}
    for filter_name in context['filters']:
        supported_filters[filter_name].initialize_context(context, **kwargs)
    return context


def _check_same(context: dict, name: str, severity: LoggingSeverity, kwargs: dict) -> None:
    """Raise ValueError if a later call of a place asks for something else than the first."""
    if severity != context['severity']:
        raise ValueError('Logger severity cannot be changed between calls.')
    if name != context['name']:
        raise ValueError('Logger name cannot be changed between calls.')
    if kwargs == context['arguments']:
        return
    if get_filters_from_kwargs(**kwargs) != context['filters']:
        raise ValueError('Requested logging filters cannot be changed between calls.')
    for filter_name in context['filters']:
        for param, default in supported_filters[filter_name].params.items():
            if kwargs.get(param, default) != context[param]:
                raise ValueError('Logging filter parameters cannot be changed between calls.')


class RcutilsLogger:
    """Write lines to the log under a name. Thread-safe."""

    def __init__(self, name: str = ''):
        """Take the name; dots in names make a tree, and the root has none."""
        self.name = name
        self.contexts = {}  # by place
        self._sublogger = None

    def __del__(self):
        """Let go of /rosout."""
        if self._sublogger is not None and _rclpy is not None:
            _rclpy.rclpy_logging_rosout_remove_sublogger(*self._sublogger)

    def get_child(self, name: str) -> RcutilsLogger:
        """Return the logger '<own name>.<name>'. Its lines are on /rosout if those of this one are."""
        if not name:
            raise ValueError('Child logger name must not be empty.')
        if not self.name:
            return RcutilsLogger(name)
        child = RcutilsLogger(self.name + _rclpy.rclpy_logging_get_separator_string() + name)
        _rclpy.rclpy_logging_rosout_add_sublogger(self.name, name)
        child._sublogger = (self.name, name)
        return child

    def set_level(self, level: int | LoggingSeverity) -> None:
        """Write lines of this level and above; UNSET: as the parent does."""
        _rclpy.rclpy_logging_set_logger_level(self.name, LoggingSeverity(level))

    def get_effective_level(self) -> LoggingSeverity:
        """Return the own level, or that of the nearest parent that has one."""
        return LoggingSeverity(_rclpy.rclpy_logging_get_logger_effective_level(self.name))

    def is_enabled_for(self, severity: int | LoggingSeverity) -> bool:
        """Return whether lines of a level are written."""
        return _rclpy.rclpy_logging_logger_is_enabled_for(self.name, LoggingSeverity(severity))

    def log(self, message: str, severity: int | LoggingSeverity, name: str | None = None, **kwargs) -> bool:
        """Write a line, and return whether it was written. Filters know the place from which this is called.

        :param name: of another logger, under whose name and level it is written
        :param once: write the first line of this place alone
        :param skip_first: write all lines of this place but the first
        :param throttle_duration_sec: write a line of this place at most once in so many seconds
        :param throttle_time_source_type: the clock of those seconds, by default one of the system's time
        :raises TypeError: a keyword is unknown, or one is missing
        :raises ValueError: an earlier call from this place had another severity, name or filter
        """
        if severity.__class__ is not LoggingSeverity:
            severity = LoggingSeverity(severity)
        if name is None:
            name = self.name
        if not _rclpy.rclpy_logging_logger_is_enabled_for(name, severity):
            return False
        caller = CallerId(sys._getframe(1))
        context = self.contexts.get(caller)
        if context is None:
            context = self.contexts.setdefault(caller, _new_context(name, severity, kwargs))
        _check_same(context, name, severity, kwargs)
        if context['filters']:
            with _filters_lock:
                if not all(supported_filters[filter_name].should_log(context) for filter_name in context['filters']):
                    return False
        _rclpy.rclpy_logging_rcutils_log(
            severity, name, str(message), caller.function_name, caller.file_path, caller.line_number)
        return True

    def debug(self, message: str, **kwargs) -> bool:
        """Write what helps to find errors, as log() does."""
        return self.log(message, LoggingSeverity.DEBUG, **kwargs)

    def info(self, message: str, **kwargs) -> bool:
        """Write what is good to know, as log() does."""
        return self.log(message, LoggingSeverity.INFO, **kwargs)

    def warning(self, message: str, **kwargs) -> bool:
        """Write what may be wrong, as log() does."""
        return self.log(message, LoggingSeverity.WARN, **kwargs)

    def warn(self, message: str, **kwargs) -> bool:
        """Write what may be wrong, as log() does. The former name of warning()."""
        return self.log(message, LoggingSeverity.WARN, **kwargs)

    def error(self, message: str, **kwargs) -> bool:
        """Write what is wrong, as log() does."""
        return self.log(message, LoggingSeverity.ERROR, **kwargs)

    def fatal(self, message: str, **kwargs) -> bool:
        """Write what ends the program, as log() does."""
        return self.log(message, LoggingSeverity.FATAL, **kwargs)
