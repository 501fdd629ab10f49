"""ROS 2 in Python.

    rclpy.init()
    node = rclpy.create_node('name')
    node.create_subscription(...)
    rclpy.spin(node)

What is large in messages is read where their publisher wrote it: numpy.asarray(message.data) copies nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

from rclpy.context import Context
from rclpy.signals import get_current_signal_handlers_options
from rclpy.signals import install_signal_handlers
from rclpy.signals import SignalHandlerOptions
from rclpy.signals import uninstall_signal_handlers
from rclpy.task import Future
from rclpy.utilities import get_default_context
from rclpy.utilities import get_rmw_implementation_identifier
from rclpy.utilities import ok
from rclpy.utilities import shutdown as _shutdown
from rclpy.utilities import try_shutdown as _try_shutdown

if TYPE_CHECKING:
    from rclpy.executors import Executor
    from rclpy.node import Node
    from rclpy.parameter import Parameter

__all__ = [
    'Context', 'create_node', 'Future', 'get_current_signal_handlers_options', 'get_default_context',
    'get_global_executor', 'get_rmw_implementation_identifier', 'init', 'install_signal_handlers', 'ok', 'Parameter',
    'shutdown', 'SignalHandlerOptions', 'spin', 'spin_once', 'spin_until_future_complete', 'try_shutdown',
    'uninstall_signal_handlers']

_MODULES = frozenset((
    'action', 'callback_groups', 'client', 'clock', 'clock_type', 'constants', 'duration', 'endpoint_info',
    'event_handler', 'exceptions', 'executors', 'experimental', 'expand_topic_name', 'guard_condition', 'lifecycle',
    'logging', 'logging_service', 'node', 'parameter', 'parameter_client', 'parameter_event_handler',
    'parameter_service', 'publisher', 'qos', 'qos_event', 'qos_overriding_options', 'serialization', 'service',
    'service_introspection', 'subscription', 'time', 'time_source', 'timer', 'topic_endpoint_info',
    'topic_or_service_is_hidden', 'type_description_service', 'type_hash', 'type_support', 'validate_full_topic_name',
    'validate_namespace', 'validate_node_name', 'validate_parameter_name', 'validate_topic_name', 'wait_for_message',
    'waitable'))

_executor = None  # that of get_global_executor()


def __getattr__(name):
    """Import a module when it is first used."""
    if name in _MODULES:
        return importlib.import_module('rclpy.' + name)
    if name == 'Parameter':
        from rclpy.parameter import Parameter
        return Parameter
    raise AttributeError(f"module 'rclpy' has no attribute '{name}'")


class InitContextManager:
    """What init() returns: `with rclpy.init():` shuts down at the end."""

    def __init__(self, context: Context):
        """Take the context, which is initialized."""
        self.context = context

    def __enter__(self) -> InitContextManager:
        """Return it."""
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        """Shut the context down, if it is not."""
        is_default = self.context is get_default_context()
        try_shutdown(context=None if is_default else self.context)


def init(*, args: list[str] | None = None, context: Context | None = None, domain_id: int | None = None,
         signal_handler_options: SignalHandlerOptions | None = None) -> InitContextManager:
    """Begin to use ROS: once for each context.

    :param args: arguments, by default those of the process
    :param context: by default the default context
    :param domain_id: by default that of ROS_DOMAIN_ID
    :param signal_handler_options: by default SIGINT and SIGTERM are handled for the default context
    """
    if context is None:
        context = get_default_context()
        if signal_handler_options is None:
            signal_handler_options = SignalHandlerOptions.ALL
    elif signal_handler_options is None:
        signal_handler_options = SignalHandlerOptions.NO
    context.init(args, domain_id=domain_id)
    install_signal_handlers(signal_handler_options)
    return InitContextManager(context)


def get_global_executor() -> Executor:
    """Return the executor of spin() and the like, a SingleThreadedExecutor."""
    global _executor
    if _executor is None:
        from rclpy.executors import SingleThreadedExecutor
        _executor = SingleThreadedExecutor()
        get_default_context().on_shutdown(_forget_global_executor)
    return _executor


def _forget_global_executor():
    global _executor
    executor, _executor = _executor, None
    if executor is not None:
        executor.shutdown()


def shutdown(*, context: Context | None = None, uninstall_handlers: bool | None = None):
    """Shut down a context, by default the default one. RuntimeError if that is done already.

    :param uninstall_handlers: whether signals have their former effect again; by default for the default context
    """
    _shutdown(context=context)
    if uninstall_handlers or (uninstall_handlers is None and context is None):
        uninstall_signal_handlers()


def try_shutdown(*, context: Context | None = None, uninstall_handlers: bool | None = None):
    """Shut down a context, if it is not; as shutdown()."""
    _try_shutdown(context=context)
    if uninstall_handlers or (uninstall_handlers is None and context is None):
        uninstall_signal_handlers()


def create_node(node_name: str, *, context: Context | None = None, cli_args: list[str] | None = None,
                namespace: str | None = None, use_global_arguments: bool = True, enable_rosout: bool = True,
                start_parameter_services: bool = True, parameter_overrides: list[Parameter] | None = None,
                allow_undeclared_parameters: bool = False,
                automatically_declare_parameters_from_overrides: bool = False,
                enable_logger_service: bool = False) -> Node:
    """Return a new node; see rclpy.node.Node."""
    from rclpy.node import Node
    return Node(
        node_name, context=context, cli_args=cli_args, namespace=namespace, use_global_arguments=use_global_arguments,
        enable_rosout=enable_rosout, start_parameter_services=start_parameter_services,
        parameter_overrides=parameter_overrides, allow_undeclared_parameters=allow_undeclared_parameters,
        automatically_declare_parameters_from_overrides=automatically_declare_parameters_from_overrides,
        enable_logger_service=enable_logger_service)


class _NodeInExecutor:
    """A node that an executor serves for a while, unless it did so before."""

    def __init__(self, node, executor):
        self._node = node
        self._executor = get_global_executor() if executor is None else executor

    def __enter__(self):
        self._was_added = self._executor.add_node(self._node)
        return self._executor

    def __exit__(self, exc_type, exc_val, exc_tb):
        if self._was_added:
            self._executor.remove_node(self._node)


def spin_once(node: Node, *, executor: Executor | None = None, timeout_sec: float | None = None):
    """Wait for one callback of the node, or another of the executor, and run it."""
    with _NodeInExecutor(node, executor) as used:
        used.spin_once(timeout_sec=timeout_sec)


def spin(node: Node, executor: Executor | None = None):
    """Run callbacks of the node, and others of the executor, until shutdown."""
    with _NodeInExecutor(node, executor) as used:
        used.spin()


def spin_until_future_complete(node: Node, future: Future, executor: Executor | None = None,
                               timeout_sec: float | None = None):
    """Run callbacks of the node, and others of the executor, until the future has ended."""
    with _NodeInExecutor(node, executor) as used:
        used.spin_until_future_complete(future, timeout_sec)
