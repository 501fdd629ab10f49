"""The services, topics and timers that the ends of an action are made of."""

from __future__ import annotations

import contextlib
from typing import Any, Callable, TYPE_CHECKING

from rclpy.client import Client
from rclpy.event_handler import PublisherEventCallbacks, SubscriptionEventCallbacks
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.publisher import Publisher
from rclpy.service import Service
from rclpy.subscription import Subscription
from rclpy.timer import Timer
from rclpy.type_support import check_for_type_support

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup
    from rclpy.node import Node
    from rclpy.qos import QoSProfile


async def call(callback: Callable, *args: Any) -> Any:
    """Return what a function or a coroutine function returns."""
    result = callback(*args)
    return await result if hasattr(result, '__await__') else result


class _RespondingService(Service):
    """A service whose callback gets the request and a function for the response, which it calls whenever it wants."""

    def _run(self, data: tuple) -> Any:
        request, header = data
        return self.callback(request, lambda response: self.send_response(response, header))


class _WatchedClient(Client):
    """A client that tells of responses that nobody waits for."""

    def __init__(self, on_unexpected: Callable[[], None], *args: Any) -> None:
        super().__init__(*args)
        self._on_unexpected = on_unexpected

    def _run(self, data: tuple) -> Any:
        try:
            self.get_pending_request(data[0].request_id.sequence_number)
        except KeyError:
            self._on_unexpected()
            return None
        return super()._run(data)


class ActionEntities:
    """Make what one end of an action consists of, and destroy it.

    It is in none of the node's lists: it lives until the action's end is destroyed, also when its node is before.
    """

    def __init__(self, node: Node, action_type: type, action_name: str, group: CallbackGroup | None) -> None:
        """Take what all entities have in common."""
        check_for_type_support(action_type)
        self._node = node
        self._name = node.resolve_service_name(action_name)
        self._group = group if group is not None else node.default_callback_group
        self._entities: list = []
        self._end: Any = None

    def client(self, srv_type: type, part: str, qos: QoSProfile, on_unexpected: Callable[[], None]) -> Client:
        """Return a client of a part of the action. `on_unexpected` is called at responses that nobody waits for."""
        name = self._name_of(part)
        with self._node.handle:
            native = _rclpy.Client(self._node.handle, srv_type, name, qos.get_c_qos_profile())
        return self._serve(
            _WatchedClient(on_unexpected, self._node.context, native, srv_type, name, qos, self._group))

    def service(self, srv_type: type, part: str, callback: Callable, qos: QoSProfile) -> Service:
        """Return a service of a part of the action. The callback gets the request and a function for the response."""
        name = self._name_of(part)
        with self._node.handle:
            native = _rclpy.Service(self._node.handle, srv_type, name, qos.get_c_qos_profile())
        return self._serve(_RespondingService(native, srv_type, name, callback, self._group, qos))

    def publisher(self, msg_type: type, part: str, qos: QoSProfile) -> Publisher:
        """Return a publisher of a part of the action."""
        name = self._name_of(part)
        with self._node.handle:
            native = _rclpy.Publisher(self._node.handle, msg_type, name, qos.get_c_qos_profile())
        events = PublisherEventCallbacks(use_default_callbacks=False)
        publisher = Publisher(native, msg_type, name, qos, events, self._group)
        self._entities.append(publisher)
        return publisher

    def subscription(self, msg_type: type, part: str, callback: Callable, qos: QoSProfile) -> Subscription:
        """Return a subscription of a part of the action."""
        name = self._name_of(part)
        with self._node.handle:
            native = _rclpy.Subscription(self._node.handle, msg_type, name, qos.get_c_qos_profile())
        events = SubscriptionEventCallbacks(use_default_callbacks=False)
        return self._serve(Subscription(native, msg_type, name, callback, self._group, qos, False, events))

    def timer(self, period_ns: int, callback: Callable) -> Timer:
        """Return a timer by the node's clock."""
        return self._serve(
            Timer(callback, self._group, period_ns, self._node.get_clock(), context=self._node.context))

    def keep(self, end: Any) -> None:
        """Let the node keep an ActionClient or ActionServer until it is destroyed, as it keeps what it creates."""
        self._end = end
        vars(self._node).setdefault('_action_ends', []).append(end)

    def remove(self, entity: Any) -> None:
        """Destroy one of the entities."""
        with contextlib.suppress(ValueError):  # destroy() was called meanwhile
            self._entities.remove(entity)
        self._destroy(entity)

    def destroy(self) -> None:
        """Destroy all entities. The node keeps the action's end no longer."""
        entities, self._entities = self._entities, []
        for entity in entities:
            self._destroy(entity)
        ends = vars(self._node)['_action_ends']
        if self._end in ends:
            ends.remove(self._end)

    def _name_of(self, part: str) -> str:
        return f'{self._name}/_action/{part}'

    def _serve(self, entity: Any) -> Any:
        self._entities.append(entity)
        self._node._register(entity)
        return entity

    def _destroy(self, entity: Any) -> None:
        if not isinstance(entity, Publisher):
            self._node._unregister(entity)
        entity.destroy()
