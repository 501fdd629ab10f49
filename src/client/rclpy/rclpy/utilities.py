"""Contexts, arguments and the middleware of this process."""

from __future__ import annotations

import os
import threading

from rclpy.constants import S_TO_NS
from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

g_default_context = None
g_context_lock = threading.Lock()


def get_default_context(*, shutting_down: bool = False) -> Context:
    """Return the context that is used where none is given; it is made when it is first asked for.

    :param shutting_down: the next call makes a new one
    """
    global g_default_context
    with g_context_lock:
        context = g_default_context
        if context is None:
            context = Context()
        g_default_context = None if shutting_down else context
        return context


def remove_ros_args(args: list[str] | None = None) -> list[str]:
    """Return the arguments without those for ROS; by default those of the process."""
    import sys
    return _rclpy.rclpy_remove_ros_args(list(sys.argv if args is None else args))


def ok(*, context: Context | None = None) -> bool:
    """Return whether the context is initialized and not shut down."""
    return (get_default_context() if context is None else context).ok()


def shutdown(*, context: Context | None = None):
    """Shut down a context; RuntimeError if it is not initialized or shut down already."""
    if context is None:
        context = get_default_context(shutting_down=True)
    context.shutdown()


def try_shutdown(*, context: Context | None = None):
    """Shut down a context, if it is not."""
    if context is None:
        context = get_default_context(shutting_down=True)
    context.try_shutdown()


def get_rmw_implementation_identifier() -> str:
    """Return the name of the middleware."""
    return _rclpy.rclpy_get_rmw_implementation_identifier()


def get_available_rmw_implementations() -> set[str]:
    """Return the names of the middlewares that are installed; RMW_IMPLEMENTATIONS may name those to be looked at."""
    from ament_index_python import get_resources
    available = set(get_resources('rmw_typesupport'))
    wanted = os.environ.get('RMW_IMPLEMENTATIONS')
    if wanted:
        wanted = set(wanted.split(os.pathsep))
        missing = wanted - available
        if missing:
            raise RuntimeError(
                f"The RMW implementations {sorted(missing)} of RMW_IMPLEMENTATIONS are not available; "
                f'there are {sorted(available)}')
        available = wanted
    return available


def timeout_sec_to_nsec(timeout_sec: float | None) -> int:
    """Return nanoseconds for seconds; -1, which means for ever, for None and negative ones."""
    if timeout_sec is None or timeout_sec < 0:
        return -1
    return int(float(timeout_sec) * S_TO_NS)
