"""Loggers: lines with a level, once, now and then, or without the first."""

from __future__ import annotations

from collections import namedtuple, OrderedDict
import sys

from rclpy.clock import Clock
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.logging_severity import LoggingSeverity

_OWN_FILE = __file__


def _find_caller(frame):
    """Return the nearest frame outside of this file."""
    while frame.f_code.co_filename == _OWN_FILE and frame.f_back is not None:
        frame = frame.f_back
    return frame


class CallerId(namedtuple('CallerId', ['function_name', 'file_path', 'line_number', 'last_index'])):
    """The place of a call, by which what is said once is known again."""

    def __new__(cls, frame=None):
        """Take the place of a frame, by default of the caller."""
        frame = _find_caller(frame or sys._getframe())
        return super().__new__(
            cls, function_name=frame.f_code.co_name, file_path=frame.f_code.co_filename,
            line_number=frame.f_lineno, last_index=frame.f_lasti)


class LoggingFilter:
    """Whether a line is wanted, by what was said at its place before."""

    params = {}  # its keywords and their defaults; None: required

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Take the keywords of a place's first call."""
        for name, default in cls.params.items():
            value = kwargs.get(name, default)
            context[name] = value

    @staticmethod
    def should_log(context) -> bool:
        """Return whether the line is wanted."""
        return True


class Once(LoggingFilter):
    """The first line alone."""

    params = {'once': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Note that nothing was said."""
        super().initialize_context(context, **kwargs)
        context['has_been_logged_once'] = False

    @staticmethod
    def should_log(context) -> bool:
        """Return True the first time."""
        if context['has_been_logged_once']:
            return False
        context['has_been_logged_once'] = True
        return True


class Throttle(LoggingFilter):
    """A line at most so often."""

    params = {'throttle_duration_sec': None, 'throttle_time_source_type': Clock()}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Note that nothing was said."""
        super().initialize_context(context, **kwargs)
        context['throttle_last_logged'] = 0
        if not isinstance(context['throttle_time_source_type'], Clock):
            raise ValueError(
                'Received throttle_time_source_type of "{0}" '
                'is not a clock instance'.format(context['throttle_time_source_type']))

    @staticmethod
    def should_log(context) -> bool:
        """Return whether the last line is long enough ago."""
        now = context['throttle_time_source_type'].now().nanoseconds
        is_due = now >= context['throttle_last_logged'] + int(context['throttle_duration_sec'] * 1e9)
        if is_due:
            context['throttle_last_logged'] = now
        return is_due


class SkipFirst(LoggingFilter):
    """All lines but the first."""

    params = {'skip_first': None}

    @classmethod
    def initialize_context(cls, context, **kwargs):
        """Note that nothing was skipped."""
        super().initialize_context(context, **kwargs)
        context['first_has_been_skipped'] = False

    @staticmethod
    def should_log(context) -> bool:
        """Return False the first time."""
        if context['first_has_been_skipped']:
            return True
        context['first_has_been_skipped'] = True
        return False


# In the order in which they are asked. A filter is in use if one of its keywords is given and not false.
supported_filters = OrderedDict()
supported_filters['throttle'] = Throttle
supported_filters['skip_first'] = SkipFirst
supported_filters['once'] = Once

_PARAMETERS = {name for filter_ in supported_filters.values() for name in filter_.params}


def get_filters_from_kwargs(**kwargs):
    """Return the names of the filters that keywords ask for. TypeError for an unknown keyword."""
    for name in kwargs:
        if name not in _PARAMETERS:
            raise TypeError(f'parameter "{name}" is not one of the recognized logging options "{sorted(_PARAMETERS)}"')
    filters = []
    for filter_name, filter_ in supported_filters.items():
        if not any(kwargs.get(name) for name in filter_.params):
            continue
        for name, default in filter_.params.items():
            if default is None and name not in kwargs:
                raise TypeError(f'required parameter "{name}" not specified '
                                f'but is required for the the logging filter "{filter_name}"')
        filters.append(filter_name)
    return filters


class RcutilsLogger:
    """Write lines to the log, under a name. Thread-safe."""

    def __init__(self, name: str = ''):
        """Take the name; dots in names make a tree."""
        self.name = name
        self.contexts = {}
        self._sublogger = None

    def __del__(self):
        """Forget what was added to /rosout."""
        if self._sublogger is not None and _rclpy is not None:
            _rclpy.rclpy_logging_rosout_remove_sublogger(*self._sublogger)

    def get_child(self, name: str) -> RcutilsLogger:
        """Return the logger '<own name>.<name>', which has the level of this one."""
        if not name:
            raise ValueError('Child logger name must not be empty.')
        full_name = name
        if self.name:
            full_name = self.name + _rclpy.rclpy_logging_get_separator_string() + name
        logger = RcutilsLogger(name=full_name)
        if self.name:
            _rclpy.rclpy_logging_rosout_add_sublogger(self.name, name)
            logger._sublogger = (self.name, name)
        return logger

    def set_level(self, level):
        """Set the least level of lines that are written."""
        level = LoggingSeverity(level)
        return _rclpy.rclpy_logging_set_logger_level(self.name, level)

    def get_effective_level(self) -> LoggingSeverity:
        """Return its level, or that of the nearest parent with one."""
        return LoggingSeverity(_rclpy.rclpy_logging_get_logger_effective_level(self.name))

    def is_enabled_for(self, severity) -> bool:
        """Return whether lines of this level are written."""
        return _rclpy.rclpy_logging_logger_is_enabled_for(self.name, LoggingSeverity(severity))

    def log(self, message, severity, **kwargs) -> bool:
        """Write a line. Return whether it was written.

        :param once: only the first line of this place
        :param skip_first: all but the first line of this place
        :param throttle_duration_sec: a line of this place so often at most
        :param throttle_time_source_type: by this clock
        """
        name = kwargs.pop('name', self.name)
        if not kwargs and not _rclpy.rclpy_logging_logger_is_enabled_for(name, severity):
            return False
        severity = LoggingSeverity(severity)
        caller = CallerId(sys._getframe())
        context = self.contexts.get(caller)
        if context is None:
            context = self._new_context(name, severity, kwargs)
            self.contexts[caller] = context
        else:
            self._check_context(context, name, severity, kwargs)
        if not _rclpy.rclpy_logging_logger_is_enabled_for(name, severity):
            return False
        if not all(supported_filters[filter_].should_log(context) for filter_ in context['filters']):
            return False
        _rclpy.rclpy_logging_rcutils_log(
            severity, name, str(message), caller.function_name, caller.file_path, caller.line_number)
        return True

    @staticmethod
    def _new_context(name, severity, kwargs):
        context = {'name': name, 'severity': severity, 'keywords': kwargs, 'filters': get_filters_from_kwargs(**kwargs)}
        for filter_ in context['filters']:
            supported_filters[filter_].initialize_context(context, **kwargs)
        return context

    @staticmethod
    def _check_context(context, name, severity, kwargs):
        if severity != context['severity']:
            raise ValueError('Logger severity cannot be changed between calls.')
        if name != context['name']:
            raise ValueError('Logger name cannot be changed between calls.')
        if kwargs == context['keywords']:
            return
        if get_filters_from_kwargs(**kwargs) != context['filters']:
            raise ValueError('Requested logging filters cannot be changed between calls.')
        raise ValueError('Logging filter parameters cannot be changed between calls.')

    def debug(self, message, **kwargs) -> bool:
        """Write a line of level DEBUG; see log()."""
        return self.log(message, LoggingSeverity.DEBUG, **kwargs)

    def info(self, message, **kwargs) -> bool:
        """Write a line of level INFO; see log()."""
        return self.log(message, LoggingSeverity.INFO, **kwargs)

    def warning(self, message, **kwargs) -> bool:
        """Write a line of level WARN; see log()."""
        return self.log(message, LoggingSeverity.WARN, **kwargs)

    def warn(self, message, **kwargs) -> bool:
        """Write a line of level WARN; see log()."""
        return self.log(message, LoggingSeverity.WARN, **kwargs)

    def error(self, message, **kwargs) -> bool:
        """Write a line of level ERROR; see log()."""
        return self.log(message, LoggingSeverity.ERROR, **kwargs)

    def fatal(self, message, **kwargs) -> bool:
        """Write a line of level FATAL; see log()."""
        return self.log(message, LoggingSeverity.FATAL, **kwargs)
