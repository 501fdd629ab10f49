"""What is to happen when an event occurs."""

from .utilities import normalize_to_list_of_entities


class BaseEventHandler:
    """Matches events and handles them; subclasses override handle()."""

    def __init__(self, *, matcher, handle_once=False):
        self._matcher = matcher
        self._handle_once = handle_once
        self._scope = None

    @property
    def handle_once(self):
        return self._handle_once

    @property
    def handler_description(self):
        return ''

    @property
    def matcher_description(self):
        return ''

    def describe(self):
        """A line for people, and the entities that may come of it."""
        return (f"{type(self).__name__}(matcher='{self.matcher_description}', "
                f"handler='{self.handler_description}', handle_once={self._handle_once})", [])

    def matches(self, event):
        return self._matcher(event)

    def handle(self, event, context):
        """Returns entities to visit, or None. They see the event as the local 'event'."""
        context.extend_locals({'event': event})
        if self._handle_once:
            context.unregister_event_handler(self)


class EventHandler(BaseEventHandler):
    """Visits entities when an event matches."""

    def __init__(self, *, matcher, entities=None, handle_once=False):
        super().__init__(matcher=matcher, handle_once=handle_once)
        self._entities = None if entities is None else normalize_to_list_of_entities(entities)

    @property
    def entities(self):
        return self._entities

    def describe(self):
        return super().describe()[0], self._entities or []

    def handle(self, event, context):
        super().handle(event, context)
        return self._entities
