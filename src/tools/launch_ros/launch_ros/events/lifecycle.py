"""Events of nodes with a lifecycle."""

from launch.event import Event

from .matchers import matches_node_name


class ChangeState(Event):
    """A node shall change its state."""

    name = 'launch_ros.events.lifecycle.ChangeState'

    def __init__(self, *, lifecycle_node_matcher, transition_id):
        self.lifecycle_node_matcher = lifecycle_node_matcher
        self.transition_id = transition_id


class StateTransition(Event):
    """A node has changed its state."""

    name = 'launch_ros.events.lifecycle.StateTransition'

    def __init__(self, *, action, msg):
        self.action = action
        self.msg = msg


__all__ = ['ChangeState', 'StateTransition', 'matches_node_name']
