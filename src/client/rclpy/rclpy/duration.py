"""Lengths of time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.constants import S_TO_NS
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    import builtin_interfaces.msg

DurationType = _rclpy.rcl_duration_t


class Duration:
    """A length of time in nanoseconds, which may be negative."""

    __slots__ = ('__weakref__', '_duration_handle')

    def __init__(self, *, seconds: int | float = 0, nanoseconds: int | float = 0):
        """Add up seconds and nanoseconds; what is less than a nanosecond is cut off."""
        total = int(seconds * S_TO_NS) + int(nanoseconds)
        if not -2**63 <= total < 2**63:
            raise OverflowError('Total nanoseconds value is too large to store in C duration.')
        self._duration_handle = _rclpy.rcl_duration_t(total)

    @property
    def nanoseconds(self) -> int:
        """Return the length in nanoseconds."""
        return self._duration_handle.nanoseconds

    def get_c_duration(self) -> DurationType:
        """Return the native part."""
        return self._duration_handle

    def to_msg(self) -> builtin_interfaces.msg.Duration:
        """Return it as a message."""
        from builtin_interfaces.msg import Duration as DurationMessage
        seconds, nanoseconds = divmod(self.nanoseconds, S_TO_NS)
        return DurationMessage(sec=seconds, nanosec=nanoseconds)

    @classmethod
    def from_msg(cls, msg: builtin_interfaces.msg.Duration) -> Duration:
        """Return what a message says."""
        if not (hasattr(msg, 'sec') and hasattr(msg, 'nanosec')):
            raise TypeError('Must pass a builtin_interfaces.msg.Duration object')
        return cls(nanoseconds=msg.sec * S_TO_NS + msg.nanosec)

    def __add__(self, other):
        """Return the sum of two durations."""
        if not isinstance(other, Duration):
            return NotImplemented
        return Duration(nanoseconds=self.nanoseconds + other.nanoseconds)

    def __sub__(self, other):
        """Return the difference of two durations."""
        if not isinstance(other, Duration):
            return NotImplemented
        return Duration(nanoseconds=self.nanoseconds - other.nanoseconds)

    def __mul__(self, other):
        """Return a multiple; infinitely many times is Infinite."""
        if not isinstance(other, (int, float)):
            return NotImplemented
        product = self.nanoseconds * other
        return Duration(nanoseconds=Infinite.nanoseconds if product == float('inf') else product)

    def __eq__(self, other):
        """Return whether two durations are equally long."""
        if not isinstance(other, Duration):
            return NotImplemented
        return self.nanoseconds == other.nanoseconds

    def __lt__(self, other):
        """Return whether it is shorter than another duration."""
        if not isinstance(other, Duration):
            return NotImplemented
        return self.nanoseconds < other.nanoseconds

    def __le__(self, other):
        """Return whether it is not longer than another duration."""
        if not isinstance(other, Duration):
            return NotImplemented
        return self.nanoseconds <= other.nanoseconds

    def __gt__(self, other):
        """Return whether it is longer than another duration."""
        if not isinstance(other, Duration):
            return NotImplemented
        return self.nanoseconds > other.nanoseconds

    def __ge__(self, other):
        """Return whether it is not shorter than another duration."""
        if not isinstance(other, Duration):
            return NotImplemented
        return self.nanoseconds >= other.nanoseconds

    def __repr__(self) -> str:
        """Return the nanoseconds with their name."""
        return f'Duration(nanoseconds={self.nanoseconds})'

    def __str__(self) -> str:
        """Return it for people."""
        if self.nanoseconds == _rclpy.RMW_DURATION_INFINITE:
            return 'Infinite'
        return f'{self.nanoseconds} nanoseconds'


Infinite = Duration(nanoseconds=_rclpy.RMW_DURATION_INFINITE)
