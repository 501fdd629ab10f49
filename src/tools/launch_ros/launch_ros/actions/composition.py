"""Nodes in containers: the container as a process, and the requests to load nodes into it."""

from typing import List

import launch.logging
from launch.action import Action
from launch.frontend import expose_action
from launch.frontend.entity import Entity
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..descriptions import ComposableNode
from ..load_requests import load_request
from ..ros_adapters import CallError, get_ros_adapter
from .node import Node, count_name

_LOAD = 'composition_interfaces/srv/LoadNode'


def _descriptions(entity, parser):
    entities = entity.get_attr('composable_node', data_type=List[Entity], optional=True) or []
    return [cls(**kwargs) for cls, kwargs in (ComposableNode.parse(parser, item) for item in entities)]


@expose_action('node_container')
class ComposableNodeContainer(Node):
    """A container of rclcpp_components as a process; the nodes are loaded once it serves."""

    def __init__(self, *, name, namespace=None, composable_node_descriptions=None, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.composable_node_descriptions = composable_node_descriptions

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['composable_node_descriptions'] = _descriptions(entity, parser)
        return cls, kwargs

    def execute(self, context):
        entities = list(super().execute(context) or [])
        if self.composable_node_descriptions:
            entities.append(LoadComposableNodes(composable_node_descriptions=self.composable_node_descriptions,
                                                target_container=self))
        return entities


@expose_action('load_composable_node')
class LoadComposableNodes(Action):
    """Loads nodes into a container, one after another, once it serves. `target_container` is its full name, or the
    action that runs it; if that ends, so does this. A node that cannot be loaded is told of, and the next one follows.
    """

    def __init__(self, *, composable_node_descriptions, target_container, **kwargs):
        super().__init__(**kwargs)
        self.composable_node_descriptions = composable_node_descriptions
        self._target = target_container
        if not isinstance(target_container, ComposableNodeContainer):
            self._target = normalize_to_list_of_substitutions(target_container)
        self._future = None
        self._logger = launch.logging.get_logger('launch_ros.actions.load_composable_nodes')

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['target_container'] = normalize_to_list_of_substitutions(
            parser.parse_substitution(entity.get_attr('target')))
        kwargs['composable_node_descriptions'] = _descriptions(entity, parser)
        return cls, kwargs

    def get_asyncio_future(self):
        return self._future

    def execute(self, context):
        is_action = isinstance(self._target, ComposableNodeContainer)
        container = self._target.node_name if is_action else perform_substitutions(context, self._target)
        # Made now: configurations and environment are those of this place.
        requests = [load_request(context, node) for node in self.composable_node_descriptions
                    if node.condition() is None or node.condition().evaluate(context)]
        end = self._target.get_asyncio_future() if is_action else None
        if requests:
            self._future = context.asyncio_loop.create_task(
                self._load(context, container, requests, get_ros_adapter(context), end))

    async def _load(self, context, container, requests, adapter, end):
        for request in requests:
            try:
                response = await adapter.call(f'{container}/_container/load_node', _LOAD, request, give_up=end)
            except CallError as error:
                self._logger.error(f"container '{container}' loads no further nodes: {error}")
                return
            if response is None:
                if not context.is_shutdown:
                    self._logger.error(f"container '{container}' has ended before all of its nodes were loaded")
                return
            name = response['full_node_name'] or request['node_name']
            if response['success']:
                count_name(context, name)
                self._logger.info(f"Loaded node '{name}' in container '{container}'")
            else:
                self._logger.error(f"Failed to load node '{name}' of type '{request['plugin_name']}' in container "
                                   f"'{container}': {response['error_message']}")
