"""Lines for the log."""

import logging

from ..action import Action
from ..frontend.expose import expose_action
from ..logging import get_logger
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions


class Log(Action):
    """Logs a message at a level: 'debug', 'info', 'warning', 'error'."""

    def __init__(self, *, msg, level='info', **kwargs):
        super().__init__(**kwargs)
        self.msg = normalize_to_list_of_substitutions(msg)
        self.level = normalize_to_list_of_substitutions(level)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['msg'] = parser.parse_substitution(entity.get_attr('message'))
        return cls, kwargs

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.msg)})'

    def execute(self, context):
        name = perform_substitutions(context, self.level).upper()
        level = logging.getLevelName('WARNING' if name == 'WARN' else name)
        if not isinstance(level, int):
            raise ValueError(f"a level of the log is debug, info, warning or error, not '{name.lower()}'")
        get_logger('launch.user').log(level, perform_substitutions(context, self.msg))


@expose_action('log')
class _LogElement(Log):
    """<log message level>"""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        level = entity.get_attr('level', optional=True)
        if level is None:
            return LogInfo, kwargs
        return Log, {**kwargs, 'level': parser.parse_substitution(level)}


@expose_action('log_info')
class LogInfo(Log):
    def __init__(self, *, msg, **kwargs):
        super().__init__(msg=msg, level='info', **kwargs)


@expose_action('log_warning')
class LogWarning(Log):
    def __init__(self, *, msg, **kwargs):
        super().__init__(msg=msg, level='warning', **kwargs)


@expose_action('log_error')
class LogError(Log):
    def __init__(self, *, msg, **kwargs):
        super().__init__(msg=msg, level='error', **kwargs)


@expose_action('log_debug')
class LogDebug(Log):
    def __init__(self, *, msg, **kwargs):
        super().__init__(msg=msg, level='debug', **kwargs)
