"""Descriptions of nodes that are not processes of their own."""

from typing import List

from launch.action import Action
from launch.frontend.entity import Entity
from launch.utilities import alias_modules, normalize_to_list_of_substitutions

from .node_elements import parse_parameters, parse_remappings
from .parameter_descriptions import Parameter, ParameterFile, ParameterValue
from .utilities import normalize_parameters, normalize_remap_rules


class ComposableNode:
    """A node in a library, for a container; with a condition, only if that holds when it is to be loaded."""

    def __init__(self, *, package, plugin, name=None, namespace=None, parameters=None, remappings=None,
                 extra_arguments=None, condition=None):
        self.package = normalize_to_list_of_substitutions(package)
        self.node_plugin = normalize_to_list_of_substitutions(plugin)
        self.node_name = None if name is None else normalize_to_list_of_substitutions(name)
        self.node_namespace = None if namespace is None else normalize_to_list_of_substitutions(namespace)
        self.parameters = None if parameters is None else normalize_parameters(parameters)
        self.remappings = None if remappings is None else normalize_remap_rules(remappings)
        self.extra_arguments = None if extra_arguments is None else normalize_parameters(extra_arguments)
        self._condition = condition

    def condition(self):
        return self._condition

    @classmethod
    def parse(cls, parser, entity):
        _, kwargs = Action.parse(entity, parser)
        for name, attribute in (('package', 'pkg'), ('plugin', 'plugin'), ('name', 'name')):
            kwargs[name] = parser.parse_substitution(entity.get_attr(attribute))
        namespace = entity.get_attr('namespace', optional=True)
        if namespace is not None:
            kwargs['namespace'] = parser.parse_substitution(namespace)
        kwargs['parameters'] = parse_parameters(entity.get_attr('param', data_type=List[Entity], optional=True), parser)
        kwargs['remappings'] = parse_remappings(entity, parser)
        extra = entity.get_attr('extra_arg', data_type=List[Entity], optional=True)
        if extra is not None:
            kwargs['extra_arguments'] = [{tuple(parser.parse_substitution(item.get_attr('name'))):
                                          parser.parse_substitution(item.get_attr('value'))} for item in extra]
            for item in extra:
                item.assert_entity_completely_parsed()
        entity.assert_entity_completely_parsed()
        return cls, kwargs


__all__ = ['ComposableNode', 'Parameter', 'ParameterFile', 'ParameterValue']
alias_modules(__name__, ['ComposableNode'])
