"""SIGINT and SIGTERM shut down all contexts."""

from __future__ import annotations

from rclpy.guard_condition import GuardCondition
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

SignalHandlerOptions = _rclpy.SignalHandlerOptions


def install_signal_handlers(options: SignalHandlerOptions = SignalHandlerOptions.ALL):
    """Install the handlers that shut down all contexts. What was there before is called, too."""
    return _rclpy.install_signal_handlers(options)


def get_current_signal_handlers_options() -> SignalHandlerOptions:
    """Return which handlers are installed."""
    return _rclpy.get_current_signal_handlers_options()


def uninstall_signal_handlers():
    """Put back what was there before."""
    _rclpy.uninstall_signal_handlers()


class SignalHandlerGuardCondition(GuardCondition):
    """A guard condition that SIGINT triggers: waits end by themselves when a context is shut down."""

    def __init__(self, context=None):
        """Make one for a context."""
        super().__init__(callback=None, callback_group=None, context=context)
