"""Which actions there are, and which nodes have clients and servers of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rclpy.node import Node


def get_action_client_names_and_types_by_node(
        node: Node, remote_node_name: str, remote_node_namespace: str) -> list[tuple[str, list[str]]]:
    """Return names and types of the actions that a node has clients of."""
    with node.handle:
        return node.handle.get_action_client_names_and_types_by_node(remote_node_name, remote_node_namespace)


def get_action_server_names_and_types_by_node(
        node: Node, remote_node_name: str, remote_node_namespace: str) -> list[tuple[str, list[str]]]:
    """Return names and types of the actions that a node has servers of."""
    with node.handle:
        return node.handle.get_action_server_names_and_types_by_node(remote_node_name, remote_node_namespace)


def get_action_names_and_types(node: Node) -> list[tuple[str, list[str]]]:
    """Return names and types of all actions that the node sees."""
    with node.handle:
        return node.handle.get_action_names_and_types()
