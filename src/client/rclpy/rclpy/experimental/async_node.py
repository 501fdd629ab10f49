"""Nodes whose callbacks run in an event loop of asyncio."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TYPE_CHECKING, Union

from rclpy.clock_type import ClockType
from rclpy.constants import S_TO_NS
from rclpy.context import Context
from rclpy.experimental.async_bridge import AsyncBridge
from rclpy.experimental.async_client import AsyncClient
from rclpy.experimental.async_clock import AsyncClock
from rclpy.experimental.async_publisher import AsyncPublisher
from rclpy.experimental.async_service import AsyncService
from rclpy.experimental.async_subscription import AsyncSubscription
from rclpy.experimental.async_timer import AsyncTimer
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.impl.node_handle import destroyed_on_error
from rclpy.node import Node
from rclpy.parameter import Parameter
from rclpy.qos import qos_profile_rosout_default
from rclpy.qos import qos_profile_services_default
from rclpy.qos import QoSProfile
from rclpy.type_support import check_is_valid_msg_type
from rclpy.type_support import check_is_valid_srv_type

if TYPE_CHECKING:
    from types import TracebackType

    from rclpy.subscription_content_filter_options import ContentFilterOptions

AsyncEntity = Union[AsyncPublisher, AsyncSubscription, AsyncService, AsyncClient, AsyncTimer]


class AsyncNode(Node):
    """A node that needs no executor: it runs within `async with node:`, or in `await node.run()`.

    Callbacks may be coroutines. Those of one entity run one after another unless it is concurrent. What one of them
    raises ends the node, and comes out of `async with` in an ExceptionGroup. The end of the node cancels what waits.
    """

    def __init__(
        self,
        node_name: str,
        *,
        context: Context | None = None,
        cli_args: list[str] | None = None,
        namespace: str | None = None,
        use_global_arguments: bool = True,
        enable_rosout: bool = True,
        rosout_qos_profile: QoSProfile | int = qos_profile_rosout_default,
        start_parameter_services: bool = True,
        parameter_overrides: list[Parameter] | None = None,
        allow_undeclared_parameters: bool = False,
        automatically_declare_parameters_from_overrides: bool = False,
        enable_logger_service: bool = False
    ) -> None:
        """Create a node as Node does. It is destroyed at the shutdown of its context, too."""
        self._destroyed = False
        self._loop: asyncio.AbstractEventLoop | None = None  # where it runs
        self._bridge: AsyncBridge | None = None
        self._tg: asyncio.TaskGroup | None = None
        self._ended = asyncio.Event()
        super().__init__(
            node_name, context=context, cli_args=cli_args, namespace=namespace,
            use_global_arguments=use_global_arguments, enable_rosout=enable_rosout,
            rosout_qos_profile=rosout_qos_profile, start_parameter_services=start_parameter_services,
            parameter_overrides=parameter_overrides, allow_undeclared_parameters=allow_undeclared_parameters,
            automatically_declare_parameters_from_overrides=automatically_declare_parameters_from_overrides,
            enable_logger_service=enable_logger_service)
        self._time_source._associated_clocks.discard(self._clock)  # one that blocks threads
        self._clock = AsyncClock(clock_type=ClockType.ROS_TIME)
        self._time_source.attach_clock(self._clock)
        self.context.on_shutdown(self.destroy_node)

    async def __aenter__(self) -> AsyncNode:
        """Run the node in the loop of the caller until the end of the block.

        :raises RuntimeError: it runs already, or was destroyed
        """
        self._check()
        if self._bridge is not None:
            raise RuntimeError('The node runs already')
        self._loop = asyncio.get_running_loop()
        self._tg = await asyncio.TaskGroup().__aenter__()
        self._bridge = AsyncBridge(self, self._tg, self.destroy_node)
        return self

    async def __aexit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None,
                        exc_tb: TracebackType | None) -> None:
        """Destroy the node, and wait for callbacks to end. Raise what they or the block have raised, in a group."""
        self.destroy_node()
        self._bridge.join()
        await self._tg.__aexit__(exc_type, exc_val, exc_tb)

    async def run(self) -> None:
        """Run the node until it is destroyed, or its context is shut down, or a callback raises something."""
        async with self:
            await self._ended.wait()

    def get_clock(self) -> AsyncClock:
        """Return the clock: that of the simulation if the parameter use_sim_time is true."""
        return self._clock

    async def wait_for_node(self, fully_qualified_node_name: str, *, check_interval: float = 0.1) -> None:
        """Wait for a node, and look for it each so many seconds."""
        while fully_qualified_node_name not in self.get_fully_qualified_node_names():
            await asyncio.sleep(check_interval)

    # Creating.

    def _check(self) -> None:
        if self._destroyed:
            raise RuntimeError('The node was destroyed')

    def create_publisher(self, msg_type, topic: str, qos_profile: QoSProfile | int) -> AsyncPublisher:
        """Create a publisher of a topic.

        :param qos_profile: a profile, or the depth of a history that keeps the last messages
        """
        self._check()
        check_is_valid_msg_type(msg_type)
        profile = self._validate_qos_or_depth_parameter(qos_profile)
        handle = self._with_valid_name(
            lambda name: _rclpy.Publisher(self.handle, msg_type, name, profile.get_c_qos_profile()), topic)
        publisher = AsyncPublisher(handle, msg_type, topic, profile)
        self._keep(self._publishers, publisher)
        return publisher

    def create_subscription(
        self,
        msg_type,
        topic: str,
        callback: Callable[..., Any],
        qos_profile: QoSProfile | int,
        *,
        raw: bool = False,
        concurrent: bool = False,
        content_filter_options: ContentFilterOptions | None = None
    ) -> AsyncSubscription:
        """Create a subscription to a topic.

        :param callback: is called with each message, and with what is known of it if it takes that, too
        :param qos_profile: a profile, or the depth of a history that keeps the last messages
        :param raw: whether messages stay serialized
        :param concurrent: whether a coroutine may begin before that of the last message has ended
        """
        self._check()
        check_is_valid_msg_type(msg_type)
        profile = self._validate_qos_or_depth_parameter(qos_profile)
        handle = self._with_valid_name(
            lambda name: _rclpy.Subscription(
                self.handle, msg_type, name, profile.get_c_qos_profile(), content_filter_options), topic)
        with destroyed_on_error(handle):
            subscription = AsyncSubscription(
                handle, msg_type, topic, callback, profile, raw=raw, concurrent=concurrent)
        return self._serve(self._subscriptions, subscription)

    def create_service(
        self,
        srv_type,
        srv_name: str,
        callback: Callable[..., Any],
        *,
        qos_profile: QoSProfile = qos_profile_services_default,
        concurrent: bool = False
    ) -> AsyncService:
        """Create a service; its callback gets each request and a response, and returns the response.

        :param concurrent: whether a coroutine may begin before that of the last request has ended
        """
        self._check()
        check_is_valid_srv_type(srv_type)
        handle = self._with_valid_name(
            lambda name: _rclpy.Service(self.handle, srv_type, name, qos_profile.get_c_qos_profile()),
            srv_name, is_service=True)
        service = AsyncService(handle, srv_type, srv_name, callback, qos_profile, concurrent=concurrent)
        return self._serve(self._services, service)

    def create_client(
        self, srv_type, srv_name: str, *, qos_profile: QoSProfile = qos_profile_services_default
    ) -> AsyncClient:
        """Create a client of a service."""
        self._check()
        check_is_valid_srv_type(srv_type)
        handle = self._with_valid_name(
            lambda name: _rclpy.Client(self.handle, srv_type, name, qos_profile.get_c_qos_profile()),
            srv_name, is_service=True)
        return self._serve(self._clients, AsyncClient(self.context, handle, srv_type, srv_name, qos_profile))

    def create_timer(
        self, timer_period_sec: float, callback: Callable[..., Any], autostart: bool = True
    ) -> AsyncTimer:
        """Create a timer by the node's clock; its callback takes nothing, or a TimerInfo."""
        self._check()
        timer = AsyncTimer(
            int(float(timer_period_sec) * S_TO_NS), self._clock, self.context, callback, autostart)
        return self._serve(self._timers, timer)

    def _serve(self, entities: list, entity):
        self._keep(entities, entity)
        self._register(entity)
        return entity

    # Destroying.

    def destroy_node(self) -> None:
        """Destroy the node and all that it has created, and end run(); more than once is possible.

        From another thread than that of its loop, that happens a moment later.
        """
        if self._destroyed:
            return
        if self._is_elsewhere():
            self._loop.call_soon_threadsafe(self.destroy_node)
            return
        self._destroyed = True
        if self._bridge is not None:
            self._bridge.stop()
        self._clock._destroy()
        super().destroy_node()
        self._ended.set()

    def _is_elsewhere(self) -> bool:
        """Return whether another thread runs the loop."""
        try:
            here = asyncio.get_running_loop()
        except RuntimeError:
            here = None
        return self._loop is not None and self._loop is not here and self._loop.is_running()
