"""Callbacks for what happens to publishers and subscriptions: matches, lost messages, missed deadlines and others."""

from __future__ import annotations

from collections.abc import Callable
from enum import IntEnum
from types import CoroutineType
from typing import TYPE_CHECKING
import warnings

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.logging import get_logger
from rclpy.qos import qos_policy_name_from_kind
from rclpy.waitable import NumberOfEntities
from rclpy.waitable import Waitable

if TYPE_CHECKING:
    from rclpy.callback_groups import CallbackGroup

QoSPublisherEventType = _rclpy.rcl_publisher_event_type_t
QoSSubscriptionEventType = _rclpy.rcl_subscription_event_type_t

# What callbacks of subscriptions get.
QoSRequestedDeadlineMissedInfo = _rclpy.rmw_requested_deadline_missed_status_t
QoSLivelinessChangedInfo = _rclpy.rmw_liveliness_changed_status_t
QoSMessageLostInfo = _rclpy.rmw_message_lost_status_t
QoSRequestedIncompatibleQoSInfo = _rclpy.rmw_requested_qos_incompatible_event_status_t
QoSSubscriptionMatchedInfo = _rclpy.rmw_matched_status_t

# What callbacks of publishers get.
QoSOfferedDeadlineMissedInfo = _rclpy.rmw_offered_deadline_missed_status_t
QoSLivelinessLostInfo = _rclpy.rmw_liveliness_lost_status_t
QoSOfferedIncompatibleQoSInfo = QoSRequestedIncompatibleQoSInfo
QoSPublisherMatchedInfo = _rclpy.rmw_matched_status_t

IncompatibleTypeInfo = _rclpy.rmw_incompatible_type_status_t  # both

UnsupportedEventTypeError = _rclpy.UnsupportedEventTypeError

_REQUESTS_INCOMPATIBLE_QOS = (
    "New subscription discovered on topic '{}', requesting incompatible QoS. "
    'No messages will be sent to it. Last incompatible policy: {}')
_OFFERS_INCOMPATIBLE_QOS = (
    "New publisher discovered on topic '{}', offering incompatible QoS. "
    'No messages will be received from it. Last incompatible policy: {}')
_INCOMPATIBLE_TYPE = "Incompatible type on topic '{}', no messages will be sent to it."


class EventHandler(Waitable):
    """Call back for one kind of event of one publisher or subscription.

    Executors serve it natively; the methods of waitables are for programs that have it in a wait set of their own.
    """

    def __init__(self, *, callback_group: CallbackGroup, callback: Callable, event_type: IntEnum, parent_impl) -> None:
        """Watch the native part of a publisher or subscription. They do it themselves, by their event callbacks.

        :raises UnsupportedEventTypeError: the middleware has no such event
        """
        super().__init__(callback_group)
        self.event_type = event_type
        self.callback = callback
        self._ready_to_take_data = False
        self._event_index: int | None = None
        with parent_impl:
            self.__event = _rclpy.EventHandle(parent_impl, event_type)

    @property
    def handle(self):
        """Return the native part."""
        return self.__event

    def is_ready(self, wait_set) -> bool:
        """Return whether the event has happened."""
        self._ready_to_take_data = self._event_index is not None and wait_set.is_ready('event', self._event_index)
        return self._ready_to_take_data

    def take_data(self):
        """Return what has happened since the last time; None if is_ready() has not said that there is something."""
        if not self._ready_to_take_data:
            return None
        self._ready_to_take_data = False
        with self.__event:
            return self.__event.take_event()

    async def execute(self, taken_data) -> None:
        """Call back with what take_data() has returned, unless that is None."""
        if taken_data is None:
            return
        result = self.callback(taken_data)
        if isinstance(result, CoroutineType):
            await result

    def _run(self, data):
        return self.callback(data)

    def get_num_entities(self) -> NumberOfEntities:
        """Return that it is one event."""
        return NumberOfEntities(num_events=1)

    def add_to_wait_set(self, wait_set) -> None:
        """Add the event."""
        with self.__event:
            self._event_index = wait_set.add_event(self.__event)

    def __enter__(self) -> None:
        """Keep the native part alive."""
        self.__event.__enter__()

    def __exit__(self, t, v, tb) -> None:
        """Let the native part be destroyed."""
        self.__event.__exit__(t, v, tb)

    def destroy(self) -> None:
        """Call back no more."""
        self.__event.destroy_when_not_in_use()


class QoSEventHandler(EventHandler):
    """The former name of EventHandler. Deprecated."""

    def __init_subclass__(cls, **kwargs) -> None:
        """Warn."""
        super().__init_subclass__(**kwargs)
        _warn_of_former_name()

    def __init__(self, *args, **kwargs) -> None:
        """Warn, and be an EventHandler."""
        _warn_of_former_name()
        super().__init__(*args, **kwargs)


def _warn_of_former_name() -> None:
    warnings.warn('QoSEventHandler is deprecated, use EventHandler instead', DeprecationWarning, stacklevel=3)


class SubscriptionEventCallbacks:
    """What a subscription calls when something happens to it."""

    def __init__(
        self,
        *,
        deadline: Callable[[QoSRequestedDeadlineMissedInfo], None] | None = None,
        incompatible_qos: Callable[[QoSRequestedIncompatibleQoSInfo], None] | None = None,
        liveliness: Callable[[QoSLivelinessChangedInfo], None] | None = None,
        message_lost: Callable[[QoSMessageLostInfo], None] | None = None,
        incompatible_type: Callable[[IncompatibleTypeInfo], None] | None = None,
        matched: Callable[[QoSSubscriptionMatchedInfo], None] | None = None,
        use_default_callbacks: bool = True
    ) -> None:
        """Choose callbacks.

        :param deadline: no message came in the time that was asked for
        :param incompatible_qos: a publisher offers less than is asked for
        :param liveliness: a publisher has become alive, or is so no longer
        :param message_lost: messages did not arrive
        :param incompatible_type: a publisher has messages of another type
        :param matched: a publisher has come or gone
        :param use_default_callbacks: whether the log warns of what is incompatible and has no callback
        """
        self.deadline = deadline
        self.incompatible_qos = incompatible_qos
        self.liveliness = liveliness
        self.message_lost = message_lost
        self.incompatible_type = incompatible_type
        self.matched = matched
        self.use_default_callbacks = use_default_callbacks

    def create_event_handlers(self, callback_group: CallbackGroup, subscription, topic_name: str) -> list[EventHandler]:
        """Return the handlers for the native part of a subscription."""
        kinds = QoSSubscriptionEventType
        callbacks = (
            (kinds.RCL_SUBSCRIPTION_REQUESTED_DEADLINE_MISSED, self.deadline),
            (kinds.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS, self.incompatible_qos),
            (kinds.RCL_SUBSCRIPTION_LIVELINESS_CHANGED, self.liveliness),
            (kinds.RCL_SUBSCRIPTION_MESSAGE_LOST, self.message_lost),
            (kinds.RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE, self.incompatible_type),
            (kinds.RCL_SUBSCRIPTION_MATCHED, self.matched))
        defaults = {
            kinds.RCL_SUBSCRIPTION_REQUESTED_INCOMPATIBLE_QOS: _qos_warning(_OFFERS_INCOMPATIBLE_QOS),
            kinds.RCL_SUBSCRIPTION_INCOMPATIBLE_TYPE: _type_warning,
        } if self.use_default_callbacks else {}
        return _create_handlers(callback_group, subscription, topic_name, callbacks, defaults)


class PublisherEventCallbacks:
    """What a publisher calls when something happens to it."""

    def __init__(
        self,
        *,
        deadline: Callable[[QoSOfferedDeadlineMissedInfo], None] | None = None,
        liveliness: Callable[[QoSLivelinessLostInfo], None] | None = None,
        incompatible_qos: Callable[[QoSOfferedIncompatibleQoSInfo], None] | None = None,
        incompatible_type: Callable[[IncompatibleTypeInfo], None] | None = None,
        matched: Callable[[QoSPublisherMatchedInfo], None] | None = None,
        use_default_callbacks: bool = True
    ) -> None:
        """Choose callbacks.

        :param deadline: nothing was published in the time that is offered
        :param liveliness: it was not asserted in time that the publisher lives
        :param incompatible_qos: a subscription asks for more than is offered
        :param incompatible_type: a subscription wants messages of another type
        :param matched: a subscription has come or gone
        :param use_default_callbacks: whether the log warns of what is incompatible and has no callback
        """
        self.deadline = deadline
        self.liveliness = liveliness
        self.incompatible_qos = incompatible_qos
        self.incompatible_type = incompatible_type
        self.matched = matched
        self.use_default_callbacks = use_default_callbacks

    def create_event_handlers(self, callback_group: CallbackGroup, publisher, topic_name: str) -> list[EventHandler]:
        """Return the handlers for the native part of a publisher."""
        kinds = QoSPublisherEventType
        callbacks = (
            (kinds.RCL_PUBLISHER_OFFERED_DEADLINE_MISSED, self.deadline),
            (kinds.RCL_PUBLISHER_LIVELINESS_LOST, self.liveliness),
            (kinds.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS, self.incompatible_qos),
            (kinds.RCL_PUBLISHER_INCOMPATIBLE_TYPE, self.incompatible_type),
            (kinds.RCL_PUBLISHER_MATCHED, self.matched))
        defaults = {
            kinds.RCL_PUBLISHER_OFFERED_INCOMPATIBLE_QOS: _qos_warning(_REQUESTS_INCOMPATIBLE_QOS),
            kinds.RCL_PUBLISHER_INCOMPATIBLE_TYPE: _type_warning,
        } if self.use_default_callbacks else {}
        return _create_handlers(callback_group, publisher, topic_name, callbacks, defaults)


def _qos_warning(text: str) -> Callable:
    return lambda topic, status: text.format(topic, qos_policy_name_from_kind(status.last_policy_kind))


def _type_warning(topic: str, status) -> str:
    return _INCOMPATIBLE_TYPE.format(topic)


def _create_handlers(callback_group, parent, topic, callbacks, defaults) -> list[EventHandler]:
    """Return handlers for the callbacks there are, and warnings in place of some that are not.

    :param callbacks: (kind of event, callback or None) of each kind
    :param defaults: by kinds, functions that return what to write for a topic and a status
    """
    handlers = []
    for kind, callback in callbacks:
        if callback is not None:
            handlers.append(EventHandler(
                callback_group=callback_group, callback=callback, event_type=kind, parent_impl=parent))
        elif kind in defaults:
            try:
                handlers.append(EventHandler(
                    callback_group=callback_group, callback=_warn_by(parent, topic, defaults[kind]),
                    event_type=kind, parent_impl=parent))
            except UnsupportedEventTypeError:
                pass  # nobody has asked for it
    return handlers


def _warn_by(parent, topic: str, text_of: Callable) -> Callable:
    """Return a callback that writes a warning to the log of the node."""
    logger_name = parent.get_logger_name()

    def warn(status) -> None:
        logger = get_logger(logger_name)
        # Who puts another logger in the place of ours has `warn` for Jazzy, or only `warning` for later releases.
        write = getattr(logger, 'warn', None) or logger.warning
        write(text_of(topic, status))

    return warn
