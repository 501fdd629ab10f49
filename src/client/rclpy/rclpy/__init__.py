"""ROS 2 for Python: nodes that publish, subscribe, call and serve.

    import rclpy
    from rclpy.node import Node

    with rclpy.init():
        rclpy.spin(Node('name'))

Modules of this package are imported when they are used for the first time.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from rclpy import utilities
from rclpy.context import Context
from rclpy.signals import install_signal_handlers
from rclpy.signals import SignalHandlerOptions
from rclpy.signals import uninstall_signal_handlers
from rclpy.utilities import get_default_context
from rclpy.utilities import get_rmw_implementation_identifier
from rclpy.utilities import ok

if TYPE_CHECKING:
    from types import TracebackType

    from rclpy.executors import Executor
    from rclpy.node import Node
    from rclpy.parameter import Parameter
    from rclpy.qos import QoSProfile
    from rclpy.task import Future

__all__ = [
    'Context', 'Future', 'InitContextManager', 'Parameter', 'SignalHandlerOptions', 'create_node',
    'get_default_context', 'get_global_executor', 'get_rmw_implementation_identifier', 'init',
    'install_signal_handlers', 'ok', 'shutdown', 'spin', 'spin_once', 'spin_until_future_complete', 'try_shutdown',
    'uninstall_signal_handlers',
]

_LATER = {'Future': 'rclpy.task', 'Parameter': 'rclpy.parameter'}

_global_executor: Executor | None = None
_global_executor_lock = threading.Lock()


def __getattr__(name: str):
    """Return a module of this package, or a class of one, that was not imported before."""
    import importlib
    if name in _LATER:
        value = globals()[name] = getattr(importlib.import_module(_LATER[name]), name)
        return value
    module = f'{__name__}.{name}'
    if not name.startswith('_'):
        try:
            return importlib.import_module(module)
        except ModuleNotFoundError as error:
            if error.name != module:
                raise
    raise AttributeError(f'module {__name__!r} has no attribute {name!r}')


class InitContextManager:
    """A context that is initialized, and is shut down at the end of a with statement."""

    def __init__(self, args: list[str] | None, context: Context | None, domain_id: int | None,
                 signal_handler_options: SignalHandlerOptions | None) -> None:
        """Initialize a context, as init() does."""
        is_default = utilities._is_default_context(context)
        self.context = get_default_context() if context is None else context
        self.context.init(args, domain_id=domain_id)
        if signal_handler_options is None:
            signal_handler_options = SignalHandlerOptions.ALL if is_default else SignalHandlerOptions.NO
        self.installed_signal_handlers = signal_handler_options != SignalHandlerOptions.NO
        if self.installed_signal_handlers:
            install_signal_handlers(signal_handler_options)

    def __enter__(self) -> InitContextManager:
        """Return it."""
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None,
                 exc_tb: TracebackType | None) -> None:
        """Shut the context down unless that has happened already."""
        try_shutdown(context=self.context, uninstall_handlers=self.installed_signal_handlers)


def init(
    *,
    args: list[str] | None = None,
    context: Context | None = None,
    domain_id: int | None = None,
    signal_handler_options: SignalHandlerOptions | None = None
) -> InitContextManager:
    """Initialize a context; what is returned shuts it down at the end of a with statement, if it is used in one.

    :param args: arguments of the command line, by default those of this process
    :param context: by default the default context
    :param domain_id: by default that of the environment (ROS_DOMAIN_ID)
    :param signal_handler_options: which signals shut contexts down: all if this is the default context, else none
    :raises RuntimeError: the domain is negative, arguments are wrong, or the context was initialized before
    """
    return InitContextManager(args, context, domain_id, signal_handler_options)


def get_global_executor() -> Executor:
    """Return the executor of spin functions that are given none. There is another one after the next shutdown."""
    global _global_executor
    with _global_executor_lock:
        if _global_executor is None:
            from rclpy.executors import SingleThreadedExecutor
            _global_executor = SingleThreadedExecutor()
            _global_executor.context.on_shutdown(_forget_global_executor)
        return _global_executor


def _forget_global_executor() -> None:
    global _global_executor
    _global_executor = None


def shutdown(*, context: Context | None = None, uninstall_handlers: bool | None = None) -> None:
    """Shut a context down.

    :param context: by default the default context, which is a new one from then on
    :param uninstall_handlers: whether signals shut no contexts down any more; None: if this is the default context
    :raises RuntimeError: the context is not initialized, or was shut down before
    """
    if uninstall_handlers is None:
        uninstall_handlers = utilities._is_default_context(context)
    try:
        utilities.shutdown(context=context)
    finally:
        if uninstall_handlers:
            uninstall_signal_handlers()


def try_shutdown(*, context: Context | None = None, uninstall_handlers: bool | None = None) -> None:
    """Shut a context down, as shutdown() does, unless that has happened already."""
    if uninstall_handlers is None:
        uninstall_handlers = utilities._is_default_context(context)
    utilities.try_shutdown(context=context)
    if uninstall_handlers:
        uninstall_signal_handlers()


def create_node(
    node_name: str,
    *,
    context: Context | None = None,
    cli_args: list[str] | None = None,
    namespace: str | None = None,
    use_global_arguments: bool = True,
    enable_rosout: bool = True,
    rosout_qos_profile: QoSProfile | int | None = None,
    start_parameter_services: bool = True,
    parameter_overrides: list[Parameter] | None = None,
    allow_undeclared_parameters: bool = False,
    automatically_declare_parameters_from_overrides: bool = False,
    enable_logger_service: bool = False
) -> Node:
    """Return a new node; the arguments are those of rclpy.node.Node."""
    from rclpy.node import Node
    return Node(
        node_name, context=context, cli_args=cli_args, namespace=namespace,
        use_global_arguments=use_global_arguments, enable_rosout=enable_rosout, rosout_qos_profile=rosout_qos_profile,
        start_parameter_services=start_parameter_services, parameter_overrides=parameter_overrides,
        allow_undeclared_parameters=allow_undeclared_parameters,
        automatically_declare_parameters_from_overrides=automatically_declare_parameters_from_overrides,
        enable_logger_service=enable_logger_service)


class _Serving:
    """Have an executor serve a node for the time of a with statement, if it does not already."""

    def __init__(self, node: Node, executor: Executor | None) -> None:
        self._node = node
        self._executor = get_global_executor() if executor is None else executor

    def __enter__(self) -> Executor:
        self._is_added = self._executor.add_node(self._node)
        return self._executor

    def __exit__(self, exc_type, exc_val, exc_tb) -> None:
        if self._is_added:
            self._executor.remove_node(self._node)


def spin_once(node: Node, *, executor: Executor | None = None, timeout_sec: float | None = None) -> None:
    """Wait for one callback of a node, and run it.

    :param executor: by default the global one; callbacks of its other nodes may be the one
    :param timeout_sec: how long to wait; None or negative: without end
    """
    with _Serving(node, executor) as serving:
        serving.spin_once(timeout_sec)


def spin(node: Node, executor: Executor | None = None) -> None:
    """Run the callbacks of a node until the context is shut down.

    :param executor: by default the global one; callbacks of its other nodes are run, too
    """
    with _Serving(node, executor) as serving:
        serving.spin()


def spin_until_future_complete(node: Node, future: Future, executor: Executor | None = None,
                               timeout_sec: float | None = None) -> None:
    """Run the callbacks of a node until a future has ended.

    :param executor: by default the global one; callbacks of its other nodes are run, too
    :param timeout_sec: how long to wait; None or negative: without end
    """
    with _Serving(node, executor) as serving:
        serving.spin_until_future_complete(future, timeout_sec)
