"""Timers of an AsyncNode."""

from __future__ import annotations

from collections.abc import Callable
import inspect
from typing import TYPE_CHECKING

from rclpy.context import Context
from rclpy.experimental.async_entity import AsyncServed
from rclpy.timer import Timer

if TYPE_CHECKING:
    from rclpy.experimental.async_clock import AsyncClock


class AsyncTimer(AsyncServed, Timer):
    """Call back again and again, in an event loop, a period of the node's clock after another.

    Periods that end while a callback runs are left out.
    """

    def __init__(self, timer_period_ns: int, clock: AsyncClock, context: Context, callback: Callable, autostart: bool):
        """Make one. Nodes do: AsyncNode.create_timer().

        :raises RuntimeError: the callback takes more than a TimerInfo
        """
        _check(callback)
        super().__init__(callback, self._own_group(), timer_period_ns, clock, context=context, autostart=autostart)

    @property
    def callback(self) -> Callable:
        """Return what is called."""
        return self._callback

    @callback.setter
    def callback(self, value: Callable) -> None:
        _check(value)
        Timer.callback.fset(self, value)

    def _is_wanted(self) -> bool:
        return super()._is_wanted() and not self.is_canceled()


def _check(callback: Callable) -> None:
    """Raise RuntimeError unless a callback can be called with nothing, or with a TimerInfo."""
    try:
        signature = inspect.signature(callback)
    except ValueError:  # written in C
        return
    for arguments in ((), (None,)):
        try:
            signature.bind(*arguments)
        except TypeError:
            continue
        return
    raise RuntimeError('the callback of a timer has to take no argument, or one: a TimerInfo')
