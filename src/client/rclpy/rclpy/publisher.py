"""Publishers."""

from __future__ import annotations

from types import GenericAlias

from rclpy.duration import Duration
from rclpy.impl.entity import Entity


class BasePublisher(Entity):
    """Publish messages on a topic. Thread-safe."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, publisher_impl, msg_type, topic, qos_profile, *, on_destroy=None):
        """Wrap the native part."""
        self.__publisher = publisher_impl
        self.msg_type = msg_type
        self.topic = topic
        self.qos_profile = qos_profile
        self._on_destroy = on_destroy

    def publish(self, msg):
        """Publish a message, or a serialized one as bytes.

        It is written once, where subscriptions of this host read it. TypeError for a message of another class.
        """
        if isinstance(msg, self.msg_type):
            self.__publisher.publish(msg)
        elif isinstance(msg, bytes):
            self.__publisher.publish_raw(msg)
        else:
            raise TypeError(f'Expected {self.msg_type}, got {type(msg)}')

    def get_subscription_count(self) -> int:
        """Return how many subscriptions match."""
        with self.handle:
            return self.__publisher.get_subscription_count()

    @property
    def topic_name(self) -> str:
        """Return the topic after expansion and remapping."""
        with self.handle:
            return self.__publisher.get_topic_name()

    @property
    def handle(self):
        """Return the native part."""
        return self.__publisher

    @property
    def logger_name(self) -> str:
        """Return the name of the node's logger."""
        with self.handle:
            return self.__publisher.get_logger_name()

    def assert_liveliness(self):
        """Say that it lives, with QoS whose liveliness is manual."""
        from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
        with self.handle:
            _rclpy.rclpy_assert_liveliness(self.handle)


class Publisher(BasePublisher):
    """A publisher that calls back for events."""

    def __init__(self, publisher_impl, msg_type, topic, qos_profile, event_callbacks, callback_group, *,
                 on_destroy=None):
        """Wrap the native part. Nodes do: Node.create_publisher()."""
        super().__init__(publisher_impl, msg_type, topic, qos_profile, on_destroy=on_destroy)
        self.event_handlers = event_callbacks.create_event_handlers(callback_group, publisher_impl, topic)

    def wait_for_all_acked(self, timeout: Duration = Duration(seconds=-1)) -> bool:
        """Wait until reliable subscriptions have all messages; a negative timeout waits for ever.

        Return False when the time is over.
        """
        with self.handle:
            return self.handle.wait_for_all_acked(timeout.get_c_duration())

    def _destroy(self):
        for handler in self.event_handlers:
            handler.destroy()
        super()._destroy()
