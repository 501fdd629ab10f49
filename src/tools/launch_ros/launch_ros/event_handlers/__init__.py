"""Handlers of what nodes do."""

from launch.event_handler import EventHandler

from ..events.lifecycle import StateTransition


class OnStateTransition(EventHandler):
    """A node has changed its state. That is not noticed yet: it needs the services of the node."""

    def __init__(self, *, entities, target_lifecycle_node=None, transition=None, start_state=None, goal_state=None,
                 matcher=None, **kwargs):
        super().__init__(matcher=matcher or (lambda event: isinstance(event, StateTransition)), entities=entities,
                         **kwargs)


__all__ = ['OnStateTransition']
