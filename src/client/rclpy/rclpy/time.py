"""Points in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.clock_type import ClockType
from rclpy.constants import S_TO_NS
from rclpy.duration import Duration
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    from datetime import datetime

    import builtin_interfaces.msg

TimeHandle = _rclpy.rcl_time_point_t


class Time:
    """A time that a kind of clock has shown or will show."""

    __slots__ = ('__weakref__', '_time_handle')

    def __init__(self, *, seconds: int | float = 0, nanoseconds: int | float = 0,
                 clock_type: ClockType = ClockType.SYSTEM_TIME):
        """Add up seconds and nanoseconds; what is less than a nanosecond is cut off."""
        if not isinstance(clock_type, ClockType):
            raise TypeError('Clock type must be a ClockType enum')
        if seconds < 0:
            raise ValueError('Seconds value must not be negative')
        if nanoseconds < 0:
            raise ValueError('Nanoseconds value must not be negative')
        total = int(seconds * S_TO_NS) + int(nanoseconds)
        if total >= 2**63:
            raise OverflowError('Total nanoseconds value is too large to store in C time point.')
        self._time_handle = _rclpy.rcl_time_point_t(total, clock_type)

    @classmethod
    def _from_handle(cls, handle: TimeHandle) -> Time:
        """Return the time of a native part."""
        time = cls.__new__(cls)
        time._time_handle = handle
        return time

    @property
    def nanoseconds(self) -> int:
        """Return the nanoseconds since the clock's zero."""
        return self._time_handle.nanoseconds

    def seconds_nanoseconds(self) -> tuple[int, int]:
        """Return whole seconds and the nanoseconds of the rest."""
        return divmod(self.nanoseconds, S_TO_NS)

    @property
    def clock_type(self) -> ClockType:
        """Return the kind of clock."""
        return self._time_handle.clock_type

    def to_msg(self) -> builtin_interfaces.msg.Time:
        """Return it as a message, which does not tell the kind of clock."""
        from builtin_interfaces.msg import Time as TimeMessage
        seconds, nanoseconds = self.seconds_nanoseconds()
        return TimeMessage(sec=seconds, nanosec=nanoseconds)

    @classmethod
    def from_msg(cls, msg: builtin_interfaces.msg.Time, clock_type: ClockType = ClockType.ROS_TIME) -> Time:
        """Return what a message says, as a time of this kind of clock."""
        if not (hasattr(msg, 'sec') and hasattr(msg, 'nanosec')):
            raise TypeError('Must pass a builtin_interfaces.msg.Time object')
        return cls(nanoseconds=msg.sec * S_TO_NS + msg.nanosec, clock_type=clock_type)

    def to_datetime(self) -> datetime:
        """Return it in the local time zone. TypeError if the clock does not count from 1970 on."""
        if self.clock_type not in (ClockType.SYSTEM_TIME, ClockType.ROS_TIME):
            raise TypeError(f'Cannot convert a time of {self.clock_type.name} to datetime')
        from datetime import datetime
        return datetime.fromtimestamp(self.nanoseconds / S_TO_NS)

    def __add__(self, other):
        """Return the time that is a duration later."""
        if not isinstance(other, Duration):
            return NotImplemented
        try:
            return Time(nanoseconds=self.nanoseconds + other.nanoseconds, clock_type=self.clock_type)
        except OverflowError as error:
            raise OverflowError('Addition leads to overflow in C storage.') from error

    __radd__ = __add__

    def __sub__(self, other):
        """Return the duration since another time, or the time that is a duration earlier."""
        if isinstance(other, Time):
            if self.clock_type != other.clock_type:
                raise TypeError("Can't subtract times with different clock types")
            return Duration(nanoseconds=self.nanoseconds - other.nanoseconds)
        if isinstance(other, Duration):
            if self.nanoseconds < other.nanoseconds:
                raise ValueError('Subtraction leads to negative time.')
            return Time(nanoseconds=self.nanoseconds - other.nanoseconds, clock_type=self.clock_type)
        return NotImplemented

    def _check_comparable(self, other: Time):
        if self.clock_type != other.clock_type:
            raise TypeError("Can't compare times with different clock types")

    def __eq__(self, other):
        """Return whether two times are equal."""
        if not isinstance(other, Time):
            return NotImplemented
        self._check_comparable(other)
        return self.nanoseconds == other.nanoseconds

    def __lt__(self, other):
        """Return whether it is before another time."""
        if not isinstance(other, Time):
            return NotImplemented
        self._check_comparable(other)
        return self.nanoseconds < other.nanoseconds

    def __le__(self, other):
        """Return whether it is not after another time."""
        if not isinstance(other, Time):
            return NotImplemented
        self._check_comparable(other)
        return self.nanoseconds <= other.nanoseconds

    def __gt__(self, other):
        """Return whether it is after another time."""
        if not isinstance(other, Time):
            return NotImplemented
        self._check_comparable(other)
        return self.nanoseconds > other.nanoseconds

    def __ge__(self, other):
        """Return whether it is not before another time."""
        if not isinstance(other, Time):
            return NotImplemented
        self._check_comparable(other)
        return self.nanoseconds >= other.nanoseconds

    def __repr__(self) -> str:
        """Return the nanoseconds and the kind of clock."""
        return f'Time(nanoseconds={self.nanoseconds}, clock_type={self.clock_type.name})'
