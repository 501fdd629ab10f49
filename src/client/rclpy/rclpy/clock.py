"""Clocks, and what happens when their time jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
import weakref

from rclpy.clock_type import ClockType
from rclpy.duration import Duration
from rclpy.exceptions import NotInitializedException
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.time import Time

if TYPE_CHECKING:
    from rclpy.context import Context

ClockChange = _rclpy.ClockChange
ClockHandle = _rclpy.Clock

JumpHandlePreCallbackType = Callable[[], None]
TimeJumpDictionary = dict[str, int]


class JumpThreshold:
    """Which jumps of the time are told."""

    def __init__(self, *, min_forward: Duration | None, min_backward: Duration | None, on_clock_change: bool = True):
        """Choose jumps by their lengths, and those between real and simulated time; None: of no length.

        :param min_forward: the shortest jump forward, positive
        :param min_backward: the shortest jump backward, negative
        """
        if min_forward is not None and min_forward.nanoseconds <= 0:
            raise ValueError('min_forward must be a positive non-zero duration')
        if min_backward is not None and min_backward.nanoseconds >= 0:
            raise ValueError('min_backward must be a negative non-zero duration')
        if min_forward is None and min_backward is None and not on_clock_change:
            raise ValueError('At least one jump threshold must be enabled')
        self.min_forward = min_forward
        self.min_backward = min_backward
        self.on_clock_change = on_clock_change


class TimeJump:
    """A jump that has happened."""

    def __init__(self, clock_change: ClockChange, delta: Duration):
        """Store what is known of it."""
        self._clock_change = clock_change
        self._delta = delta

    @property
    def clock_change(self) -> ClockChange:
        """Return whether simulated time has begun or ended."""
        return self._clock_change

    @property
    def delta(self) -> Duration:
        """Return how far the time has jumped."""
        return self._delta


class JumpHandle:
    """Callbacks of jumps, until they are unregistered or the clock has gone."""

    def __init__(self, *, clock: BaseClock, threshold: JumpThreshold,
                 pre_callback: JumpHandlePreCallbackType | None,
                 post_callback: Callable[[TimeJumpDictionary], None] | None):
        """Register them. BaseClock.create_jump_callback() does that."""
        if pre_callback is None and post_callback is None:
            raise ValueError('One of pre_callback or post_callback must be callable')
        if pre_callback is not None and not callable(pre_callback):
            raise ValueError('pre_callback must be callable if given')
        if post_callback is not None and not callable(post_callback):
            raise ValueError('post_callback must be callable if given')
        self._pre_callback = pre_callback
        self._post_callback = post_callback
        min_forward, min_backward = threshold.min_forward, threshold.min_backward
        with clock.handle:
            clock.handle.add_clock_callback(
                self, threshold.on_clock_change,
                0 if min_forward is None else min_forward.nanoseconds,
                0 if min_backward is None else min_backward.nanoseconds)
        self._clock = weakref.ref(clock)  # the clock keeps this handle

    def unregister(self) -> None:
        """Call back no more."""
        clock = None if self._clock is None else self._clock()
        self._clock = None
        if clock is not None:
            with clock.handle:
                clock.handle.remove_clock_callback(self)

    def __enter__(self) -> JumpHandle:
        """Return it."""
        return self

    def __exit__(self, t, v, tb) -> None:
        """Unregister the callbacks."""
        self.unregister()


class BaseClock:
    """A clock of some kind."""

    def __new__(cls, *, clock_type: ClockType = ClockType.SYSTEM_TIME):
        """Make a clock."""
        if not isinstance(clock_type, ClockType):
            raise TypeError('Clock type must be a ClockType enum')
        clock = super().__new__(cls)
        clock._handle = _rclpy.Clock(clock_type)
        clock._clock_type = clock_type
        return clock

    @property
    def clock_type(self) -> ClockType:
        """Return its kind."""
        return self._clock_type

    @property
    def handle(self) -> ClockHandle:
        """Return the native part."""
        return self._handle

    def __repr__(self) -> str:
        """Return its kind."""
        return f'Clock(clock_type={self._clock_type.name})'

    def now(self) -> Time:
        """Return the time that it shows."""
        with self._handle:
            return Time._from_handle(self._handle.get_now())

    def create_jump_callback(self, threshold: JumpThreshold, *,
                             pre_callback: JumpHandlePreCallbackType | None = None,
                             post_callback: Callable[[TimeJump], None] | None = None) -> JumpHandle:
        """Have functions called before and after each jump, in the thread that sets the time."""
        def call_after_jump(values):
            post_callback(TimeJump(ClockChange(values['clock_change']), Duration(nanoseconds=values['delta'])))

        return JumpHandle(clock=self, threshold=threshold, pre_callback=pre_callback,
                          post_callback=call_after_jump if callable(post_callback) else post_callback)

    def _check_is_of_ros_time(self):
        if self._clock_type != ClockType.ROS_TIME:
            raise _rclpy.RCLError(f'a clock of {self._clock_type.name} has no simulated time')

    @property
    def ros_time_is_active(self) -> bool:
        """Return whether it shows simulated time. RCLError if its kind cannot."""
        self._check_is_of_ros_time()
        with self._handle:
            return self._handle.get_ros_time_override_is_enabled()

    def _set_ros_time_is_active(self, enabled: bool) -> None:
        """Show simulated time, or that of the system. For TimeSource and tests."""
        self._check_is_of_ros_time()
        with self._handle:
            self._handle.set_ros_time_override_is_enabled(enabled)

    def set_ros_time_override(self, time: Time) -> None:
        """Set the simulated time. RCLError if its kind has none."""
        self._check_is_of_ros_time()
        with self._handle:
            self._handle.set_ros_time_override(time._time_handle)


class Clock(BaseClock):
    """A clock by which threads can sleep; a ROSClock if it is of ROS_TIME."""

    def __new__(cls, *, clock_type: ClockType = ClockType.SYSTEM_TIME):
        """Make a clock."""
        if cls is Clock and clock_type is ClockType.ROS_TIME:
            cls = ROSClock
        return BaseClock.__new__(cls, clock_type=clock_type)

    def sleep_until(self, until: Time, context: Context | None = None) -> bool:
        """Block until a time of this clock.

        :param context: the context whose shutdown ends it; None: the default one
        :return: whether the time was reached: not if the context was shut down or simulated time began or ended
        """
        if until.clock_type != self._clock_type:
            raise ValueError("until's clock type does not match this clock's type")
        if context is None:
            from rclpy.utilities import get_default_context
            context = get_default_context()
        if not context.ok():
            raise NotInitializedException()
        sleep = _Sleep(self)
        context.on_shutdown(sleep.end)
        threshold = JumpThreshold(min_forward=Duration(nanoseconds=1), min_backward=None, on_clock_change=True)
        with self.create_jump_callback(threshold, post_callback=sleep.on_jump):
            return sleep.wait(until, context)

    def sleep_for(self, rel_time: Duration, context: Context | None = None) -> bool:
        """Block for a while by this clock, as sleep_until() does."""
        return self.sleep_until(self.now() + rel_time, context)


class ROSClock(Clock):
    """A clock that shows the time of the system, or simulated time while that is active."""

    def __new__(cls):
        """Make a clock."""
        return super().__new__(cls, clock_type=ClockType.ROS_TIME)


class _Sleep:
    """One call of sleep_until()."""

    def __init__(self, clock: Clock):
        self._clock = clock
        self._event = _rclpy.ClockEvent()
        self._is_ended = False
        self._wait_natively = {
            ClockType.ROS_TIME: self._event.wait_until_ros,
            ClockType.STEADY_TIME: self._event.wait_until_steady,
            ClockType.SYSTEM_TIME: self._event.wait_until_system,
        }[clock.clock_type]

    def end(self):
        """Wake the sleeper before its time."""
        self._is_ended = True
        self._event.set()

    def on_jump(self, jump: TimeJump):
        """Have the sleeper look at its clock."""
        if jump.clock_change in (ClockChange.ROS_TIME_ACTIVATED, ClockChange.ROS_TIME_DEACTIVATED):
            self._is_ended = True
        self._event.set()

    def wait(self, until: Time, context: Context) -> bool:
        """Return whether the time was reached."""
        while not self._is_ended and context.ok():
            if self._clock.now() >= until:
                return True
            self._wait_natively(self._clock.handle, until._time_handle)
            self._event.clear()  # before the next look at what may have set it
        return False
