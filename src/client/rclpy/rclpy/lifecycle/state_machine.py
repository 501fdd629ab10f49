"""The states of managed nodes and the transitions between them.

A transition that somebody asks for is two steps: from a primary state into the state between ('configuring'), in which
the callback runs, and out of it, by what the callback returned. An error adds a third, out of 'errorprocessing'.
"""

from __future__ import annotations

import threading
from typing import Any, Callable, NamedTuple

from lifecycle_msgs.msg import State, Transition

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

_STATES = {
    State.PRIMARY_STATE_UNKNOWN: 'unknown',
    State.PRIMARY_STATE_UNCONFIGURED: 'unconfigured',
    State.PRIMARY_STATE_INACTIVE: 'inactive',
    State.PRIMARY_STATE_ACTIVE: 'active',
    State.PRIMARY_STATE_FINALIZED: 'finalized',
    State.TRANSITION_STATE_CONFIGURING: 'configuring',
    State.TRANSITION_STATE_CLEANINGUP: 'cleaningup',
    State.TRANSITION_STATE_SHUTTINGDOWN: 'shuttingdown',
    State.TRANSITION_STATE_ACTIVATING: 'activating',
    State.TRANSITION_STATE_DEACTIVATING: 'deactivating',
    State.TRANSITION_STATE_ERRORPROCESSING: 'errorprocessing',
}

_SUCCESS = 'transition_success'
_FAILURE = 'transition_failure'
_ERROR = 'transition_error'

_TABLE = (  # transition, its label, labels of the states that it joins; in the order in which services list them
    (Transition.TRANSITION_CONFIGURE, 'configure', 'unconfigured', 'configuring'),
    (Transition.TRANSITION_ON_CONFIGURE_SUCCESS, _SUCCESS, 'configuring', 'inactive'),
    (Transition.TRANSITION_ON_CONFIGURE_FAILURE, _FAILURE, 'configuring', 'unconfigured'),
    (Transition.TRANSITION_ON_CONFIGURE_ERROR, _ERROR, 'configuring', 'errorprocessing'),
    (Transition.TRANSITION_CLEANUP, 'cleanup', 'inactive', 'cleaningup'),
    (Transition.TRANSITION_ON_CLEANUP_SUCCESS, _SUCCESS, 'cleaningup', 'unconfigured'),
    (Transition.TRANSITION_ON_CLEANUP_FAILURE, _FAILURE, 'cleaningup', 'inactive'),
    (Transition.TRANSITION_ON_CLEANUP_ERROR, _ERROR, 'cleaningup', 'errorprocessing'),
    (Transition.TRANSITION_ACTIVATE, 'activate', 'inactive', 'activating'),
    (Transition.TRANSITION_ON_ACTIVATE_SUCCESS, _SUCCESS, 'activating', 'active'),
    (Transition.TRANSITION_ON_ACTIVATE_FAILURE, _FAILURE, 'activating', 'inactive'),
    (Transition.TRANSITION_ON_ACTIVATE_ERROR, _ERROR, 'activating', 'errorprocessing'),
    (Transition.TRANSITION_DEACTIVATE, 'deactivate', 'active', 'deactivating'),
    (Transition.TRANSITION_ON_DEACTIVATE_SUCCESS, _SUCCESS, 'deactivating', 'inactive'),
    (Transition.TRANSITION_ON_DEACTIVATE_FAILURE, _FAILURE, 'deactivating', 'active'),
    (Transition.TRANSITION_ON_DEACTIVATE_ERROR, _ERROR, 'deactivating', 'errorprocessing'),
    (Transition.TRANSITION_UNCONFIGURED_SHUTDOWN, 'shutdown', 'unconfigured', 'shuttingdown'),
    (Transition.TRANSITION_INACTIVE_SHUTDOWN, 'shutdown', 'inactive', 'shuttingdown'),
    (Transition.TRANSITION_ACTIVE_SHUTDOWN, 'shutdown', 'active', 'shuttingdown'),
    (Transition.TRANSITION_ON_SHUTDOWN_SUCCESS, _SUCCESS, 'shuttingdown', 'finalized'),
    (Transition.TRANSITION_ON_SHUTDOWN_FAILURE, _FAILURE, 'shuttingdown', 'finalized'),
    (Transition.TRANSITION_ON_SHUTDOWN_ERROR, _ERROR, 'shuttingdown', 'errorprocessing'),
    (Transition.TRANSITION_ON_ERROR_SUCCESS, _SUCCESS, 'errorprocessing', 'unconfigured'),
    (Transition.TRANSITION_ON_ERROR_FAILURE, _FAILURE, 'errorprocessing', 'finalized'),
    (Transition.TRANSITION_ON_ERROR_ERROR, _ERROR, 'errorprocessing', 'finalized'),
)


class Step(NamedTuple):
    """A transition of the table, with the states that it joins."""

    transition_id: int
    label: str
    start_id: int
    start_label: str
    goal_id: int
    goal_label: str


def _make_steps() -> tuple[Step, ...]:
    id_of = {label: state_id for state_id, label in _STATES.items()}
    return tuple(Step(number, label, id_of[start], start, id_of[goal], goal) for number, label, start, goal in _TABLE)


_STEPS = _make_steps()


def _is_primary(state_id: int) -> bool:
    return state_id < State.TRANSITION_STATE_CONFIGURING


class LifecycleStateMachine:
    """The state of a managed node. Thread-safe."""

    def __init__(self, on_step: Callable[[Step], None]) -> None:
        """Begin in 'unconfigured'. `on_step` is called after each step, in the order of the steps."""
        self._on_step = on_step
        self._lock = threading.Lock()
        self._state_id = State.PRIMARY_STATE_UNCONFIGURED
        # The services by which others ask, if there are any.
        self.service_change_state: Any = None
        self.service_get_state: Any = None
        self.service_get_available_states: Any = None
        self.service_get_available_transitions: Any = None
        self.service_get_transition_graph: Any = None

    @property
    def current_state(self) -> tuple[int, str]:
        """Return number and label of the current state."""
        state_id = self._state_id
        return state_id, _STATES[state_id]

    @property
    def available_states(self) -> list[tuple[int, str]]:
        """Return numbers and labels of all states."""
        return list(_STATES.items())

    @property
    def available_transitions(self) -> list[Step]:
        """Return the steps out of the current state."""
        state_id = self._state_id
        return [step for step in _STEPS if step.start_id == state_id]

    @property
    def transition_graph(self) -> list[Step]:
        """Return all steps."""
        return list(_STEPS)

    def begin(self, transition: int | str) -> Step:
        """Take the step that begins a transition, by number or label. Raise RCLError if it is not possible now."""
        # Out of a state in between leads the result of its callback, and nothing else.
        return self._take(transition, lambda step: _is_primary(step.start_id)
                          and transition in (step.transition_id, step.label))

    def finish(self, result: _rclpy.TransitionCallbackReturnType) -> Step:
        """Take the step out of a state in between, by the result of its callback."""
        label = result.to_label()
        return self._take(label, lambda step: step.label == label)

    def _take(self, what: int | str, is_meant: Callable[[Step], bool]) -> Step:
        with self._lock:
            step = next(filter(is_meant, self.available_transitions), None)
            if step is None:
                raise _rclpy.RCLError(
                    'Failed to trigger lifecycle state machine transition: '
                    f"there is no transition {what!r} from the state '{self.current_state[1]}'")
            self._state_id = step.goal_id
            self._on_step(step)
            return step
