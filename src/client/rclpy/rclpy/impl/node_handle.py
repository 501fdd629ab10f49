"""The native handles of a node and of what it creates."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rclpy.context import Context
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.validate_namespace import validate_namespace
from rclpy.validate_node_name import validate_node_name

if TYPE_CHECKING:
    from rclpy.qos import QoSProfile


def create_node_handle(
    context: Context,
    name: str,
    namespace: str,
    cli_args: list[str] | None,
    use_global_arguments: bool,
    enable_rosout: bool,
    rosout_qos_profile: QoSProfile | None
):
    """Return a native node.

    :param rosout_qos_profile: None for the default
    :raises InvalidNodeNameException: a node may not be called so
    :raises InvalidNamespaceException: a namespace may not be called so
    """
    options = () if rosout_qos_profile is None else (rosout_qos_profile.get_c_qos_profile(),)
    try:
        with context.handle:
            return _rclpy.Node(
                name, namespace, context.handle, cli_args, use_global_arguments, enable_rosout, *options)
    except ValueError as error:
        validate_node_name(name)
        validate_namespace(namespace if namespace.startswith('/') else '/' + namespace)
        raise RuntimeError('rclpy_create_node failed for unknown reason') from error


@contextmanager
def destroyed_on_error(handle) -> Iterator[None]:
    """Destroy a handle if what is done meanwhile fails."""
    try:
        yield
    except BaseException:
        handle.destroy_when_not_in_use()
        raise
