"""Nodes with a lifecycle: started as any node; changing their state needs services, which are not there yet."""

from launch.action import Action
from launch.event_handler import EventHandler
from launch.frontend import expose_action

from ..events.lifecycle import ChangeState
from .node import Node

_REFUSAL = 'the state of a lifecycle node cannot be changed from a launch file here: there are no services yet'


def _refuse(context):
    raise RuntimeError(_REFUSAL)


@expose_action('lifecycle_node')
class LifecycleNode(Node):
    def __init__(self, *, name, namespace='', autostart=False, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self._autostart = autostart

    def execute(self, context):
        from launch.actions import OpaqueFunction
        if self._autostart:
            raise RuntimeError(_REFUSAL)
        context.register_event_handler(EventHandler(
            matcher=lambda event: isinstance(event, ChangeState) and event.lifecycle_node_matcher(self),
            entities=[OpaqueFunction(function=_refuse)]))
        return super().execute(context)


class LifecycleTransition(Action):
    def __init__(self, *, lifecycle_node_names, transition_ids, **kwargs):
        super().__init__(**kwargs)
        self.lifecycle_node_names = lifecycle_node_names
        self.transition_ids = transition_ids

    def execute(self, context):
        _refuse(context)
