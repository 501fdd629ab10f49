"""Clocks by which coroutines can sleep."""

from __future__ import annotations

import asyncio

from rclpy.clock import BaseClock
from rclpy.clock import ClockChange
from rclpy.clock import JumpThreshold
from rclpy.clock import TimeJump
from rclpy.clock_type import ClockType
from rclpy.constants import S_TO_NS
from rclpy.duration import Duration
from rclpy.exceptions import TimeSourceChangedError
from rclpy.time import Time


class AsyncClock(BaseClock):
    """A clock by which coroutines can sleep. Its node ends all sleeps when it is destroyed."""

    def __init__(self, *, clock_type: ClockType = ClockType.SYSTEM_TIME):
        """Make a clock."""
        self._sleeps: set[asyncio.Future] = set()
        self._destroyed = False

    async def sleep(self, duration_sec: float) -> None:
        """Sleep for a while of this clock: simulated time if that is active, otherwise time as it really passes.

        :raises RuntimeError: the node was destroyed
        :raises TimeSourceChangedError: simulated time has begun or ended meanwhile
        :raises asyncio.CancelledError: the node was destroyed meanwhile
        """
        if self._destroyed:
            raise RuntimeError('The clock was destroyed with its node')
        if duration_sec <= 0:
            return
        sleep = _Sleep(self)
        self._sleeps.add(sleep.future)
        threshold = JumpThreshold(min_forward=Duration(nanoseconds=1), min_backward=None, on_clock_change=True)
        try:
            with self.create_jump_callback(threshold, post_callback=sleep.on_jump):
                await sleep.wait(duration_sec)
        finally:
            self._sleeps.discard(sleep.future)

    def _is_simulated(self) -> bool:
        return self._clock_type is ClockType.ROS_TIME and self.ros_time_is_active

    def _destroy(self) -> None:
        """End all sleeps, and let none begin."""
        self._destroyed = True
        for future in self._sleeps:
            future.cancel()


class _Sleep:
    """One call of sleep()."""

    def __init__(self, clock: AsyncClock):
        self.future = asyncio.get_running_loop().create_future()
        self._clock = clock
        self._until: Time | None = None  # in simulated time

    async def wait(self, duration_sec: float) -> None:
        """Wait for the time, or an error."""
        if self._clock._is_simulated():
            self._until = self._clock.now() + Duration(nanoseconds=int(duration_sec * S_TO_NS))
            await self.future
            return
        timer = self.future.get_loop().call_later(duration_sec, self._end)
        try:
            await self.future
        finally:
            timer.cancel()

    def on_jump(self, jump: TimeJump) -> None:
        """Look at the clock, for which some thread has set the time."""
        is_changed = jump.clock_change in (ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED)
        try:
            self.future.get_loop().call_soon_threadsafe(self._look, is_changed)
        except RuntimeError:
            pass  # the loop is closed: nobody sleeps

    def _look(self, is_changed: bool) -> None:
        if is_changed:
            self._end(TimeSourceChangedError('The clock has begun or ended to show simulated time during a sleep'))
        elif self._until is not None and self._clock.now() >= self._until:
            self._end()

    def _end(self, error: Exception | None = None) -> None:
        if self.future.done():
            return
        if error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)
