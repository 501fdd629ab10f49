"""The default context, and other functions that belong to no class."""

from __future__ import annotations

from collections.abc import Sequence
import os
import sys
import threading

from rclpy.constants import S_TO_NS
from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

g_default_context: Context | None = None
g_context_lock = threading.Lock()


def get_default_context(*, shutting_down: bool = False) -> Context:
    """Return the context of all that is created without one.

    :param shutting_down: whether the next call returns a new one
    """
    global g_default_context
    with g_context_lock:
        context = Context() if g_default_context is None else g_default_context
        g_default_context = None if shutting_down else context
        return context


def _is_default_context(context: Context | None) -> bool:
    """Return whether a function with this argument is about the default context."""
    return context is None or context is g_default_context


def remove_ros_args(args: Sequence[str] | None = None) -> list[str]:
    """Return arguments without those for ROS, by default the arguments of this process."""
    return _rclpy.rclpy_remove_ros_args(list(sys.argv if args is None else args))


def ok(*, context: Context | None = None) -> bool:
    """Return whether a context is initialized and not shut down."""
    if context is None:
        context = get_default_context()
    return context.ok()


def shutdown(*, context: Context | None = None) -> None:
    """Shut a context down. RuntimeError if it is not initialized, or was shut down before."""
    _leaving(context).shutdown()


def try_shutdown(*, context: Context | None = None) -> None:
    """Shut a context down unless that has happened already."""
    _leaving(context).try_shutdown()


def _leaving(context: Context | None) -> Context:
    """Return the context, which is the default one no longer."""
    return get_default_context(shutting_down=True) if _is_default_context(context) else context


def get_rmw_implementation_identifier() -> str:
    """Return the name of the middleware."""
    return _rclpy.rclpy_get_rmw_implementation_identifier()


def get_available_rmw_implementations() -> set[str]:
    """Return the names of installed middlewares, of which the variable RMW_IMPLEMENTATIONS may choose some.

    :raises RuntimeError: a chosen one is not installed
    """
    from ament_index_python import get_resources
    available = {get_rmw_implementation_identifier(), *get_resources('rmw_typesupport')}
    chosen = set(filter(None, os.environ.get('RMW_IMPLEMENTATIONS', '').split(os.pathsep)))
    missing = chosen - available
    if missing:
        raise RuntimeError(f'RMW_IMPLEMENTATIONS names what is not installed: {", ".join(sorted(missing))}')
    return chosen or available


def timeout_sec_to_nsec(timeout_sec: float | None) -> int:
    """Return nanoseconds for seconds; -1, for ever, for None and negative ones."""
    if timeout_sec is None or timeout_sec < 0:
        return -1
    return int(float(timeout_sec) * S_TO_NS)
