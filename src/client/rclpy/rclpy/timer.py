"""Timers, and rates that are made of them."""

from __future__ import annotations

from collections.abc import Callable
import threading
from types import FunctionType
from typing import TYPE_CHECKING

from rclpy.clock_type import ClockType
from rclpy.exceptions import NotInitializedException
from rclpy.exceptions import ROSInterruptException
from rclpy.impl.entity import Entity
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.time import Time
from rclpy.utilities import get_default_context

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup
    from rclpy.clock import Clock
    from rclpy.context import Context


class TimerInfo:
    """When a timer's callback was called."""

    def __init__(self, *, expected_call_time: int = 0, actual_call_time: int = 0,
                 clock_type: ClockType = ClockType.SYSTEM_TIME):
        """Store times, in nanoseconds of this kind of clock."""
        self._expected_call_time = Time(nanoseconds=expected_call_time, clock_type=clock_type)
        self._actual_call_time = Time(nanoseconds=actual_call_time, clock_type=clock_type)

    @property
    def expected_call_time(self) -> Time:
        """Return when it was due."""
        return self._expected_call_time

    @property
    def actual_call_time(self) -> Time:
        """Return when it was called."""
        return self._actual_call_time


class Timer(Entity):
    """Call back again and again, a period of a clock after another."""

    def __init__(self, callback: Callable | None, callback_group: CallbackGroup, timer_period_ns: int, clock: Clock, *,
                 context: Context | None = None, autostart: bool = True):
        """Make one. Nodes do: Node.create_timer().

        :param callback: called without arguments, or with a TimerInfo if it needs an argument
        :param autostart: False: nothing happens before reset()
        """
        self._context = get_default_context() if context is None else context
        if self._context.handle is None:
            raise NotInitializedException('cannot create timer')
        self._clock = clock
        with self._clock.handle, self._context.handle:
            self._handle = _rclpy.Timer(clock.handle, self._context.handle, int(timer_period_ns), autostart)
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False

    @property
    def handle(self):
        """Return the native part."""
        return self._handle

    @property
    def clock(self) -> Clock:
        """Return the clock that it looks at."""
        return self._clock

    @property
    def callback(self) -> Callable | None:
        """Return what is called."""
        return self._callback

    @callback.setter
    def callback(self, value: Callable | None):
        self._wants_info = value is not None and _needs_argument(value)
        self._callback = value

    @property
    def timer_period_ns(self) -> int:
        """Return the period in nanoseconds."""
        with self._handle:
            return self._handle.get_timer_period()

    @timer_period_ns.setter
    def timer_period_ns(self, value: int):
        with self._handle:
            self._handle.change_timer_period(int(value))

    def is_ready(self) -> bool:
        """Return whether the callback is due."""
        with self._handle:
            return self._handle.is_timer_ready()

    def is_canceled(self) -> bool:
        """Return whether it calls nothing until reset()."""
        with self._handle:
            return self._handle.is_timer_canceled()

    def cancel(self) -> None:
        """Call nothing until reset()."""
        with self._handle:
            self._handle.cancel_timer()

    def reset(self) -> None:
        """Begin a period now."""
        with self._handle:
            self._handle.reset_timer()

    def time_since_last_call(self) -> int:
        """Return the nanoseconds since the callback was called."""
        with self._handle:
            return self._handle.time_since_last_call()

    def time_until_next_call(self) -> int | None:
        """Return the nanoseconds until the callback is due, negative if it is late; None if canceled."""
        with self._handle:
            return self._handle.time_until_next_call()

    def _run(self, data: tuple[int, int]):
        """Call back, for the executor.

        :param data: when it was due and when it was called, in nanoseconds
        """
        if self._callback is None:
            return None
        if not self._wants_info:
            return self._callback()
        expected, actual = data
        return self._callback(TimerInfo(expected_call_time=expected, actual_call_time=actual,
                                        clock_type=self._clock.clock_type))


def _needs_argument(callback: Callable) -> bool:
    """Return whether a callback cannot be called without arguments."""
    function = getattr(callback, '__func__', callback)
    if isinstance(function, FunctionType) and not hasattr(function, '__wrapped__'):  # without the cost of inspect
        own = 0 if function is callback else 1  # self or cls
        return function.__code__.co_argcount - len(function.__defaults__ or ()) > own
    import inspect
    try:
        signature = inspect.signature(callback)
    except (TypeError, ValueError):  # written in C
        return False
    try:
        signature.bind()
    except TypeError:
        return True
    return False


class Rate:
    """Let threads sleep until the next period of a timer ends, which an executor has to serve."""

    def __init__(self, timer: Timer, *, context: Context):
        """Take over a timer. Nodes do: Node.create_rate()."""
        self._timer = timer
        self._is_shutdown = False
        self._is_destroyed = False
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._num_sleepers = 0
        timer.callback = self._event.set
        context.on_shutdown(self._on_shutdown)

    def _on_shutdown(self) -> None:
        """Wake all sleepers, with an exception."""
        with self._lock:
            self._is_shutdown = True
            self._event.set()

    def destroy(self) -> None:
        """Wake all sleepers and end the timer. Node.destroy_rate() does that and forgets it."""
        with self._lock:
            self._is_destroyed = True
            self._event.set()
        self._timer.destroy()

    def _presleep(self) -> None:
        """Count one sleeper more, unless nobody can sleep any more."""
        with self._lock:
            if self._is_shutdown:
                raise ROSInterruptException()
            if self._is_destroyed:
                raise RuntimeError('Rate cannot sleep because it has been destroyed')
            self._num_sleepers += 1

    def _postsleep(self) -> None:
        """Count one sleeper less; the last one waits for the next period again."""
        with self._lock:
            self._num_sleepers -= 1
            if self._is_shutdown:
                raise ROSInterruptException()
            if self._num_sleepers == 0 and not self._is_destroyed:
                self._event.clear()

    def sleep(self) -> None:
        """Block until the period ends; not at all if it has ended since the last sleep.

        :raises ROSInterruptException: the context was shut down
        :raises RuntimeError: it was destroyed before
        """
        self._presleep()
        try:
            self._event.wait()
        finally:
            self._postsleep()
