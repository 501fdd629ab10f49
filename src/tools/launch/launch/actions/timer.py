"""Actions that come later."""

from ..action import Action
from ..event_handler import BaseEventHandler
from ..events import Shutdown, TimerEvent
from ..frontend.expose import expose_action
from ..utilities import describe_substitutions, normalize_to_list_of_entities, normalize_to_list_of_substitutions
from ..utilities import perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


@expose_action('timer')
class TimerAction(Action):
    """Visits actions after so many seconds, with the launch configurations of the place where it stands. Cancelled
    when the system shuts down, unless `cancel_on_shutdown` is false."""

    def __init__(self, *, period, actions, cancel_on_shutdown=True, **kwargs):
        super().__init__(**kwargs)
        self.period = normalize_to_list_of_substitutions(str(period) if isinstance(period, (int, float)) else period)
        self.actions = normalize_to_list_of_entities(actions)
        self._cancel_on_shutdown = normalize_typed_substitution(cancel_on_shutdown, bool)
        self._handle = None
        self._future = None
        self._canceled = False

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['period'] = parser.parse_substitution(str(entity.get_attr('period')))
        kwargs['actions'] = [parser.parse_action(child) for child in entity.children]
        return cls, kwargs

    def describe(self):
        return f'TimerAction(period={describe_substitutions(self.period)})'

    def describe_conditional_sub_entities(self):
        return [(f'after {describe_substitutions(self.period)} s', self.actions)]

    def cancel(self):
        self._canceled = True
        if self._handle is not None:
            self._handle.cancel()
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    def execute(self, context):
        if self._canceled:
            return None
        text = perform_substitutions(context, self.period)
        try:
            seconds = float(text)
        except ValueError:
            raise ValueError(f"the period of a timer is a number of seconds, not '{text}'") from None
        cancels = perform_typed_substitution(context, self._cancel_on_shutdown, bool)
        if context.is_shutdown and cancels:
            return None
        self._future = context.asyncio_loop.create_future()
        handler = _TimerHandler(self, cancels)
        handler._scope = context.scope()
        context.register_event_handler(handler)
        self._future.add_done_callback(lambda _: context.unregister_event_handler(handler))
        self._handle = context.asyncio_loop.call_later(
            seconds, lambda: context.emit_event_sync(TimerEvent(timer_action=self)))
        return None

    def handle(self, context):
        """The time has come."""
        if self._canceled:
            return None
        self._future.set_result(None)
        return self.actions

    def get_asyncio_future(self):
        return self._future


class _TimerHandler(BaseEventHandler):
    """Of one timer that runs."""

    def __init__(self, action, cancels):
        super().__init__(matcher=self._is_for_this)
        self._action = action
        self._cancels = cancels

    def _is_for_this(self, event):
        if isinstance(event, Shutdown):
            return self._cancels
        return isinstance(event, TimerEvent) and event.timer_action is self._action

    def handle(self, event, context):
        super().handle(event, context)
        if isinstance(event, Shutdown):
            self._action.cancel()
            return None
        return self._action.handle(context)
