"""Services."""

from __future__ import annotations

from types import CoroutineType
from types import GenericAlias

from rclpy.impl.entity import Entity


class Service(Entity):
    """Call back for each request, and send what the callback returns."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, service_impl, srv_type, srv_name, callback, callback_group, qos_profile):
        """Wrap the native part. Nodes do: Node.create_service()."""
        self.__service = service_impl
        self.srv_type = srv_type
        self.srv_name = srv_name
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False
        self.qos_profile = qos_profile

    def send_response(self, response, header):
        """Answer the request of a header. TypeError for a response of another class."""
        if not isinstance(response, self.srv_type.Response):
            raise TypeError(f'Expected {self.srv_type.Response}, got {type(response)}')
        with self.handle:
            self.__service.service_send_response(response, header)

    def configure_introspection(self, clock, service_event_qos_profile, introspection_state):
        """Publish what is called from now on, on '<service>/_service_event'."""
        with self.handle:
            self.__service.configure_introspection(
                clock.handle, service_event_qos_profile.get_c_qos_profile(), introspection_state)

    @property
    def handle(self):
        """Return the native part."""
        return self.__service

    @property
    def service_name(self) -> str:
        """Return the service after expansion and remapping."""
        with self.handle:
            return self.__service.name

    @property
    def logger_name(self) -> str:
        """Return the name of the node's logger."""
        with self.handle:
            return self.__service.get_logger_name()

    def _run(self, data):
        request, info = data
        response = self.callback(request, self.srv_type.Response())
        if isinstance(response, CoroutineType):
            return self._respond_later(response, info)
        self.send_response(response, info)

    async def _respond_later(self, response, info):
        self.send_response(await response, info)
