"""Publishers of an AsyncNode."""

from __future__ import annotations

from rclpy.publisher import BasePublisher


class AsyncPublisher(BasePublisher):
    """Publish messages on a topic, also before the node runs. Publishing does not wait."""
