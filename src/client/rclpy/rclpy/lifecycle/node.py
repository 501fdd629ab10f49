"""Managed nodes."""

from __future__ import annotations

from typing import Any, TYPE_CHECKING

import lifecycle_msgs.msg
import lifecycle_msgs.srv

from .managed_entity import LifecycleState, ManagedEntity
from .publisher import LifecyclePublisher
from .state_machine import LifecycleStateMachine, Step
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.node import Node

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup

TransitionCallbackReturn = _rclpy.TransitionCallbackReturnType

_State = lifecycle_msgs.msg.State
_Transition = lifecycle_msgs.msg.Transition

_CALLBACKS = {  # names of the callbacks by the states in which they run
    _State.TRANSITION_STATE_CONFIGURING: 'on_configure',
    _State.TRANSITION_STATE_CLEANINGUP: 'on_cleanup',
    _State.TRANSITION_STATE_SHUTTINGDOWN: 'on_shutdown',
    _State.TRANSITION_STATE_ACTIVATING: 'on_activate',
    _State.TRANSITION_STATE_DEACTIVATING: 'on_deactivate',
    _State.TRANSITION_STATE_ERRORPROCESSING: 'on_error',
}


class LifecycleNodeMixin(ManagedEntity):
    """What makes a node a managed one. The node has to be initialized before."""

    def __init__(self, *, enable_communication_interface: bool = True,
                 callback_group: CallbackGroup | None = None) -> None:
        """Begin in the state 'unconfigured'.

        :param enable_communication_interface: whether others can ask for the state and change it, by services
        :param callback_group: that of these services
        """
        if not isinstance(enable_communication_interface, bool):
            raise TypeError(
                f'enable_communication_interface must be a bool, got {type(enable_communication_interface)}')
        self._managed_entities: dict[ManagedEntity, None] = {}  # in the order in which they were added
        self._state_machine = LifecycleStateMachine(self.__publish_step)
        self._transition_event_publisher = self.create_publisher(
            lifecycle_msgs.msg.TransitionEvent, '~/transition_event', 10)
        if enable_communication_interface:
            self.__create_services(callback_group)

    def trigger_configure(self) -> TransitionCallbackReturn:
        """Go from 'unconfigured' to 'inactive'."""
        return self.__change_state(_Transition.TRANSITION_CONFIGURE)

    def trigger_cleanup(self) -> TransitionCallbackReturn:
        """Go from 'inactive' to 'unconfigured'."""
        return self.__change_state(_Transition.TRANSITION_CLEANUP)

    def trigger_shutdown(self) -> TransitionCallbackReturn:
        """Go to 'finalized'."""
        return self.__change_state('shutdown')

    def trigger_activate(self) -> TransitionCallbackReturn:
        """Go from 'inactive' to 'active'."""
        return self.__change_state(_Transition.TRANSITION_ACTIVATE)

    def trigger_deactivate(self) -> TransitionCallbackReturn:
        """Go from 'active' to 'inactive'."""
        return self.__change_state(_Transition.TRANSITION_DEACTIVATE)

    def add_managed_entity(self, entity: ManagedEntity) -> None:
        """Let an entity be called at each transition."""
        self._managed_entities[entity] = None

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle configuring, from the given state: call the managed entities."""
        return self.__call_entities('on_configure', state)

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle cleaning up, from the given state: call the managed entities."""
        return self.__call_entities('on_cleanup', state)

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle shutting down, from the given state: call the managed entities."""
        return self.__call_entities('on_shutdown', state)

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle activating, from the given state: call the managed entities."""
        return self.__call_entities('on_activate', state)

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle deactivating, from the given state: call the managed entities."""
        return self.__call_entities('on_deactivate', state)

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Handle an error of another callback, in a transition from the given state: call the managed entities."""
        return self.__call_entities('on_error', state)

    def create_lifecycle_publisher(self, *args: Any, **kwargs: Any) -> LifecyclePublisher:
        """Return a publisher that publishes only while the node is active. Arguments: those of create_publisher()."""
        if 'publisher_class' in kwargs:
            raise TypeError("create_lifecycle_publisher() got an unexpected keyword argument 'publisher_class'")
        publisher = self.create_publisher(*args, **kwargs, publisher_class=LifecyclePublisher)
        self.add_managed_entity(publisher)
        return publisher

    def destroy_lifecycle_publisher(self, publisher: LifecyclePublisher) -> bool:
        """Destroy such a publisher. Return False if it is not this node's."""
        self._managed_entities.pop(publisher, None)
        return self.destroy_publisher(publisher)

    # ---- transitions -----------------------------------------------------------------------------------------------

    def __call_entities(self, callback_name: str, state: LifecycleState) -> TransitionCallbackReturn:
        """Call all managed entities; stop at the first that does not succeed."""
        for entity in list(self._managed_entities):
            result = getattr(entity, callback_name)(state)
            if not isinstance(result, TransitionCallbackReturn):
                raise TypeError(f'{callback_name}() of {entity} returned {result!r}, no TransitionCallbackReturn')
            if result != TransitionCallbackReturn.SUCCESS:
                return result
        return TransitionCallbackReturn.SUCCESS

    def __call_back(self, previous: LifecycleState) -> TransitionCallbackReturn:
        """Return what the current state's callback returns; ERROR if it raises something or returns something else."""
        name = _CALLBACKS[self._state_machine.current_state[0]]
        try:
            result = getattr(self, name)(previous)
        except Exception as error:
            self.get_logger().error(f'{name}() raised {type(error).__name__}: {error}')
            return TransitionCallbackReturn.ERROR
        if isinstance(result, TransitionCallbackReturn):
            return result
        self.get_logger().error(f'{name}() returned {result!r}, no TransitionCallbackReturn')
        return TransitionCallbackReturn.ERROR

    def __change_state(self, transition: int | str) -> TransitionCallbackReturn:
        """Make a transition. Raise RCLError if it is not possible now."""
        step = self._state_machine.begin(transition)
        previous = LifecycleState(label=step.start_label, state_id=step.start_id)
        result = self.__call_back(previous)
        self._state_machine.finish(result)
        if result == TransitionCallbackReturn.ERROR:
            self._state_machine.finish(self.__call_back(previous))
        return result

    def __publish_step(self, step: Step) -> None:
        """Tell of a step, which is taken all the same if that fails."""
        event = lifecycle_msgs.msg.TransitionEvent(stamp=self.get_clock().now().to_msg())
        _fill(event, step)
        try:
            self._transition_event_publisher.publish(event)
        except (_rclpy.RCLError, _rclpy.InvalidHandle) as error:
            self.get_logger().error(f"Cannot tell of the state '{step.goal_label}': {error}")

    # ---- services --------------------------------------------------------------------------------------------------

    def __create_services(self, callback_group: CallbackGroup | None) -> None:
        transitions = lifecycle_msgs.srv.GetAvailableTransitions
        for name, srv_type, callback in (
            ('change_state', lifecycle_msgs.srv.ChangeState, self.__on_change_state),
            ('get_state', lifecycle_msgs.srv.GetState, self.__on_get_state),
            ('get_available_states', lifecycle_msgs.srv.GetAvailableStates, self.__on_get_available_states),
            ('get_available_transitions', transitions, self.__on_get_available_transitions),
            ('get_transition_graph', transitions, self.__on_get_transition_graph),
        ):
            service = self.create_service(srv_type, f'~/{name}', callback, callback_group=callback_group)
            setattr(self, f'_service_{name}', service)
            setattr(self._state_machine, f'service_{name}', service)

    def __on_change_state(self, request: Any, response: Any) -> Any:
        try:
            result = self.__change_state(request.transition.label or request.transition.id)
        except _rclpy.RCLError as error:
            self.get_logger().error(str(error))
            response.success = False
        else:
            response.success = result == TransitionCallbackReturn.SUCCESS
        return response

    def __on_get_state(self, request: Any, response: Any) -> Any:
        response.current_state = _state_message(*self._state_machine.current_state)
        return response

    def __on_get_available_states(self, request: Any, response: Any) -> Any:
        response.available_states = [_state_message(*state) for state in self._state_machine.available_states]
        return response

    def __on_get_available_transitions(self, request: Any, response: Any) -> Any:
        response.available_transitions = _descriptions(self._state_machine.available_transitions)
        return response

    def __on_get_transition_graph(self, request: Any, response: Any) -> Any:
        response.available_transitions = _descriptions(self._state_machine.transition_graph)
        return response


class LifecycleNode(LifecycleNodeMixin, Node):
    """A managed node."""

    def __init__(self, node_name: str, *, enable_communication_interface: bool = True, **kwargs: Any) -> None:
        """Make a node, in the state 'unconfigured'. Other keywords: those of Node."""
        Node.__init__(self, node_name, **kwargs)
        LifecycleNodeMixin.__init__(self, enable_communication_interface=enable_communication_interface)


def _state_message(state_id: int, label: str) -> lifecycle_msgs.msg.State:
    return _State(id=state_id, label=label)


def _fill(message: Any, step: Step) -> Any:
    """Write a step to a message that has a transition and the states that it joins."""
    message.transition = _Transition(id=step.transition_id, label=step.label)
    message.start_state = _state_message(step.start_id, step.start_label)
    message.goal_state = _state_message(step.goal_id, step.goal_label)
    return message


def _descriptions(steps: list[Step]) -> list:
    return [_fill(lifecycle_msgs.msg.TransitionDescription(), step) for step in steps]
