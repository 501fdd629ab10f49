"""Quality of service: how a topic's messages are kept and delivered."""

from __future__ import annotations

from enum import Enum, IntEnum
import warnings

from rclpy.duration import Duration
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

QoSCompatibility = _rclpy.QoSCompatibility


class QoSPolicyKind(IntEnum):
    """Names of the policies of a profile."""

    INVALID = 1 << 0
    DURABILITY = 1 << 1
    DEADLINE = 1 << 2
    LIVELINESS = 1 << 3
    RELIABILITY = 1 << 4
    HISTORY = 1 << 5
    LIFESPAN = 1 << 6
    DEPTH = 1 << 7
    LIVELINESS_LEASE_DURATION = 1 << 8
    AVOID_ROS_NAMESPACE_CONVENTIONS = 1 << 9


def qos_policy_name_from_kind(policy_kind: QoSPolicyKind | int) -> str:
    """Return the name of a policy."""
    return QoSPolicyKind(policy_kind).name


class InvalidQoSProfileException(Exception):
    """Settings are missing in a profile."""

    def __init__(self, *args):
        """Say which ones."""
        super().__init__('Invalid QoSProfile', *args)


# ---- policies -------------------------------------------------------------------------------------------------------

class QoSPolicyEnum(IntEnum):
    """Base of the policies that have names; short keys are these names in lower case."""

    @classmethod
    def short_keys(cls) -> list[str]:
        """Return the short keys of all values."""
        return [name.lower() for name in cls.__members__]

    @classmethod
    def get_from_short_key(cls, name: str) -> int:
        """Return the value of a short key. KeyError if there is none."""
        return cls[name.upper()].value

    @property
    def short_key(self) -> str:
        """Return the short key."""
        return self.name.lower()


class _DeprecatedName:
    """A class attribute that gives a policy's value by its former name, with a warning."""

    def __init__(self, former: str, name: str):
        self._former = former
        self._name = name

    def __get__(self, instance, owner):
        warnings.warn(
            f'{owner.__name__}.{self._former} is deprecated. Use {owner.__name__}.{self._name} instead.', stacklevel=2)
        return owner[self._name]


def _with_deprecated_names(policy):
    """Give a policy the former names of its values, which C has."""
    for value in policy:
        if value.name != 'BEST_AVAILABLE':
            former = f'RMW_QOS_POLICY_{policy.__name__.removesuffix("Policy").upper()}_{value.name}'
            setattr(policy, former, _DeprecatedName(former, value.name))
    return policy


@_with_deprecated_names
class HistoryPolicy(QoSPolicyEnum):
    """How many messages are kept."""

    SYSTEM_DEFAULT = 0
    KEEP_LAST = 1
    KEEP_ALL = 2
    UNKNOWN = 3


@_with_deprecated_names
class ReliabilityPolicy(QoSPolicyEnum):
    """Whether messages may be lost."""

    SYSTEM_DEFAULT = 0
    RELIABLE = 1
    BEST_EFFORT = 2
    UNKNOWN = 3
    BEST_AVAILABLE = 4


@_with_deprecated_names
class DurabilityPolicy(QoSPolicyEnum):
    """Whether subscriptions that come later get messages that were published before."""

    SYSTEM_DEFAULT = 0
    TRANSIENT_LOCAL = 1
    VOLATILE = 2
    UNKNOWN = 3
    BEST_AVAILABLE = 4


@_with_deprecated_names
class LivelinessPolicy(QoSPolicyEnum):
    """Who says that a publisher is alive."""

    SYSTEM_DEFAULT = 0
    AUTOMATIC = 1
    MANUAL_BY_TOPIC = 3
    UNKNOWN = 4
    BEST_AVAILABLE = 5


QoSHistoryPolicy = HistoryPolicy
QoSReliabilityPolicy = ReliabilityPolicy
QoSDurabilityPolicy = DurabilityPolicy
QoSLivelinessPolicy = LivelinessPolicy

DeadlineBestAvailable = Duration(nanoseconds=_rclpy.RMW_QOS_DEADLINE_BEST_AVAILABLE)
LivelinessLeaseDurationeBestAvailable = Duration(
    nanoseconds=_rclpy.RMW_QOS_LIVELINESS_LEASE_DURATION_BEST_AVAILABLE)


# ---- profiles -------------------------------------------------------------------------------------------------------

_DEFAULTS = _rclpy.rmw_qos_profile_t.predefined('qos_profile_default').to_dict()


def _setting(slot: str, accepted: type | tuple, convert, doc: str) -> property:
    """Return a property of a profile that takes these types and stores them as another."""
    def get(profile):
        return getattr(profile, slot)

    def set_(profile, value):
        assert isinstance(value, accepted), f'{slot[1:]} cannot be {value!r}'
        setattr(profile, slot, convert(value))

    return property(get, set_, doc=doc)


def _duration(value: Duration) -> Duration:
    return value


class QoSProfile:
    """Settings of a publisher, a subscription, a client or a service."""

    __slots__ = ['_history', '_depth', '_reliability', '_durability', '_lifespan', '_deadline', '_liveliness',
                 '_liveliness_lease_duration', '_avoid_ros_namespace_conventions']

    history = _setting('_history', int, HistoryPolicy, 'How many messages are kept.')
    reliability = _setting('_reliability', int, ReliabilityPolicy, 'Whether messages may be lost.')
    durability = _setting('_durability', int, DurabilityPolicy, 'Whether those who come later get earlier messages.')
    lifespan = _setting('_lifespan', Duration, _duration, 'How old messages get that are still delivered.')
    deadline = _setting('_deadline', Duration, _duration, 'How long it takes at most from one message to the next.')
    liveliness = _setting('_liveliness', int, LivelinessPolicy, 'Who says that a publisher is alive.')
    liveliness_lease_duration = _setting('_liveliness_lease_duration', Duration, _duration,
                                         'How often a publisher has to say that it is alive.')
    avoid_ros_namespace_conventions = _setting('_avoid_ros_namespace_conventions', bool, bool,
                                               "Whether a topic's name is used without ROS' prefixes.")

    def __init__(self, history=None, depth=None, reliability=None, durability=None, lifespan=None, deadline=None,
                 liveliness=None, liveliness_lease_duration=None, avoid_ros_namespace_conventions=None, **unknown):
        """Choose settings; those of the default profile hold for the rest.

        History or depth has to be given, and a depth for HistoryPolicy.KEEP_LAST: InvalidQoSProfileException if not.
        """
        assert not unknown, f'Invalid arguments passed to constructor: {", ".join(unknown)}'
        if history is None:
            if depth is None:
                raise InvalidQoSProfileException('History and/or depth settings are required.')
            history = HistoryPolicy.KEEP_LAST
        elif depth is None and history == HistoryPolicy.KEEP_LAST:
            raise InvalidQoSProfileException('History set to KEEP_LAST without a depth setting.')
        given = {
            'history': history,
            'depth': depth,
            'reliability': reliability,
            'durability': durability,
            'lifespan': lifespan,
            'deadline': deadline,
            'liveliness': liveliness,
            'liveliness_lease_duration': liveliness_lease_duration,
            'avoid_ros_namespace_conventions': avoid_ros_namespace_conventions,
        }
        for name, value in given.items():
            setattr(self, name, _DEFAULTS[name] if value is None else value)

    @property
    def depth(self) -> int:
        """How many messages HistoryPolicy.KEEP_LAST keeps."""
        return self._depth

    @depth.setter
    def depth(self, value: int):
        assert isinstance(value, int), f'depth cannot be {value!r}'
        if value == 0 and self.history == HistoryPolicy.KEEP_LAST:
            warnings.warn("A zero depth with KEEP_LAST doesn't make sense; no data could be stored. "
                          'This will be interpreted as SYSTEM_DEFAULT', stacklevel=2)
        self._depth = value

    def get_c_qos_profile(self):
        """Return it as the extension takes it."""
        return _rclpy.rmw_qos_profile_t(
            self.history, self.depth, self.reliability, self.durability, self.lifespan.get_c_duration(),
            self.deadline.get_c_duration(), self.liveliness, self.liveliness_lease_duration.get_c_duration(),
            self.avoid_ros_namespace_conventions)

    def __eq__(self, other):
        """Return whether all settings are equal."""
        if not isinstance(other, QoSProfile):
            return NotImplemented
        return all(getattr(self, slot) == getattr(other, slot) for slot in QoSProfile.__slots__)

    def __str__(self) -> str:
        """Return all settings with their names."""
        settings = ', '.join(f'{slot[1:]}={getattr(self, slot)}' for slot in QoSProfile.__slots__)
        return f'{type(self).__name__}({settings})'


def _predefined(name: str) -> QoSProfile:
    return QoSProfile(**_rclpy.rmw_qos_profile_t.predefined(name).to_dict())


qos_profile_unknown = _predefined('qos_profile_unknown')
qos_profile_default = _predefined('qos_profile_default')
qos_profile_system_default = _predefined('qos_profile_system_default')
qos_profile_sensor_data = _predefined('qos_profile_sensor_data')
qos_profile_services_default = _predefined('qos_profile_services_default')
qos_profile_parameters = _predefined('qos_profile_parameters')
qos_profile_parameter_events = _predefined('qos_profile_parameter_events')
qos_profile_best_available = _predefined('qos_profile_best_available')
qos_profile_rosout_default = QoSProfile(
    depth=1000, durability=DurabilityPolicy.TRANSIENT_LOCAL, lifespan=Duration(seconds=10))
qos_profile_action_status_default = QoSProfile(
    **_rclpy.rclpy_action_get_rmw_qos_profile('rcl_action_qos_profile_status_default'))


class QoSPresetProfiles(Enum):
    """Profiles by their names; short keys are these names in lower case."""

    UNKNOWN = qos_profile_unknown
    DEFAULT = qos_profile_default
    SYSTEM_DEFAULT = qos_profile_system_default
    SENSOR_DATA = qos_profile_sensor_data
    SERVICES_DEFAULT = qos_profile_services_default
    PARAMETERS = qos_profile_parameters
    PARAMETER_EVENTS = qos_profile_parameter_events
    ACTION_STATUS_DEFAULT = qos_profile_action_status_default
    BEST_AVAILABLE = qos_profile_best_available

    @classmethod
    def short_keys(cls) -> list[str]:
        """Return the short keys of all profiles."""
        return [name.lower() for name in cls.__members__]

    @classmethod
    def get_from_short_key(cls, name: str) -> QoSProfile:
        """Return the profile of a short key. KeyError if there is none."""
        return cls[name.upper()].value


def qos_check_compatible(publisher_qos: QoSProfile, subscription_qos: QoSProfile) -> tuple[QoSCompatibility, str]:
    """Return whether a publisher and a subscription of these profiles match, and why not."""
    result = _rclpy.rclpy_qos_check_compatible(publisher_qos.get_c_qos_profile(), subscription_qos.get_c_qos_profile())
    return QoSCompatibility(result.compatibility), result.reason
