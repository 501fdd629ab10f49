"""Handlers of what nodes do."""

from launch.event_handler import EventHandler
from launch.utilities import alias_modules

from ..actions import LifecycleNode
from ..events.lifecycle import StateTransition


class OnStateTransition(EventHandler):
    """A LifecycleNode has changed its state: any, or the target; with these labels, if they are given. `matcher`
    replaces all of that."""

    def __init__(self, *, entities, target_lifecycle_node=None, transition=None, start_state=None, goal_state=None,
                 matcher=None, **kwargs):
        if not isinstance(target_lifecycle_node, (LifecycleNode, type(None))):
            raise RuntimeError("OnStateTransition requires a 'LifecycleNode' action as the target")
        wanted = {'transition': transition, 'start_state': start_state, 'goal_state': goal_state}

        def matches(event):
            return (isinstance(event, StateTransition)
                    and target_lifecycle_node in (None, event.action)
                    and all(label in (None, getattr(event, name)) for name, label in wanted.items()))

        super().__init__(matcher=matcher or matches, entities=entities, **kwargs)

    @property
    def matcher_description(self):
        return 'event == StateTransition'


__all__ = ['OnStateTransition']
alias_modules(__name__, __all__)
