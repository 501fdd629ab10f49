"""Services of an AsyncNode."""

from __future__ import annotations

from collections.abc import Callable

from rclpy.experimental.async_entity import AsyncServed
from rclpy.qos import QoSProfile
from rclpy.service import Service


class AsyncService(AsyncServed, Service):
    """Call back for each request, in an event loop, and send what the callback returns."""

    def __init__(self, service_impl, srv_type, srv_name: str, callback: Callable, qos_profile: QoSProfile, *,
                 concurrent: bool = False):
        """Wrap the native part. Nodes do: AsyncNode.create_service()."""
        super().__init__(
            service_impl, srv_type, srv_name, callback, self._own_group(), qos_profile, concurrent=concurrent)

    def _run(self, data):
        return self.callback(data[0], self.srv_type.Response())

    def _complete(self, data, result) -> None:
        if not self._destroyed:  # by its callback
            self.send_response(result, data[1])
