"""Handlers of the events that launch files wait for."""

from .action import ProcessAction
from .event_handler import BaseEventHandler, EventHandler
from .events import ExecutionComplete, IncludeLaunchDescription, Shutdown
from .events.process import ProcessExited, ProcessIO, ProcessStarted
from .launch_description_entity import LaunchDescriptionEntity
from .utilities import alias_modules, normalize_to_list_of_entities


def event_named(name):
    """A matcher of events with this name."""
    return lambda event: event.name == name


class _Reaction:
    """What a launch file gives as reaction: entities, or a function of event and context that returns them."""

    def __init__(self, given):
        self.function = given if callable(given) and not isinstance(given, LaunchDescriptionEntity) else None
        self.entities = [] if self.function or given is None else normalize_to_list_of_entities(given)

    def __call__(self, event, context):
        return self.function(event, context) if self.function else self.entities

    def describe(self):
        return repr(self.function) if self.function else '<actions>'


class _ReactingHandler(BaseEventHandler):
    """Answers an event with what a launch file has given."""

    def __init__(self, *, reaction, **kwargs):
        super().__init__(**kwargs)
        self._reaction = _Reaction(reaction)

    def handle(self, event, context):
        super().handle(event, context)
        return self._reaction(event, context)

    @property
    def handler_description(self):
        return self._reaction.describe()

    def describe(self):
        return super().describe()[0], self._reaction.entities


class OnActionEventBase(_ReactingHandler):
    """Handles the events of one class that belong to an action, to those that a function chooses, or to any."""

    def __init__(self, *, action_matcher, on_event, target_event_cls, target_action_cls=None, **kwargs):
        if action_matcher is not None and not callable(action_matcher):
            wanted = target_action_cls or LaunchDescriptionEntity
            if not isinstance(action_matcher, wanted):
                raise TypeError(f'{type(self).__name__}: target_action has to be an action of class {wanted.__name__} '
                                f'or a function, not {action_matcher!r}')
        self._target = action_matcher
        self._event_class = target_event_cls
        super().__init__(matcher=self._matches, reaction=on_event, **kwargs)

    def _matches(self, event):
        if not isinstance(event, self._event_class):
            return False
        if self._target is None:
            return True
        if callable(self._target):
            return self._target(event.action)
        return event.action is self._target

    @property
    def matcher_description(self):
        return f'{self._event_class.__name__} of {self._target if self._target is not None else "any action"}'


class OnExecutionComplete(OnActionEventBase):
    """An action was executed, and what it began is over."""

    def __init__(self, *, target_action=None, on_completion, **kwargs):
        super().__init__(action_matcher=target_action, on_event=on_completion, target_event_cls=ExecutionComplete,
                         **kwargs)


class OnProcessExit(OnActionEventBase):
    """A process ended."""

    def __init__(self, *, target_action=None, on_exit, **kwargs):
        super().__init__(action_matcher=target_action, on_event=on_exit, target_event_cls=ProcessExited,
                         target_action_cls=ProcessAction, **kwargs)


class OnProcessStart(OnActionEventBase):
    """A process was started."""

    def __init__(self, *, target_action=None, on_start, **kwargs):
        super().__init__(action_matcher=target_action, on_event=on_start, target_event_cls=ProcessStarted,
                         target_action_cls=ProcessAction, **kwargs)


class OnProcessIO(OnActionEventBase):
    """A process wrote something, or was sent something. The functions get the event and return entities or None."""

    def __init__(self, *, target_action=None, on_stdin=None, on_stdout=None, on_stderr=None, **kwargs):
        functions = {'from_stdin': on_stdin, 'from_stdout': on_stdout, 'from_stderr': on_stderr}

        def react(event, context):
            for origin, function in functions.items():
                if function is not None and getattr(event, origin):
                    return function(event)
            return None
        super().__init__(action_matcher=target_action, on_event=react, target_event_cls=ProcessIO,
                         target_action_cls=ProcessAction, **kwargs)


class OnShutdown(_ReactingHandler):
    """The launched system is to end."""

    def __init__(self, *, on_shutdown, **kwargs):
        super().__init__(matcher=lambda event: isinstance(event, Shutdown), reaction=on_shutdown, **kwargs)

    @property
    def matcher_description(self):
        return 'Shutdown'


class OnIncludeLaunchDescription(EventHandler):
    """Visits descriptions that are given to the service."""

    def __init__(self, **kwargs):
        super().__init__(matcher=lambda event: isinstance(event, IncludeLaunchDescription), **kwargs)

    def handle(self, event, context):
        super().handle(event, context)
        return [event.launch_description]


__all__ = ['event_named', 'OnExecutionComplete', 'OnIncludeLaunchDescription', 'OnProcessExit', 'OnProcessIO',
           'OnProcessStart', 'OnShutdown', 'OnActionEventBase']
alias_modules(__name__, __all__)
