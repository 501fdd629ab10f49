"""Clients of services."""

from __future__ import annotations

import threading
import time
from types import GenericAlias

from rclpy.impl.entity import Entity
from rclpy.task import Future

_POLL_INTERVAL = 0.05  # s, of wait_for_service()


class Client(Entity):
    """Call a service. Thread-safe."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, context, client_impl, srv_type, srv_name, qos_profile, callback_group):
        """Wrap the native part. Nodes do: Node.create_client()."""
        self.context = context
        self.__client = client_impl
        self.srv_type = srv_type
        self.srv_name = srv_name
        self.qos_profile = qos_profile
        self.callback_group = callback_group
        self._executor_event = False
        self._lock = threading.Lock()
        self._pending_requests = {}  # futures by the numbers of requests; guarded by _lock

    def call(self, request, timeout_sec: float = None):
        """Call, and wait for the response; not in a callback, which would keep its executor from taking it.

        Return None when the time is over.
        """
        done = threading.Event()
        future = self.call_async(request)
        future.add_done_callback(lambda _: done.set())
        if not done.wait(timeout_sec):
            self.remove_pending_request(future)
            return None
        if future.exception() is not None:
            raise future.exception()
        return future.result()

    def call_async(self, request) -> Future:
        """Call, and return a future that is done once an executor has taken the response."""
        if not isinstance(request, self.srv_type.Request):
            raise TypeError()
        with self._lock, self.handle:
            sequence_number = self.__client.send_request(request)
            future = Future()
            self._pending_requests[sequence_number] = future
        future.add_done_callback(self.remove_pending_request)
        return future

    def get_pending_request(self, sequence_number: int) -> Future:
        """Return the future of a request. KeyError if it does not wait for a response."""
        with self._lock:
            return self._pending_requests[sequence_number]

    def remove_pending_request(self, future: Future):
        """Forget a request: a response that comes is dropped."""
        with self._lock:
            for number, pending in self._pending_requests.items():
                if pending is future:
                    del self._pending_requests[number]
                    break

    def service_is_ready(self) -> bool:
        """Return whether a server is there."""
        with self.handle:
            return self.__client.service_server_is_available()

    def wait_for_service(self, timeout_sec: float = None) -> bool:
        """Wait for a server; None waits for ever. Return False when the time is over, or after shutdown."""
        end = None if timeout_sec is None or timeout_sec < 0 else time.monotonic() + timeout_sec
        while self.context.ok():
            if self.service_is_ready():
                return True
            rest = _POLL_INTERVAL if end is None else min(_POLL_INTERVAL, end - time.monotonic())
            if rest <= 0:
                break
            time.sleep(rest)
        return self.context.ok() and self.service_is_ready()

    def configure_introspection(self, clock, service_event_qos_profile, introspection_state):
        """Publish what is called from now on, on '<service>/_service_event'."""
        with self.handle:
            self.__client.configure_introspection(
                clock.handle, service_event_qos_profile.get_c_qos_profile(), introspection_state)

    @property
    def handle(self):
        """Return the native part."""
        return self.__client

    @property
    def service_name(self) -> str:
        """Return the service after expansion and remapping."""
        with self.handle:
            return self.__client.service_name

    @property
    def logger_name(self) -> str:
        """Return the name of the node's logger."""
        with self.handle:
            return self.__client.get_logger_name()

    def _run(self, data):
        info, response = data
        with self._lock:
            future = self._pending_requests.pop(info.request_id.sequence_number, None)
        if future is not None:
            future.set_result(response)
