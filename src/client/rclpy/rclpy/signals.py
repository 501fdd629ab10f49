"""What SIGINT and SIGTERM do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.guard_condition import GuardCondition
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    from rclpy.context import Context

SignalHandlerOptions = _rclpy.SignalHandlerOptions


def install_signal_handlers(options: SignalHandlerOptions = SignalHandlerOptions.ALL) -> None:
    """Let signals shut all contexts down; handlers that were there before follow."""
    _rclpy.install_signal_handlers(options)


def get_current_signal_handlers_options() -> SignalHandlerOptions:
    """Return which signals shut contexts down."""
    return _rclpy.get_current_signal_handlers_options()


def uninstall_signal_handlers() -> None:
    """Give signals back to the handlers that were there before."""
    _rclpy.uninstall_signal_handlers()


class SignalHandlerGuardCondition(GuardCondition):
    """A guard condition for waits of one's own; signals end those by the shutdown of the context."""

    def __init__(self, context: Context | None = None) -> None:
        """Make one."""
        super().__init__(callback=None, callback_group=None, context=context)
