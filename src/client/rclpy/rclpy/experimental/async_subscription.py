"""Subscriptions of an AsyncNode."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.experimental.async_entity import AsyncServed
from rclpy.qos import QoSProfile
from rclpy.subscription import Subscription


class AsyncSubscription(AsyncServed, Subscription):
    """Call back for each message of a topic, in an event loop."""

    def __init__(self, subscription_impl, msg_type, topic: str, callback: Callable, qos_profile: QoSProfile, *,
                 raw: bool = False, concurrent: bool = False):
        """Wrap the native part. Nodes do: AsyncNode.create_subscription()."""
        super().__init__(
            subscription_impl, msg_type, topic, callback, self._own_group(), qos_profile, raw,
            SubscriptionEventCallbacks(use_default_callbacks=False), concurrent=concurrent)
