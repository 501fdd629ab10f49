"""The part of a node that knows names and other nodes."""

from __future__ import annotations

from collections.abc import Callable
import time

from rclpy.expand_topic_name import expand_topic_name
from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.topic_endpoint_info import TopicEndpointInfo
from rclpy.validate_full_topic_name import validate_full_topic_name
from rclpy.validate_topic_name import validate_topic_name

_POLL_PERIOD = 0.1


class NodeGraph:
    """Names of this node's topics and services, and what others offer and use."""

    def get_name(self) -> str:
        """Return the name of the node, without its namespace."""
        with self.handle:
            return self.handle.get_node_name()

    def get_namespace(self) -> str:
        """Return the namespace of the node."""
        with self.handle:
            return self.handle.get_namespace()

    def get_fully_qualified_name(self) -> str:
        """Return the name of the node with its namespace."""
        with self.handle:
            return self.handle.get_fully_qualified_name()

    # Names.

    def resolve_topic_name(self, topic: str, *, only_expand: bool = False) -> str:
        """Return the full name of a topic, remapped unless it is only to be expanded."""
        with self.handle:
            return _rclpy.rclpy_resolve_name(self.handle, topic, only_expand, False)

    def resolve_service_name(self, service: str, *, only_expand: bool = False) -> str:
        """Return the full name of a service, remapped unless it is only to be expanded."""
        with self.handle:
            return _rclpy.rclpy_resolve_name(self.handle, service, only_expand, True)

    def _expand(self, name: str, *, is_service: bool = False) -> str:
        """Return the full name of a topic or service; ValueError if there is none."""
        full_name = expand_topic_name(name, self.get_name(), self.get_namespace())
        validate_full_topic_name(full_name, is_service=is_service)
        return full_name

    def _validate_topic_or_service_name(self, topic_or_service_name: str, *, is_service: bool = False) -> None:
        """Raise what is wrong with a name.

        :raises InvalidTopicNameException: a topic may not be called so
        :raises InvalidServiceNameException: a service may not be called so
        :raises ValueError: it has an unknown substitution
        """
        validate_topic_name(topic_or_service_name, is_service=is_service)
        self._expand(topic_or_service_name, is_service=is_service)

    def _with_valid_name(self, create: Callable, name: str, *, is_service: bool = False):
        """Return what a function makes of a name; if it fails, raise what is wrong with the name, if anything is."""
        try:
            with self.handle:
                return create(name)
        except (ValueError, RuntimeError):
            self._validate_topic_or_service_name(name, is_service=is_service)
            raise

    # Of other nodes.

    def get_publisher_names_and_types_by_node(
        self, node_name: str, node_namespace: str, no_demangle: bool = False
    ) -> list[tuple[str, list[str]]]:
        """Return topics that a node publishes, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return _rclpy.rclpy_get_publisher_names_and_types_by_node(
                self.handle, no_demangle, node_name, node_namespace)

    def get_subscriber_names_and_types_by_node(
        self, node_name: str, node_namespace: str, no_demangle: bool = False
    ) -> list[tuple[str, list[str]]]:
        """Return topics that a node subscribes to, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return _rclpy.rclpy_get_subscriber_names_and_types_by_node(
                self.handle, no_demangle, node_name, node_namespace)

    def get_service_names_and_types_by_node(
        self, node_name: str, node_namespace: str
    ) -> list[tuple[str, list[str]]]:
        """Return services that a node offers, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return _rclpy.rclpy_get_service_names_and_types_by_node(self.handle, node_name, node_namespace)

    def get_client_names_and_types_by_node(
        self, node_name: str, node_namespace: str
    ) -> list[tuple[str, list[str]]]:
        """Return services that a node uses, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return _rclpy.rclpy_get_client_names_and_types_by_node(self.handle, node_name, node_namespace)

    def get_action_client_names_and_types_by_node(
        self, node_name: str, node_namespace: str
    ) -> list[tuple[str, list[str]]]:
        """Return actions that a node uses, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return self.handle.get_action_client_names_and_types_by_node(node_name, node_namespace)

    def get_action_server_names_and_types_by_node(
        self, node_name: str, node_namespace: str
    ) -> list[tuple[str, list[str]]]:
        """Return actions that a node offers, and their types.

        :raises NodeNameNonExistentError: there is no such node
        """
        with self.handle:
            return self.handle.get_action_server_names_and_types_by_node(node_name, node_namespace)

    # Of the whole graph.

    def get_topic_names_and_types(self, no_demangle: bool = False) -> list[tuple[str, list[str]]]:
        """Return all topics and their types."""
        with self.handle:
            return _rclpy.rclpy_get_topic_names_and_types(self.handle, no_demangle)

    def get_service_names_and_types(self) -> list[tuple[str, list[str]]]:
        """Return all services and their types."""
        with self.handle:
            return _rclpy.rclpy_get_service_names_and_types(self.handle)

    def get_action_names_and_types(self) -> list[tuple[str, list[str]]]:
        """Return all actions and their types."""
        with self.handle:
            return self.handle.get_action_names_and_types()

    def get_node_names(self) -> list[str]:
        """Return the names of all nodes, without namespaces."""
        return [name for name, _ in self.get_node_names_and_namespaces()]

    def get_fully_qualified_node_names(self) -> list[str]:
        """Return the names of all nodes with their namespaces."""
        return [f"{namespace.rstrip('/')}/{name}" for name, namespace in self.get_node_names_and_namespaces()]

    def get_node_names_and_namespaces(self) -> list[tuple[str, str]]:
        """Return the names and namespaces of all nodes."""
        with self.handle:
            return self.handle.get_node_names_and_namespaces()

    def get_node_names_and_namespaces_with_enclaves(self) -> list[tuple[str, str, str]]:
        """Return the names, namespaces and enclaves of all nodes."""
        with self.handle:
            return self.handle.get_node_names_and_namespaces_with_enclaves()

    # Of a topic or service.

    def count_publishers(self, topic_name: str) -> int:
        """Return the number of a topic's publishers; the name is not remapped."""
        return self._count(self.handle.get_count_publishers, topic_name, False)

    def count_subscribers(self, topic_name: str) -> int:
        """Return the number of a topic's subscriptions; the name is not remapped."""
        return self._count(self.handle.get_count_subscribers, topic_name, False)

    def count_clients(self, service_name: str) -> int:
        """Return the number of a service's clients; the name is not remapped."""
        return self._count(self.handle.get_count_clients, service_name, True)

    def count_services(self, service_name: str) -> int:
        """Return the number of a service's servers; the name is not remapped."""
        return self._count(self.handle.get_count_services, service_name, True)

    def _count(self, count: Callable[[str], int], name: str, is_service: bool) -> int:
        full_name = self._expand(name, is_service=is_service)
        with self.handle:
            return count(full_name)

    def get_publishers_info_by_topic(self, topic_name: str, no_mangle: bool = False) -> list[TopicEndpointInfo]:
        """Return what is known of a topic's publishers; no_mangle takes the name as that of a DDS topic."""
        return self._get_info_by_topic(topic_name, no_mangle, _rclpy.rclpy_get_publishers_info_by_topic)

    def get_subscriptions_info_by_topic(self, topic_name: str, no_mangle: bool = False) -> list[TopicEndpointInfo]:
        """Return what is known of a topic's subscriptions; no_mangle takes the name as that of a DDS topic."""
        return self._get_info_by_topic(topic_name, no_mangle, _rclpy.rclpy_get_subscriptions_info_by_topic)

    def _get_info_by_topic(
        self, topic_name: str, no_mangle: bool, func: Callable[[object, str, bool], list[dict]]
    ) -> list[TopicEndpointInfo]:
        with self.handle:
            if not no_mangle:
                topic_name = _rclpy.rclpy_remap_topic_name(self.handle, self._expand(topic_name))
            return [TopicEndpointInfo(**info) for info in func(self.handle, topic_name, no_mangle)]

    def wait_for_node(self, fully_qualified_node_name: str, timeout: float) -> bool:
        """Wait until there is a node of a name, at most for some seconds, and return whether there is."""
        end = time.monotonic() + timeout
        while self.context.ok():
            if fully_qualified_node_name in self.get_fully_qualified_node_names():
                return True
            left = end - time.monotonic()
            if left <= 0:
                return False
            time.sleep(min(_POLL_PERIOD, left))
        return False
