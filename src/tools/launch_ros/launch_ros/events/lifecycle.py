"""Events of nodes with a lifecycle."""

from types import SimpleNamespace

from launch.event import Event
from lifecycle_msgs.msg import State, Transition

from .matchers import matches_node_name


def _names(constants, prefixes):
    """Of those constants that begin so, by their numbers."""
    return {value: name for name, value in vars(constants).items() if name.startswith(prefixes)}


class ChangeState(Event):
    """A node shall change its state: each LifecycleNode for which lifecycle_node_matcher(action) is true. Raises
    ValueError for a number that is no transition which can be asked for."""

    name = 'launch_ros.events.lifecycle.ChangeState'
    valid_transitions = {value: name for value, name in _names(Transition, 'TRANSITION_').items()
                         if value <= Transition.TRANSITION_DESTROY}
    valid_states = _names(State, ('PRIMARY_STATE_', 'TRANSITION_STATE_'))

    def __init__(self, *, lifecycle_node_matcher, transition_id):
        if transition_id not in self.valid_transitions:
            known = ', '.join(f'{value}: {name}' for value, name in self.valid_transitions.items())
            raise ValueError(f'{transition_id!r} is no transition_id; there are {known}')
        self.lifecycle_node_matcher = lifecycle_node_matcher
        self.transition_id = transition_id


class StateTransition(Event):
    """A node is in another state. `msg` is the message on its topic `transition_event`; `transition`, `start_state` and
    `goal_state` are labels, `timestamp` is in nanoseconds."""

    name = 'launch_ros.events.lifecycle.StateTransition'

    def __init__(self, *, action, msg):
        self.action = action
        self.msg = msg
        self.timestamp = msg.stamp.sec * 10**9 + msg.stamp.nanosec
        self.transition = msg.transition.label
        self.start_state = msg.start_state.label
        self.goal_state = msg.goal_state.label


def transition_event_of(fields):
    """The message of these fields."""
    return SimpleNamespace(**{name: SimpleNamespace(**value) for name, value in fields.items()})


__all__ = ['ChangeState', 'StateTransition', 'matches_node_name']
