"""Simulated time, which clocks get from /clock."""

from __future__ import annotations

from typing import TYPE_CHECKING
import weakref

from rcl_interfaces.msg import SetParametersResult

from rclpy.clock_type import ClockType
from rclpy.impl.node_graph import NodeGraph
from rclpy.parameter import Parameter
from rclpy.qos import QoSProfile
from rclpy.qos import ReliabilityPolicy
from rclpy.time import Time

if TYPE_CHECKING:
    import rosgraph_msgs.msg

    from rclpy.clock import BaseClock
    from rclpy.node import Node

CLOCK_TOPIC = '/clock'
USE_SIM_TIME_NAME = 'use_sim_time'


class TimeSource:
    """Set clocks by /clock as long as a node's parameter use_sim_time is true."""

    def __init__(self, *, node: Node | None = None):
        """Begin with a node, or without one."""
        self._clock_sub = None
        self._node_weak_ref = None
        self._associated_clocks = set()
        self._last_time_set = Time(clock_type=ClockType.ROS_TIME)
        self._ros_time_is_active = False
        if node is not None:
            self.attach_node(node)

    @property
    def ros_time_is_active(self) -> bool:
        """Return whether the clocks show simulated time."""
        return self._ros_time_is_active

    @ros_time_is_active.setter
    def ros_time_is_active(self, enabled: bool) -> None:
        if self._ros_time_is_active == enabled:
            return
        self._ros_time_is_active = enabled
        for clock in self._associated_clocks:
            clock._set_ros_time_is_active(enabled)
        if enabled:
            self._subscribe_to_clock_topic()
        else:
            self._unsubscribe_from_clock_topic()

    def _subscribe_to_clock_topic(self) -> None:
        node = self._get_node()
        if self._clock_sub is None and node is not None:
            from rosgraph_msgs.msg import Clock
            self._clock_sub = node.create_subscription(
                Clock, CLOCK_TOPIC, self.clock_callback,
                QoSProfile(depth=1, reliability=ReliabilityPolicy.BEST_EFFORT))

    def _unsubscribe_from_clock_topic(self) -> None:
        node = self._get_node()
        if self._clock_sub is not None and node is not None:
            node.destroy_subscription(self._clock_sub)
        self._clock_sub = None

    def attach_node(self, node: Node) -> None:
        """Follow the parameter of a node, which is declared if it was not, in place of another node's."""
        if not isinstance(node, NodeGraph):  # as nodes are
            raise TypeError('Node must be of type rclpy.node.Node')
        self.detach_node()
        self._node_weak_ref = weakref.ref(node)
        if not node.has_parameter(USE_SIM_TIME_NAME):
            node.declare_parameter(USE_SIM_TIME_NAME, False)
        parameter = node.get_parameter(USE_SIM_TIME_NAME)
        if parameter.type_ is Parameter.Type.BOOL:
            self.ros_time_is_active = parameter.value
            if self._ros_time_is_active:  # as it was with another node, whose subscription has gone
                self._subscribe_to_clock_topic()
        else:
            node.get_logger().error(_wrong_type(parameter))
        node.add_on_set_parameters_callback(self._on_parameter_event)

    def detach_node(self) -> None:
        """Let go of the node; the clocks keep their time until there is another one."""
        self._unsubscribe_from_clock_topic()
        node = self._get_node()
        if node is not None:
            node.remove_on_set_parameters_callback(self._on_parameter_event)
        self._node_weak_ref = None

    def attach_clock(self, clock: BaseClock) -> None:
        """Set a clock too. ValueError if it does not show ROS_TIME."""
        if clock.clock_type != ClockType.ROS_TIME:
            raise ValueError('Only clocks with type ROS_TIME can be attached.')
        clock.set_ros_time_override(self._last_time_set)
        clock._set_ros_time_is_active(self._ros_time_is_active)
        self._associated_clocks.add(clock)

    def clock_callback(self, msg: rosgraph_msgs.msg.Clock) -> None:
        """Set the clocks."""
        self._last_time_set = Time.from_msg(msg.clock)
        for clock in self._associated_clocks:
            clock.set_ros_time_override(self._last_time_set)

    def _on_parameter_event(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Follow the parameter; refuse values that are not bool."""
        for parameter in parameter_list:
            if parameter.name != USE_SIM_TIME_NAME:
                continue
            if parameter.type_ is not Parameter.Type.BOOL:
                reason = _wrong_type(parameter)
                node = self._get_node()
                if node is not None:
                    node.get_logger().error(reason)
                return SetParametersResult(successful=False, reason=reason)
            self.ros_time_is_active = parameter.value
        return SetParametersResult(successful=True)

    def _get_node(self) -> Node | None:
        """Return the node, None if it has gone."""
        return None if self._node_weak_ref is None else self._node_weak_ref()


def _wrong_type(parameter: Parameter) -> str:
    return "Invalid type for parameter '{}' {!r} should be bool".format(USE_SIM_TIME_NAME, parameter.type_)
