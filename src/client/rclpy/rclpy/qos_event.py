"""The former name of rclpy.event_handler. Deprecated."""

import warnings

from rclpy.event_handler import IncompatibleTypeInfo
from rclpy.event_handler import PublisherEventCallbacks
from rclpy.event_handler import QoSEventHandler
from rclpy.event_handler import QoSLivelinessChangedInfo
from rclpy.event_handler import QoSLivelinessLostInfo
from rclpy.event_handler import QoSMessageLostInfo
from rclpy.event_handler import QoSOfferedDeadlineMissedInfo
from rclpy.event_handler import QoSOfferedIncompatibleQoSInfo
from rclpy.event_handler import QoSPublisherEventType
from rclpy.event_handler import QoSPublisherMatchedInfo
from rclpy.event_handler import QoSRequestedDeadlineMissedInfo
from rclpy.event_handler import QoSRequestedIncompatibleQoSInfo
from rclpy.event_handler import QoSSubscriptionEventType
from rclpy.event_handler import QoSSubscriptionMatchedInfo
from rclpy.event_handler import SubscriptionEventCallbacks
from rclpy.event_handler import UnsupportedEventTypeError

__all__ = [
    'IncompatibleTypeInfo', 'PublisherEventCallbacks', 'QoSEventHandler', 'QoSLivelinessChangedInfo',
    'QoSLivelinessLostInfo', 'QoSMessageLostInfo', 'QoSOfferedDeadlineMissedInfo', 'QoSOfferedIncompatibleQoSInfo',
    'QoSPublisherEventType', 'QoSPublisherMatchedInfo', 'QoSRequestedDeadlineMissedInfo',
    'QoSRequestedIncompatibleQoSInfo', 'QoSSubscriptionEventType', 'QoSSubscriptionMatchedInfo',
    'SubscriptionEventCallbacks', 'UnsupportedEventTypeError',
]

warnings.warn('rclpy.qos_event is deprecated, use rclpy.event_handler instead', DeprecationWarning, stacklevel=2)
