"""Publishers of managed nodes."""

from __future__ import annotations

from typing import Any

from .managed_entity import SimpleManagedEntity
from rclpy.publisher import Publisher


class LifecyclePublisher(SimpleManagedEntity, Publisher):
    """A publisher that publishes only while its node is active."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Make it as a Publisher is made."""
        SimpleManagedEntity.__init__(self)
        Publisher.__init__(self, *args, **kwargs)

    @SimpleManagedEntity.when_enabled
    def publish(self, msg: Any) -> None:
        """Publish a message, or bytes of one; do nothing while the node is not active."""
        Publisher.publish(self, msg)
