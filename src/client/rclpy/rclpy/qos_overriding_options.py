"""Quality of service that parameters can change."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Union

from rcl_interfaces.msg import ParameterDescriptor, SetParametersResult

from rclpy.duration import Duration
from rclpy.exceptions import ParameterAlreadyDeclaredException
from rclpy.publisher import Publisher
from rclpy.qos import QoSDurabilityPolicy
from rclpy.qos import QoSHistoryPolicy
from rclpy.qos import QoSLivelinessPolicy
from rclpy.qos import QoSPolicyEnum
from rclpy.qos import QoSPolicyKind
from rclpy.qos import QoSProfile
from rclpy.qos import QoSReliabilityPolicy

if TYPE_CHECKING:
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.subscription import Subscription

QosCallbackResult = SetParametersResult
QosCallbackType = Callable[[QoSProfile], QosCallbackResult]
QoSProfileAttributes = Union[
    QoSHistoryPolicy, int, QoSReliabilityPolicy, QoSDurabilityPolicy, Duration, QoSLivelinessPolicy, bool]


class InvalidQosOverridesError(Exception):
    """A callback has refused a profile."""


class QoSOverridingOptions:
    """Which policies parameters can change."""

    def __init__(self, policy_kinds: Iterable[QoSPolicyKind], *, callback: QosCallbackType | None = None,
                 entity_id: str | None = None):
        """Choose policies.

        :param callback: says of the profile that comes out whether it is accepted
        :param entity_id: part of the parameters' names, for several endpoints of one topic in a node
        """
        self._policy_kinds = policy_kinds
        self._callback = callback
        self._entity_id = entity_id

    @classmethod
    def with_default_policies(cls, *, callback: QosCallbackType | None = None,
                              entity_id: str | None = None) -> QoSOverridingOptions:
        """Choose history, depth and reliability."""
        return cls((QoSPolicyKind.HISTORY, QoSPolicyKind.DEPTH, QoSPolicyKind.RELIABILITY), callback=callback,
                   entity_id=entity_id)

    @property
    def policy_kinds(self) -> Iterable[QoSPolicyKind]:
        """Return the policies that can be changed."""
        return self._policy_kinds

    @property
    def callback(self) -> QosCallbackType | None:
        """Return what accepts or refuses profiles."""
        return self._callback

    @property
    def entity_id(self) -> str | None:
        """Return what the parameters' names end their first part with."""
        return self._entity_id


def _declare_qos_parameters(entity_type: type[Publisher] | type[Subscription], node: Node, topic_name: str,
                            qos: QoSProfile, options: QoSOverridingOptions) -> None:
    """Declare the parameters of a publisher or a subscription and change its profile to what they say.

    :param topic_name: the full name
    """
    entity = 'publisher' if issubclass(entity_type, Publisher) else 'subscription'
    allowed = _get_allowed_policies(entity_type)
    entity_name = entity if options.entity_id is None else f'{entity}_{options.entity_id}'
    described = f'{entity} `{topic_name}`'
    if options.entity_id is not None:
        described += f' with id `{options.entity_id}`'
    for policy in options.policy_kinds:
        if policy not in allowed:
            continue
        policy_name = policy.name.lower()
        name = f'qos_overrides.{topic_name}.{entity_name}.{policy_name}'
        descriptor = ParameterDescriptor(description=f'{policy_name} for {described}', read_only=True)
        try:
            parameter = node.declare_parameter(name, _get_qos_policy_parameter(qos, policy), descriptor)
        except ParameterAlreadyDeclaredException:
            parameter = node.get_parameter(name)
        _override_qos_policy_with_param(qos, policy, parameter)
    if options.callback is not None:
        result = options.callback(qos)
        if not result.successful:
            raise InvalidQosOverridesError(f'Quality of service refused for {described}: {result.reason}')


def _get_allowed_policies(entity_type: type[Publisher] | type[Subscription]) -> list[QoSPolicyKind]:
    """Return the policies that an endpoint has."""
    missing = {QoSPolicyKind.INVALID}
    if not issubclass(entity_type, Publisher):
        missing.add(QoSPolicyKind.LIFESPAN)
    return [policy for policy in QoSPolicyKind if policy not in missing]


def _get_qos_policy_parameter(qos: QoSProfile, policy: QoSPolicyKind) -> str | int | bool:
    """Return what a policy's parameter says of a profile."""
    value = getattr(qos, policy.name.lower())
    if isinstance(value, QoSPolicyEnum):
        return value.short_key
    return value.nanoseconds if isinstance(value, Duration) else value


def _override_qos_policy_with_param(qos: QoSProfile, policy: QoSPolicyKind, param: Parameter) -> None:
    """Change a profile's policy to what its parameter says."""
    name = policy.name.lower()
    value = param.value
    present = getattr(qos, name)
    if isinstance(present, QoSPolicyEnum):
        try:
            value = type(present)[value.upper()]
        except KeyError:
            raise RuntimeError(f'Unexpected QoS override for policy `{name}`: `{value}`') from None
    elif isinstance(present, Duration):
        value = Duration(nanoseconds=value)
    setattr(qos, name, value)
