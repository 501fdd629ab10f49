"""Clients of services of an AsyncNode."""

from __future__ import annotations

import asyncio
from typing import Any

from rclpy.context import Context
from rclpy.client import Client
from rclpy.experimental.async_entity import AsyncServed
from rclpy.qos import QoSProfile


class AsyncClient(AsyncServed, Client):
    """Call a service from coroutines. asyncio.timeout() ends what waits too long."""

    def __init__(self, context: Context, client_impl, srv_type, srv_name: str, qos_profile: QoSProfile):
        """Wrap the native part. Nodes do: AsyncNode.create_client()."""
        super().__init__(context, client_impl, srv_type, srv_name, qos_profile, self._own_group())
        self._calls: dict[int, asyncio.Future] = {}  # by the numbers of requests

    async def call(self, request: Any) -> Any:
        """Call, and wait for the response, which is taken while the node runs.

        :raises TypeError: the request is of another class
        :raises RuntimeError: the client was destroyed
        :raises asyncio.CancelledError: it was destroyed meanwhile
        """
        if not isinstance(request, self.srv_type.Request):
            raise TypeError(f'Expected {self.srv_type.Request}, got {type(request)}')
        response = asyncio.get_running_loop().create_future()
        with self.handle:
            number = self.handle.send_request(request)
        self._calls[number] = response
        try:
            return await response
        finally:
            del self._calls[number]

    async def wait_for_service(self, *, check_interval: float = 0.1) -> None:
        """Wait for a server, and look for it each so many seconds."""
        while not self.service_is_ready():
            await asyncio.sleep(check_interval)

    def _run(self, data) -> None:
        info, message = data
        response = self._calls.get(info.request_id.sequence_number)
        if response is not None and not response.done():
            response.set_result(message)

    def _destroy(self) -> None:
        for response in self._calls.values():
            response.cancel()
        super()._destroy()
