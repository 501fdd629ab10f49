"""Nodes in containers: described, so that launch files can be read, but not run, since there is no container."""

from typing import List

from launch.action import Action
from launch.frontend import expose_action
from launch.frontend.entity import Entity
from launch.utilities import normalize_to_list_of_substitutions

from ..descriptions import ComposableNode
from .node import Node

_REFUSAL = ('nodes cannot be loaded into a container here: rclcpp_components has no container process yet. '
            'Start them as Node actions with the executables that rclcpp_components_register_node makes')


def _descriptions(entity, parser):
    entities = entity.get_attr('composable_node', data_type=List[Entity], optional=True) or []
    return [cls(**kwargs) for cls, kwargs in (ComposableNode.parse(parser, item) for item in entities)]


@expose_action('node_container')
class ComposableNodeContainer(Node):
    def __init__(self, *, name, namespace=None, composable_node_descriptions=None, **kwargs):
        super().__init__(name=name, namespace=namespace, **kwargs)
        self.composable_node_descriptions = composable_node_descriptions

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['composable_node_descriptions'] = _descriptions(entity, parser)
        return cls, kwargs

    def execute(self, context):
        raise RuntimeError(_REFUSAL)


@expose_action('load_composable_node')
class LoadComposableNodes(Action):
    def __init__(self, *, composable_node_descriptions, target_container, **kwargs):
        super().__init__(**kwargs)
        self.composable_node_descriptions = composable_node_descriptions
        self.target_container = target_container

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['target_container'] = normalize_to_list_of_substitutions(
            parser.parse_substitution(entity.get_attr('target')))
        kwargs['composable_node_descriptions'] = _descriptions(entity, parser)
        return cls, kwargs

    def execute(self, context):
        raise RuntimeError(_REFUSAL)
