"""Events of publishers and subscriptions: QoS that does not fit or is not kept, matches, lost messages."""

from __future__ import annotations

from collections.abc import Callable
import functools
from types import CoroutineType
import warnings

from rclpy import logging
from rclpy.callback_groups import CallbackGroup
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.qos import qos_policy_name_from_kind
from rclpy.waitable import NumberOfEntities
from rclpy.waitable import Waitable

QoSPublisherEventType = _rclpy.rcl_publisher_event_type_t
QoSSubscriptionEventType = _rclpy.rcl_subscription_event_type_t

QoSRequestedDeadlineMissedInfo = _rclpy.rmw_requested_deadline_missed_status_t
QoSLivelinessChangedInfo = _rclpy.rmw_liveliness_changed_status_t
QoSMessageLostInfo = _rclpy.rmw_message_lost_status_t
QoSRequestedIncompatibleQoSInfo = _rclpy.rmw_requested_qos_incompatible_event_status_t
QoSSubscriptionMatchedInfo = _rclpy.rmw_matched_status_t
QoSOfferedDeadlineMissedInfo = _rclpy.rmw_offered_deadline_missed_status_t
QoSLivelinessLostInfo = _rclpy.rmw_liveliness_lost_status_t
QoSPublisherMatchedInfo = _rclpy.rmw_matched_status_t
QoSOfferedIncompatibleQoSInfo = QoSRequestedIncompatibleQoSInfo
IncompatibleTypeInfo = _rclpy.rmw_incompatible_type_status_t

UnsupportedEventTypeError = _rclpy.UnsupportedEventTypeError


class EventHandler(Waitable):
    """Call back with the status of an endpoint when an event has changed it."""

    def __init__(self, *, callback_group: CallbackGroup, callback: Callable, event_type, parent_impl):
        """Make one for an endpoint. UnsupportedEventTypeError if the middleware has no such event."""
        super().__init__(callback_group)
        self.event_type = event_type
        self.callback = callback
        with parent_impl:
            self.__event = _rclpy.EventHandle(parent_impl, event_type)
        self._ready_to_take_data = False
        self._event_index = None

    @property
    def handle(self):
        """Return the native part."""
        return self.__event

    def _run(self, status):
        """Call back, for the executor."""
        return self.callback(status)

    def is_ready(self, wait_set) -> bool:
        """Return whether the event has happened."""
        if wait_set.is_ready('event', self._event_index):
            self._ready_to_take_data = True
        return self._ready_to_take_data

    def take_data(self):
        """Return the status, or None if nothing has happened."""
        if not self._ready_to_take_data:
            return None
        self._ready_to_take_data = False
        with self.__event:
            return self.__event.take_event()

    async def execute(self, taken_data):
        """Call back with a status."""
        if taken_data:
            result = self.callback(taken_data)
            if isinstance(result, CoroutineType):
                await result

    def get_num_entities(self) -> NumberOfEntities:
        """Return one event."""
        return NumberOfEntities(num_events=1)

    def add_to_wait_set(self, wait_set):
        """Add the event."""
        with self.__event:
            self._event_index = wait_set.add_event(self.__event)

    def __enter__(self):
        """Keep the event for as long as it is used."""
        self.__event.__enter__()

    def __exit__(self, t, v, tb):
        """Let go of the event."""
        self.__event.__exit__(t, v, tb)

    def destroy(self):
        """Never call back again."""
        self.__event.destroy_when_not_in_use()


class QoSEventHandler(EventHandler):
    """The former name of EventHandler."""

    def __init_subclass__(cls, **kwargs):
        """Warn."""
        warnings.warn('QoSEventHandler is deprecated, use EventHandler instead.', DeprecationWarning, stacklevel=2)
        super().__init_subclass__(**kwargs)

    def __init__(self, *args, **kwargs):
        """Warn."""
        warnings.warn('QoSEventHandler is deprecated, use EventHandler instead.', DeprecationWarning, stacklevel=2)
        super().__init__(*args, **kwargs)


class SubscriptionEventCallbacks:
    """The callbacks for the events of a subscription."""

    def __init__(self, *, deadline: Callable | None = None, incompatible_qos: Callable | None = None,
                 liveliness: Callable | None = None, message_lost: Callable | None = None,
                 incompatible_type: Callable | None = None, matched: Callable | None = None,
                 use_default_callbacks: bool = True):
        """Take callbacks, each of which gets a status.

        :param use_default_callbacks: whether QoS and types that do not fit are logged where there is no callback
        """
        self.deadline = deadline
        self.incompatible_qos = incompatible_qos
        self.liveliness = liveliness
        self.message_lost = message_lost
        self.incompatible_type = incompatible_type
        self.matched = matched
        self.use_default_callbacks = use_default_callbacks

    def create_event_handlers(self, callback_group: CallbackGroup, subscription, topic_name: str) -> list[EventHandler]:
        """Return the handlers of a native subscription."""
        kinds = QoSSubscriptionEventType
        return _create(callback_group, subscription, self.use_default_callbacks, [
            (kinds.RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, self.deadline, None),
            (kinds.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, self.incompatible_qos, lambda status: (
                f"New publisher discovered on topic '{topic_name}', offering incompatible QoS. "
                'No messages will be received from it. '
                f'Last incompatible policy: {qos_policy_name_from_kind(status.last_policy_kind)}')),
            (kinds.RCL_SUBSCRIPTION_LIVELINESS_CHANGED, self.liveliness, None),
            (kinds.RCL_SUBSCRIPTION_MESSAGE_LOST, self.message_lost, None),
            (kinds.RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, self.incompatible_type, lambda status: (
                f"Incompatible type on topic '{topic_name}', no messages will be sent to it.")),
            (kinds.RCL_SUBSCRIPTION_MATCHED, self.matched, None)])


class PublisherEventCallbacks:
    """The callbacks for the events of a publisher."""

    def __init__(self, *, deadline: Callable | None = None, liveliness: Callable | None = None,
                 incompatible_qos: Callable | None = None, incompatible_type: Callable | None = None,
                 matched: Callable | None = None, use_default_callbacks: bool = True):
        """Take callbacks, each of which gets a status.

        :param use_default_callbacks: whether QoS and types that do not fit are logged where there is no callback
        """
        self.deadline = deadline
        self.liveliness = liveliness
        self.incompatible_qos = incompatible_qos
        self.incompatible_type = incompatible_type
        self.matched = matched
        self.use_default_callbacks = use_default_callbacks

    def create_event_handlers(self, callback_group: CallbackGroup, publisher, topic_name: str) -> list[EventHandler]:
        """Return the handlers of a native publisher."""
        kinds = QoSPublisherEventType
        return _create(callback_group, publisher, self.use_default_callbacks, [
            (kinds.RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, self.deadline, None),
            (kinds.RCL_PUBLISHER_LIVELINESS_LOST, self.liveliness, None),
            (kinds.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, self.incompatible_qos, lambda status: (
                f"New subscription discovered on topic '{topic_name}', requesting incompatible QoS. "
                'No messages will be sent to it. '
                f'Last incompatible policy: {qos_policy_name_from_kind(status.last_policy_kind)}')),
            (kinds.RCL_PUBLISHER_INCOMPATIBLE_TYPE, self.incompatible_type, lambda status: (
                f"Incompatible type on topic '{topic_name}', no messages will be sent to it.")),
            (kinds.RCL_PUBLISHER_MATCHED, self.matched, None)])


def _create(callback_group, endpoint, use_default_callbacks, events) -> list[EventHandler]:
    """Return handlers for those events, (kind, callback, text of the default), that have a callback."""
    with endpoint:
        logger_name = endpoint.get_logger_name()

    def warn(text_of, status):
        logging.get_logger(logger_name).warn(text_of(status))

    handlers = []
    for kind, callback, text_of in events:
        is_default = callback is None and use_default_callbacks and text_of is not None
        if is_default:
            callback = functools.partial(warn, text_of)
        if callback is None:
            continue
        try:
            handlers.append(EventHandler(
                callback_group=callback_group, callback=callback, event_type=kind, parent_impl=endpoint))
        except UnsupportedEventTypeError:
            if not is_default:
                raise
    return handlers
