"""Nodes: what publishes, subscribes, calls and serves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
import copy
from typing import TYPE_CHECKING
import weakref

from rcl_interfaces.msg import ParameterDescriptor
from rcl_interfaces.msg import ParameterEvent
from rclpy.callback_groups import CallbackGroup
from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.callback_groups import ReentrantCallbackGroup
from rclpy.client import Client
from rclpy.clock import Clock
from rclpy.clock import ROSClock
from rclpy.constants import S_TO_NS
from rclpy.context import Context
from rclpy.event_handler import PublisherEventCallbacks
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.exceptions import InvalidHandle
from rclpy.exceptions import NotInitializedException
from rclpy.guard_condition import GuardCondition
from rclpy.impl.entity import forgotten_by
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.node_graph import NodeGraph
from rclpy.impl.node_handle import create_node_handle
from rclpy.impl.node_handle import destroyed_on_error
from rclpy.impl.node_parameters import NodeParameters
from rclpy.logging import get_logger
from rclpy.parameter import Parameter
from rclpy.parameter_service import ParameterService
from rclpy.publisher import Publisher
from rclpy.qos import qos_profile_parameter_events
from rclpy.qos import qos_profile_services_default
from rclpy.qos import QoSProfile
from rclpy.qos_overriding_options import _declare_qos_parameters
from rclpy.qos_overriding_options import QoSOverridingOptions
from rclpy.service import Service
from rclpy.subscription import Subscription
from rclpy.time_source import TimeSource
from rclpy.timer import Rate
from rclpy.timer import Timer
from rclpy.type_description_service import TypeDescriptionService
from rclpy.type_support import check_is_valid_msg_type
from rclpy.type_support import check_is_valid_srv_type
from rclpy.utilities import get_default_context
from rclpy.waitable import Waitable

if TYPE_CHECKING:
    from rclpy.executors import Executor
    from rclpy.impl.rcutils_logger import RcutilsLogger
    from rclpy.subscription_content_filter_options import ContentFilterOptions

HIDDEN_NODE_PREFIX = '_'

NodeNameNonExistentError = _rclpy.NodeNameNonExistentError


class Node(NodeParameters, NodeGraph):
    """A named part of a ROS system, with its publishers, subscriptions, clients, services, timers and parameters."""

    def __init__(
        self,
        node_name: str,
        *,
        context: Context | None = None,
        cli_args: list[str] | None = None,
        namespace: str | None = None,
        use_global_arguments: bool = True,
        enable_rosout: bool = True,
        rosout_qos_profile: QoSProfile | int | None = None,
        start_parameter_services: bool = True,
        parameter_overrides: list[Parameter] | None = None,
        allow_undeclared_parameters: bool = False,
        automatically_declare_parameters_from_overrides: bool = False,
        enable_logger_service: bool = False
    ) -> None:
        """Create a node.

        :param context: the default context if it is None
        :param cli_args: arguments of this node alone, such as ['--ros-args', '-r', 'chatter:=talk']
        :param namespace: what the names of the node, its topics and services are below
        :param use_global_arguments: whether the arguments of the process count too
        :param enable_rosout: whether its log goes to the topic /rosout
        :param rosout_qos_profile: of that topic
        :param start_parameter_services: whether others may read and set its parameters
        :param parameter_overrides: values of parameters that go before those of arguments and files
        :param allow_undeclared_parameters: whether parameters need not be declared
        :param automatically_declare_parameters_from_overrides: whether all given values are declared
        :param enable_logger_service: whether others may read and set the levels of loggers
        :raises NotInitializedException: the context is not initialized
        :raises InvalidNodeNameException: a node may not be called so
        :raises InvalidNamespaceException: a namespace may not be called so
        """
        self._context = get_default_context() if context is None else context
        self._publishers: list[Publisher] = []
        self._subscriptions: list[Subscription] = []
        self._clients: list[Client] = []
        self._services: list[Service] = []
        self._timers: list[Timer] = []
        self._guards: list[GuardCondition] = []
        self._entities = (self._publishers, self._subscriptions, self._clients, self._services, self._timers,
                          self._guards)
        self._waitables: list[Waitable] = []
        # Those that the executor asks, as they have no native part that tells it. Replaced, not changed: it iterates.
        self._polled_waitables: list[Waitable] = []
        self._default_callback_group = MutuallyExclusiveCallbackGroup()
        self._rate_group = ReentrantCallbackGroup()
        self._executor_weakref: weakref.ref | None = None
        self._init_parameters(allow_undeclared_parameters)

        if not self._context.ok():
            raise NotInitializedException('cannot create node')
        self.__handle = create_node_handle(
            self._context, node_name, namespace or '', cli_args, use_global_arguments, enable_rosout,
            None if rosout_qos_profile is None else self._validate_qos_or_depth_parameter(rosout_qos_profile))
        with self.handle:
            self._logger = get_logger(self.handle.logger_name())
            self._parameter_overrides = self.handle.get_parameters(Parameter)
        self._parameter_overrides.update((parameter.name, parameter) for parameter in parameter_overrides or ())

        self._parameter_event_publisher = self.create_publisher(
            ParameterEvent, '/parameter_events', qos_profile_parameter_events)
        self._clock = ROSClock()
        if automatically_declare_parameters_from_overrides:
            self.declare_parameters('', [(name, None, ParameterDescriptor(dynamic_typing=True))
                                         for name in self._parameter_overrides])
        self._time_source = TimeSource(node=self)
        self._time_source.attach_clock(self._clock)
        if start_parameter_services:
            self._parameter_service = ParameterService(self)
        if enable_logger_service:
            from rclpy.logging_service import LoggingService
            self._logger_service = LoggingService(self)
        self._type_description_service = TypeDescriptionService(self)

    def __enter__(self) -> Node:
        """Return the node."""
        return self

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        """Destroy the node."""
        self.destroy_node()

    @property
    def publishers(self) -> Iterator[Publisher]:
        """Iterate over the publishers."""
        return iter(list(self._publishers))

    @property
    def subscriptions(self) -> Iterator[Subscription]:
        """Iterate over the subscriptions."""
        return iter(list(self._subscriptions))

    @property
    def clients(self) -> Iterator[Client]:
        """Iterate over the clients."""
        return iter(list(self._clients))

    @property
    def services(self) -> Iterator[Service]:
        """Iterate over the services."""
        return iter(list(self._services))

    @property
    def timers(self) -> Iterator[Timer]:
        """Iterate over the timers."""
        return iter(list(self._timers))

    @property
    def guards(self) -> Iterator[GuardCondition]:
        """Iterate over the guard conditions."""
        return iter(list(self._guards))

    @property
    def waitables(self) -> Iterator[Waitable]:
        """Iterate over the waitables: handlers of events, actions and others."""
        return iter(list(self._waitables))

    @property
    def executor(self) -> Executor | None:
        """Return the executor that serves the node, if there is one."""
        return None if self._executor_weakref is None else self._executor_weakref()

    @executor.setter
    def executor(self, new_executor: Executor | None) -> None:
        """Move the node to another executor, or to none."""
        old_executor = self.executor
        if new_executor is old_executor:
            return
        # Known before the executors are: they may set it, too.
        self._executor_weakref = None if new_executor is None else weakref.ref(new_executor)
        if old_executor is not None:
            old_executor.remove_node(self)
        if new_executor is not None:
            new_executor.add_node(self)

    def _wake_executor(self) -> None:
        executor = self.executor
        if executor is not None:
            executor.wake()

    @property
    def context(self) -> Context:
        """Return the context."""
        return self._context

    @property
    def default_callback_group(self) -> CallbackGroup:
        """Return the callback group of all that is created without one."""
        return self._default_callback_group

    @property
    def handle(self):
        """Return the native node."""
        return self.__handle

    @handle.setter
    def handle(self, value) -> None:
        raise AttributeError('handle cannot be modified after node creation')

    def get_clock(self) -> Clock:
        """Return the clock: that of the simulation if the parameter use_sim_time is true."""
        return self._clock

    def get_logger(self) -> RcutilsLogger:
        """Return the logger."""
        return self._logger

    # Being served.

    def _register(self, entity) -> None:
        """Let the executor serve something."""
        entity.callback_group.add_entity(entity)
        entity._source_node = weakref.ref(self)
        self.handle.serve(entity)
        if not isinstance(getattr(entity, 'handle', None), _rclpy.Served):
            self._polled_waitables = [*self._polled_waitables, entity]
            self._wake_executor()

    def _unregister(self, entity) -> None:
        """Let the executor serve it no more."""
        self._polled_waitables = [waitable for waitable in self._polled_waitables if waitable is not entity]
        try:
            with self.handle:
                self.handle.stop_serving(entity)
        except InvalidHandle:
            pass  # A destroyed node serves nothing.

    def add_waitable(self, waitable: Waitable) -> None:
        """Let the executor serve a waitable."""
        self._waitables.append(waitable)
        self._register(waitable)

    def remove_waitable(self, waitable: Waitable) -> None:
        """Let the executor serve a waitable no more."""
        self._waitables.remove(waitable)
        self._unregister(waitable)

    # Creating.

    def _keep(self, entities: list, entity) -> None:
        """Remember an entity until it is destroyed."""
        entities.append(entity)
        entity._on_destroy = forgotten_by(self)

    def _validate_qos_or_depth_parameter(self, qos_or_depth: QoSProfile | int) -> QoSProfile:
        """Return a profile for a profile or the depth of a history."""
        if isinstance(qos_or_depth, QoSProfile):
            return qos_or_depth
        if not isinstance(qos_or_depth, int):
            raise TypeError(f'Expected QoSProfile or int, but received {type(qos_or_depth)!r}')
        if qos_or_depth < 0:
            raise ValueError('history depth must be greater than or equal to zero')
        return QoSProfile(depth=qos_or_depth)

    def _profile_of(
        self,
        entity_type: type[Publisher] | type[Subscription],
        topic: str,
        qos_or_depth: QoSProfile | int,
        options: QoSOverridingOptions | None
    ) -> QoSProfile:
        """Return the profile of a topic, after parameters have overridden it."""
        profile = self._validate_qos_or_depth_parameter(qos_or_depth)
        if options is not None:
            profile = copy.copy(profile)
            full_name = self._with_valid_name(self.resolve_topic_name, topic)
            _declare_qos_parameters(entity_type, self, full_name, profile, options)
        return profile

    def create_publisher(
        self,
        msg_type,
        topic: str,
        qos_profile: QoSProfile | int,
        *,
        callback_group: CallbackGroup | None = None,
        event_callbacks: PublisherEventCallbacks | None = None,
        qos_overriding_options: QoSOverridingOptions | None = None,
        publisher_class: type[Publisher] = Publisher
    ) -> Publisher:
        """Create a publisher of a topic.

        :param qos_profile: a profile, or the depth of a history that keeps the last messages
        :param callback_group: of the callbacks for events
        :param qos_overriding_options: which policies parameters may override
        """
        check_is_valid_msg_type(msg_type)
        profile = self._profile_of(Publisher, topic, qos_profile, qos_overriding_options)
        handle = self._with_valid_name(
            lambda name: _rclpy.Publisher(self.handle, msg_type, name, profile.get_c_qos_profile()), topic)
        with destroyed_on_error(handle):
            publisher = publisher_class(
                handle, msg_type, topic, profile,
                event_callbacks=event_callbacks or PublisherEventCallbacks(),
                callback_group=callback_group or self.default_callback_group)
        self._keep(self._publishers, publisher)
        for handler in publisher.event_handlers:
            self.add_waitable(handler)
        return publisher

    def create_subscription(
        self,
        msg_type,
        topic: str,
        callback: Callable,
        qos_profile: QoSProfile | int,
        *,
        callback_group: CallbackGroup | None = None,
        event_callbacks: SubscriptionEventCallbacks | None = None,
        qos_overriding_options: QoSOverridingOptions | None = None,
        raw: bool = False,
        content_filter_options: ContentFilterOptions | None = None
    ) -> Subscription:
        """Create a subscription to a topic.

        :param callback: is called with each message, and with what is known of it if it takes that, too
        :param qos_profile: a profile, or the depth of a history that keeps the last messages
        :param qos_overriding_options: which policies parameters may override
        :param raw: whether messages stay serialized
        """
        check_is_valid_msg_type(msg_type)
        profile = self._profile_of(Subscription, topic, qos_profile, qos_overriding_options)
        handle = self._with_valid_name(
            lambda name: _rclpy.Subscription(
                self.handle, msg_type, name, profile.get_c_qos_profile(), content_filter_options), topic)
        with destroyed_on_error(handle):
            subscription = Subscription(
                handle, msg_type, topic, callback, callback_group or self.default_callback_group, profile, raw,
                event_callbacks=event_callbacks or SubscriptionEventCallbacks())
        self._keep(self._subscriptions, subscription)
        self._register(subscription)
        for handler in subscription.event_handlers:
            self.add_waitable(handler)
        return subscription

    def create_client(
        self,
        srv_type,
        srv_name: str,
        *,
        qos_profile: QoSProfile = qos_profile_services_default,
        callback_group: CallbackGroup | None = None
    ) -> Client:
        """Create a client of a service."""
        check_is_valid_srv_type(srv_type)
        handle = self._with_valid_name(
            lambda name: _rclpy.Client(self.handle, srv_type, name, qos_profile.get_c_qos_profile()),
            srv_name, is_service=True)
        client = Client(
            self.context, handle, srv_type, srv_name, qos_profile, callback_group or self.default_callback_group)
        self._keep(self._clients, client)
        self._register(client)
        return client

    def create_service(
        self,
        srv_type,
        srv_name: str,
        callback: Callable,
        *,
        qos_profile: QoSProfile = qos_profile_services_default,
        callback_group: CallbackGroup | None = None
    ) -> Service:
        """Create a service; its callback gets each request and a response, and returns the response."""
        check_is_valid_srv_type(srv_type)
        handle = self._with_valid_name(
            lambda name: _rclpy.Service(self.handle, srv_type, name, qos_profile.get_c_qos_profile()),
            srv_name, is_service=True)
        service = Service(
            handle, srv_type, srv_name, callback, callback_group or self.default_callback_group, qos_profile)
        self._keep(self._services, service)
        self._register(service)
        return service

    def create_timer(
        self,
        timer_period_sec: float,
        callback: Callable | None,
        callback_group: CallbackGroup | None = None,
        clock: Clock | None = None,
        autostart: bool = True
    ) -> Timer:
        """Create a timer, by the node's clock if none is given."""
        timer = Timer(
            callback,
            callback_group or self.default_callback_group,
            int(float(timer_period_sec) * S_TO_NS),
            clock or self._clock,
            context=self.context,
            autostart=autostart)
        self._keep(self._timers, timer)
        self._register(timer)
        return timer

    def create_guard_condition(
        self, callback: Callable, callback_group: CallbackGroup | None = None
    ) -> GuardCondition:
        """Create a guard condition: something to trigger a callback with."""
        guard = GuardCondition(callback, callback_group or self.default_callback_group, context=self.context)
        self._keep(self._guards, guard)
        self._register(guard)
        return guard

    def create_rate(self, frequency: float, clock: Clock | None = None) -> Rate:
        """Create a rate: something to sleep with, so many times a second. The node has to be spun meanwhile.

        :raises ValueError: the frequency is not positive
        """
        if frequency <= 0:
            raise ValueError('frequency must be > 0')
        timer = self.create_timer(1.0 / frequency, None, callback_group=self._rate_group, clock=clock)
        return Rate(timer, context=self.context)

    # Destroying.

    def _forget(self, entity) -> None:
        """Serve an entity no more."""
        for entities in self._entities:
            if entity in entities:
                entities.remove(entity)
                for handler in getattr(entity, 'event_handlers', ()):
                    if handler in self._waitables:
                        self.remove_waitable(handler)
                if entities is not self._publishers:
                    self._unregister(entity)

    def _destroy(self, entities: list, entity) -> bool:
        """Destroy one of the node's entities, and return whether it was one."""
        if entity not in entities:
            return False
        self._forget(entity)
        try:
            entity.destroy()
        except InvalidHandle:
            return False
        return True

    def destroy_publisher(self, publisher: Publisher) -> bool:
        """Destroy a publisher; return False if it is not of this node."""
        return self._destroy(self._publishers, publisher)

    def destroy_subscription(self, subscription: Subscription) -> bool:
        """Destroy a subscription; return False if it is not of this node."""
        return self._destroy(self._subscriptions, subscription)

    def destroy_client(self, client: Client) -> bool:
        """Destroy a client; return False if it is not of this node."""
        return self._destroy(self._clients, client)

    def destroy_service(self, service: Service) -> bool:
        """Destroy a service; return False if it is not of this node."""
        return self._destroy(self._services, service)

    def destroy_timer(self, timer: Timer) -> bool:
        """Destroy a timer; return False if it is not of this node."""
        return self._destroy(self._timers, timer)

    def destroy_guard_condition(self, guard: GuardCondition) -> bool:
        """Destroy a guard condition; return False if it is not of this node."""
        return self._destroy(self._guards, guard)

    def destroy_rate(self, rate: Rate) -> bool:
        """Destroy a rate, and wake who sleeps with it; return False if it is not of this node."""
        is_own = self.destroy_timer(rate._timer)
        rate.destroy()
        return is_own

    def destroy_node(self) -> None:
        """Destroy the node and all that it has created; more than once is possible."""
        for entities in self._entities:
            while entities:
                self._destroy(entities, entities[0])
        for waitable in self.waitables:
            self._unregister(waitable)
        self.handle.destroy_when_not_in_use()
        self._wake_executor()
