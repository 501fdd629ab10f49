"""Subscriptions."""

from __future__ import annotations

from enum import Enum
from types import FunctionType
from types import GenericAlias

from rclpy.impl.entity import Entity
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.subscription_content_filter_options import ContentFilterOptions

RCLError = _rclpy.RCLError


class Subscription(Entity):
    """Call back for each message of a topic.

    What is large in a message is read where its publisher wrote it, for as long as somebody keeps it.
    """

    __class_getitem__ = classmethod(GenericAlias)

    class CallbackType(Enum):
        """What a callback takes."""

        MessageOnly = 0
        WithMessageInfo = 1

    def __init__(self, subscription_impl, msg_type, topic, callback, callback_group, qos_profile, raw, event_callbacks):
        """Wrap the native part. Nodes do: Node.create_subscription()."""
        self.__subscription = subscription_impl
        self.msg_type = msg_type
        self.topic = topic
        self.callback = callback
        self.callback_group = callback_group
        self._executor_event = False
        self.qos_profile = qos_profile
        self.raw = raw
        subscription_impl.is_raw = raw
        self.event_handlers = event_callbacks.create_event_handlers(callback_group, subscription_impl, topic)

    def get_publisher_count(self) -> int:
        """Return how many publishers match."""
        with self.handle:
            return self.__subscription.get_publisher_count()

    @property
    def handle(self):
        """Return the native part."""
        return self.__subscription

    def _destroy(self):
        for handler in self.event_handlers:
            handler.destroy()
        super()._destroy()

    @property
    def topic_name(self) -> str:
        """Return the topic after expansion and remapping."""
        with self.handle:
            return self.__subscription.get_topic_name()

    @property
    def callback(self):
        """Return what is called for each message."""
        return self._callback

    @callback.setter
    def callback(self, value):
        self._callback_type = self._type_of(value)
        self._callback = value
        self.__subscription.has_info = self._callback_type is Subscription.CallbackType.WithMessageInfo

    @property
    def logger_name(self) -> str:
        """Return the name of the node's logger."""
        with self.handle:
            return self.__subscription.get_logger_name()

    @property
    def is_cft_supported(self) -> bool:
        """Return whether there can be a content filter."""
        with self.handle:
            return self.__subscription.is_cft_supported()

    @property
    def is_cft_enabled(self) -> bool:
        """Return whether there is a content filter."""
        with self.handle:
            return self.__subscription.is_cft_enabled()

    def set_content_filter(self, filter_expression: str, expression_parameters):
        """Take only messages that the expression matches from now on; an empty one takes all."""
        with self.handle:
            self.__subscription.set_content_filter(filter_expression, expression_parameters)

    def get_content_filter(self) -> ContentFilterOptions:
        """Return the filter. RCLError if there is none."""
        with self.handle:
            return self.__subscription.get_content_filter()

    def _run(self, data):
        if self._callback_type is Subscription.CallbackType.WithMessageInfo:
            return self._callback(*data)
        return self._callback(data)

    @staticmethod
    def _type_of(callback):
        """Return what the callback takes: its required parameters decide."""
        function = getattr(callback, '__func__', callback)
        if type(function) is FunctionType and not hasattr(function, '__wrapped__'):  # without the cost of inspect
            code = function.__code__
            count = code.co_argcount - (0 if function is callback else 1)
            is_plain = not (function.__defaults__ or code.co_kwonlyargcount or code.co_flags & 0x0C)  # *args, **kwargs
            if is_plain and count in (1, 2):
                return Subscription.CallbackType(count - 1)
        import inspect
        try:
            signature = inspect.signature(callback)
        except ValueError:  # written in C
            return Subscription.CallbackType.MessageOnly
        for arguments, kind in (((None,), Subscription.CallbackType.MessageOnly),
                                ((None, None), Subscription.CallbackType.WithMessageInfo)):
            try:
                signature.bind(*arguments)
            except TypeError:
                continue
            return kind
        raise RuntimeError(
            'Subscription.__init__(): callback should be either be callable with one argument '
            '(to get only the message) or two (to get message and message info)')
