"""Events and their handlers, as actions."""

from ..action import Action
from ..event import Event
from ..event_handler import BaseEventHandler
from ..events import Shutdown as ShutdownEvent
from ..events.process import ProcessExited
from ..frontend.expose import expose_action
from ..logging import get_logger
from ..utilities import ensure_argument_type


class EmitEvent(Action):
    def __init__(self, *, event, **kwargs):
        super().__init__(**kwargs)
        ensure_argument_type(event, Event, 'event', 'EmitEvent')
        self.event = event

    def describe(self):
        return f"EmitEvent(event='{self.event.name}')"

    def execute(self, context):
        context.emit_event_sync(self.event)


@expose_action('shutdown')
class Shutdown(EmitEvent):
    """Ends the launched system."""

    def __init__(self, *, reason='reason not given', **kwargs):
        super().__init__(event=ShutdownEvent(reason=reason), **kwargs)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        reason = entity.get_attr('reason', optional=True)
        if reason is not None:
            kwargs['reason'] = reason
        return cls, kwargs

    def describe(self):
        return f"Shutdown(reason='{self.event.reason}')"

    def execute(self, context):
        event = context.get_locals_as_dict().get('event')
        if isinstance(event, ProcessExited):
            get_logger('launch').info(f'process[{event.process_name}] was required: shutting down launched system')
        super().execute(context)


class RegisterEventHandler(Action):
    """From here on the handler is asked. What it returns sees the launch configurations of this place."""

    def __init__(self, event_handler, **kwargs):
        super().__init__(**kwargs)
        ensure_argument_type(event_handler, BaseEventHandler, 'event_handler', 'RegisterEventHandler')
        self.event_handler = event_handler

    def describe(self):
        return f'RegisterEventHandler({self.event_handler.describe()[0]})'

    def describe_conditional_sub_entities(self):
        text, entities = self.event_handler.describe()
        return [(text, entities)] if entities else []

    def execute(self, context):
        self.event_handler._scope = context.scope()
        context.register_event_handler(self.event_handler)


class UnregisterEventHandler(Action):
    def __init__(self, event_handler, **kwargs):
        super().__init__(**kwargs)
        self.event_handler = event_handler

    def execute(self, context):
        context.unregister_event_handler(self.event_handler)
