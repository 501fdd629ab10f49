"""A single message of a topic."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.qos import QoSProfile
from rclpy.signals import SignalHandlerGuardCondition
from rclpy.type_support import check_is_valid_msg_type
from rclpy.utilities import timeout_sec_to_nsec

if TYPE_CHECKING:
    from rclpy.node import Node


def wait_for_message(msg_type, node: Node, topic: str, *, qos_profile: QoSProfile | int = 1,
                     time_to_wait: int | float = -1):
    """Block until the next message of a topic, whether the node spins or not.

    :param qos_profile: a profile, or the depth of one
    :param time_to_wait: for how many seconds; negative: without end
    :return: (True, message), or (False, None) after that time, a signal or a shutdown
    """
    check_is_valid_msg_type(msg_type)
    profile = QoSProfile(depth=qos_profile) if isinstance(qos_profile, int) else qos_profile
    try:
        # No executor knows it: nobody else takes its message.
        subscription = _rclpy.Subscription(node.handle, msg_type, topic, profile.get_c_qos_profile())
    except ValueError:
        node._validate_topic_or_service_name(topic)
        raise
    context = node.context
    wait_set = _rclpy.WaitSet(1, 1, 0, 0, 0, 0, context.handle)
    signal = SignalHandlerGuardCondition(context=context)
    try:
        with subscription, signal.handle, context.handle:
            wait_set.add_subscription(subscription)
            wait_set.add_guard_condition(signal.handle)
            wait_set.wait(timeout_sec_to_nsec(time_to_wait))
            if context.ok() and not wait_set.get_ready_entities('guard_condition'):
                taken = subscription.take_message(msg_type, False)
                if taken is not None:
                    return True, taken[0]
        return False, None
    finally:
        wait_set.destroy_when_not_in_use()
        signal.destroy()
        subscription.destroy_when_not_in_use()
