"""Elements that <node> and <composable_node> have: parameters and remappings."""

from typing import List

from launch.frontend.entity import Entity
from launch.frontend.type_utils import get_data_type_from_identifier

from .parameter_descriptions import ParameterFile, ParameterValue


def parse_remappings(entity, parser):
    """The <remap from to> elements inside."""
    rules = []
    for remap in entity.get_attr('remap', data_type=List[Entity], optional=True) or []:
        rules.append(tuple(parser.parse_substitution(remap.get_attr(name)) for name in ('from', 'to')))
        remap.assert_entity_completely_parsed()
    return rules


def parse_parameters(entities, parser):
    """The <param> elements inside a node: with `from`, a file; with `name` and `value` (and `type`) a parameter; with
    `name` and further ones inside, a group."""
    parameters = []
    for entity in entities or []:
        path = entity.get_attr('from', optional=True)
        if path is None:
            parameters.append(_parse_named([entity], parser))
            continue
        if entity.get_attr('name', optional=True) is not None:
            raise ValueError("'name' and 'from' of <param> exclude each other")
        substitutes = entity.get_attr('allow_substs', data_type=bool, optional=True)
        parameters.append(ParameterFile(parser.parse_substitution(path),
                                        allow_substs=parser.parse_if_substitutions(substitutes or False)))
        entity.assert_entity_completely_parsed()
    return parameters


def _parse_named(entities, parser):
    parameters = {}
    for entity in entities:
        name = tuple(parser.parse_substitution(entity.get_attr('name')))
        kind = entity.get_attr('type', optional=True)
        data_type = None if kind is None else get_data_type_from_identifier(kind)
        value = entity.get_attr('value', data_type=data_type, optional=True)
        nested = entity.get_attr('param', data_type=List[Entity], optional=True)
        if (value is None) == (nested is None):
            raise ValueError("<param name='…'> needs either 'value' or further <param> inside")
        if nested is not None:
            parameters[name] = _parse_named(nested, parser)
        else:
            parameters[name] = ParameterValue(parser.parse_if_substitutions(value) if _has_text(value) else value,
                                              value_type=data_type)
        entity.assert_entity_completely_parsed()
    return parameters


def _has_text(value):
    texts = value if isinstance(value, list) else [value]
    return any(isinstance(text, str) and '$(' in text for text in texts)
