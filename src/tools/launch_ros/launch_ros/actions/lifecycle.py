"""Nodes with a lifecycle, and the transitions that a launch has them make."""

from typing import List

import launch.logging
from launch.action import Action
from launch.actions import EmitEvent, OpaqueFunction
from launch.event_handler import BaseEventHandler, EventHandler
from launch.frontend import expose_action
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import normalize_typed_substitution, perform_typed_substitution
from lifecycle_msgs.msg import Transition

from ..events.lifecycle import ChangeState, StateTransition, transition_event_of
from ..events.matchers import matches_node_name
from ..ros_adapters import CallError, get_ros_adapter
from .node import Node


@expose_action('lifecycle_node')
class LifecycleNode(Node):
    """A node whose changes of state are events StateTransition, and which the event ChangeState has change it. With
    `autostart` it is configured and activated."""

    def __init__(self, *, name, namespace='', autostart=False, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self._autostart = normalize_typed_substitution(autostart, bool)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        autostart = entity.get_attr('autostart', data_type=bool, optional=True)
        if autostart is not None:
            kwargs['autostart'] = parser.parse_if_substitutions(autostart)
        return cls, kwargs

    @property
    def node_autostart(self):
        return self._autostart

    def execute(self, context):
        self._expand_name(context)
        adapter = get_ros_adapter(context)
        adapter.watch(self._below('transition_event'), 'lifecycle_msgs/msg/TransitionEvent',
                      lambda fields: context.emit_event_sync(
                          StateTransition(action=self, msg=transition_event_of(fields))))
        context.register_event_handler(EventHandler(
            matcher=lambda event: isinstance(event, ChangeState) and event.lifecycle_node_matcher(self),
            entities=[OpaqueFunction(function=self._change_state)]))
        entities = list(super().execute(context) or [])
        if perform_typed_substitution(context, self._autostart, bool):
            entities.append(LifecycleTransition(
                lifecycle_node_names=[self.node_name],
                transition_ids=[Transition.TRANSITION_CONFIGURE, Transition.TRANSITION_ACTIVATE]))
        return entities or None

    def _below(self, name):
        return f'{self.node_name}/{name}'

    def _change_state(self, context):
        number = context.locals.event.transition_id
        call = get_ros_adapter(context).call(
            self._below('change_state'), 'lifecycle_msgs/srv/ChangeState', {'transition': {'id': number}},
            after=self._below('transition_event'), give_up=self.get_asyncio_future())
        call.add_done_callback(lambda done: self._report(done, number))
        context.add_completion_future(call)

    def _report(self, call, number):
        logger = launch.logging.get_logger('launch_ros')
        if isinstance(call.exception(), CallError):
            reason = str(call.exception())
        elif call.result() is not None:
            reason = None if call.result()['success'] else 'it did not succeed'
        elif self.get_asyncio_future() is not None and self.get_asyncio_future().done():
            reason = 'it has ended'
        else:
            logger.warning(f"'{self._below('change_state')}' is not waited for any longer, due to shutdown")
            return
        if reason is not None:
            logger.error(f"Failed to make transition '{ChangeState.valid_transitions[number]}' for LifecycleNode "
                         f"'{self.node_name}': {reason}")


class _Sequence(BaseEventHandler):
    """Has a node make one transition after another, until one ends in another state than it should."""

    def __init__(self, context, node_name, transition_ids):
        super().__init__(matcher=self._is_of_this)
        self._context = context
        self._node_name = node_name if node_name.startswith('/') else '/' + node_name
        self._left = list(transition_ids)

    def begin(self):
        """The action that asks for the first."""
        self._context.register_event_handler(self)
        return self._next()

    def _next(self):
        return EmitEvent(event=ChangeState(lifecycle_node_matcher=matches_node_name(self._node_name),
                                           transition_id=self._left[0]))

    def _is_of_this(self, event):
        return isinstance(event, StateTransition) and event.action.node_name == self._node_name

    def handle(self, event, context):
        super().handle(event, context)
        between, goal = LifecycleTransition.transition_targets[self._left[0]].values()
        if event.start_state != between:
            return None
        if event.goal_state == goal:
            self._left.pop(0)
            if self._left:
                return [self._next()]
        else:
            launch.logging.get_logger('launch_ros').error(
                f"{self._node_name} is '{event.goal_state}' instead of '{goal}': it makes no further transitions")
        context.unregister_event_handler(self)
        return None


@expose_action('lifecycle_transition')
class LifecycleTransition(Action):
    """Has LifecycleNodes of these names make transitions, each of the nodes one after another."""

    transition_targets = {
        number: {'start_state': between, 'goal_state': goal} for number, between, goal in (
            (Transition.TRANSITION_CONFIGURE, 'configuring', 'inactive'),
            (Transition.TRANSITION_CLEANUP, 'cleaningup', 'unconfigured'),
            (Transition.TRANSITION_ACTIVATE, 'activating', 'active'),
            (Transition.TRANSITION_DEACTIVATE, 'deactivating', 'inactive'),
            (Transition.TRANSITION_UNCONFIGURED_SHUTDOWN, 'shuttingdown', 'finalized'),
            (Transition.TRANSITION_INACTIVE_SHUTDOWN, 'shuttingdown', 'finalized'),
            (Transition.TRANSITION_ACTIVE_SHUTDOWN, 'shuttingdown', 'finalized'))}

    def __init__(self, *, lifecycle_node_names, transition_ids, **kwargs):
        super().__init__(**kwargs)
        if not lifecycle_node_names or not transition_ids:
            raise ValueError('LifecycleTransition needs lifecycle_node_names and transition_ids')
        self._names = [normalize_to_list_of_substitutions(name) for name in lifecycle_node_names]
        self._numbers = [normalize_to_list_of_substitutions(str(number) if isinstance(number, int) else number)
                         for number in transition_ids]

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        for attribute in ('lifecycle_node_names', 'transition_ids'):
            texts = entity.get_attr(attribute, data_type=List[str])
            kwargs[attribute] = [parser.parse_substitution(text) for text in texts]
        return cls, kwargs

    def execute(self, context):
        numbers = [self._number(perform_substitutions(context, number)) for number in self._numbers]
        return [_Sequence(context, perform_substitutions(context, name), numbers).begin() for name in self._names]

    def _number(self, text):
        if not text.isdecimal() or int(text) not in self.transition_targets:
            known = ', '.join(map(str, self.transition_targets))
            raise ValueError(f"'{text}' is no number of a transition; there are {known}")
        return int(text)
