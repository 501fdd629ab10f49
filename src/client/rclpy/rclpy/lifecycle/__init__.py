"""Managed nodes: nodes whose state others can ask for and change."""

from .managed_entity import LifecycleState, ManagedEntity, SimpleManagedEntity
from .node import LifecycleNode, LifecycleNodeMixin
from .publisher import LifecyclePublisher
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

# Short names, for those who import the module rather than the classes.
Node = LifecycleNode
NodeMixin = LifecycleNodeMixin
State = LifecycleState
Publisher = LifecyclePublisher
TransitionCallbackReturn = _rclpy.TransitionCallbackReturnType

__all__ = [
    'LifecycleNodeMixin', 'LifecycleNode', 'LifecycleState', 'LifecyclePublisher', 'ManagedEntity',
    'SimpleManagedEntity',
]
