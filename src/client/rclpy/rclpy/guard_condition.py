"""Callbacks that any thread can have an executor call."""

from rclpy.impl.entity import Entity
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.utilities import get_default_context


class GuardCondition(Entity):
    """Call back in an executor after a trigger."""

    def __init__(self, callback, callback_group, context=None):
        """Make one that is not triggered. Nodes do: Node.create_guard_condition()."""
        self._context = get_default_context() if context is None else context
        if self._context.handle is None:
            raise RuntimeError('Context must be initialized a GuardCondition can be created')
        with self._context.handle:
            self.__gc = _rclpy.GuardCondition(self._context.handle)
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False

    def trigger(self):
        """Have the callback called, by the executor of the node; several triggers may be one call."""
        with self.handle:
            self.__gc.trigger_guard_condition()

    @property
    def handle(self):
        """Return the native part."""
        return self.__gc

    def _run(self, data):
        return self.callback() if self.callback else None
