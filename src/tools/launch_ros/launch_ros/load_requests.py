"""Requests to load a node into a container, as composition_interfaces/srv/LoadNode has them."""

import os
import re
from pathlib import Path

import launch.logging
import yaml
from launch.utilities import perform_substitutions

from .parameter_descriptions import Parameter, ParameterFile
from .utilities import evaluate_parameters, make_namespace_absolute, normalize_parameter_dict, prefix_namespace

# Number of the type, and the field of rcl_interfaces/msg/ParameterValue.
_SCALARS = {bool: (1, 'bool_value'), int: (2, 'integer_value'), float: (3, 'double_value'), str: (4, 'string_value')}
_ARRAYS = {bool: (6, 'bool_array_value'), int: (7, 'integer_array_value'), float: (8, 'double_array_value'),
           str: (9, 'string_array_value')}


def load_request(context, description):
    """The request for a ComposableNode, as a dict."""
    def text(subs):
        return '' if subs is None else perform_substitutions(context, subs)
    own = None if description.node_namespace is None else text(description.node_namespace)
    base = context.launch_configurations.get('ros_namespace')
    namespace = make_namespace_absolute(prefix_namespace(base, own)) or ''
    name = text(description.node_name)
    node = f"{namespace.rstrip('/')}/{name or '<name>'}"  # without a name only wildcards match
    remappings = [*context.launch_configurations.get('ros_remaps', []),
                  *(map(text, rule) for rule in description.remappings or [])]
    return {'package_name': text(description.package), 'plugin_name': text(description.node_plugin),
            'node_name': name, 'node_namespace': namespace,
            'remap_rules': [f'{source}:={target}' for source, target in remappings],
            'parameters': _messages(context, node, [*_global(context), *(description.parameters or [])]),
            'extra_arguments': _messages(context, node, description.extra_arguments or [])}


def _global(context):
    """What SetParameter and SetParametersFromFile gave all nodes."""
    return [ParameterFile(entry) if isinstance(entry, str) else normalize_parameter_dict({entry[0]: entry[1]})
            for entry in context.launch_configurations.get('global_params', [])]


def _messages(context, node, parameters):
    """A list of rcl_interfaces/msg/Parameter as dicts; of several with one name the last one."""
    values = {}
    for item in evaluate_parameters(context, parameters):
        if isinstance(item, Parameter):
            item = dict([item.evaluate(context)])
        values.update(item if isinstance(item, dict) else _of_file(item, node))
    return [{'name': name, 'value': _value(name, value)} for name, value in values.items()]


def _value(name, value):
    if isinstance(value, bytes):
        return {'type': 5, 'byte_array_value': list(value)}
    if isinstance(value, (list, tuple)):
        kind = type(value[0]) if value else None
        if kind in _ARRAYS and all(type(element) is kind for element in value):
            return {'type': _ARRAYS[kind][0], _ARRAYS[kind][1]: list(value)}
    elif type(value) in _SCALARS:
        return {'type': _SCALARS[type(value)][0], _SCALARS[type(value)][1]: value}
    raise ValueError(f"parameter '{name}' cannot be {value!r}; "
                     'it is a bool, int, float, str, or a list of one of these')


def _of_file(path, node):
    """{name: value} of the sections of a parameter file that are for the node."""
    if not path.is_file():
        launch.logging.get_logger('launch_ros').warning(
            f"there is no parameter file '{os.fspath(path)}'; {node} is loaded without it")
        return {}
    try:
        content = yaml.safe_load(Path(path).read_text(encoding='utf-8'))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ValueError(f"cannot use the parameter file '{os.fspath(path)}': {error}") from error
    found = {}
    for pattern, parameters in _sections(content, ''):
        if _matches(pattern, node):
            found.update(_flat(parameters, ''))
    return found


def _sections(tree, prefix):
    """Pairs of a node's pattern and its parameters. Namespaces may be keys of their own."""
    for key, value in tree.items() if isinstance(tree, dict) else ():
        if key == 'ros__parameters':
            yield prefix, value
        else:
            yield from _sections(value, f"{prefix}/{str(key).strip('/')}")


def _matches(pattern, node):
    """`*` stands for one part of the name, `**` for any number of them."""
    parts = {'**': r'(/[^/]+)*', '*': r'/[^/]+'}
    expression = ''.join(parts.get(part, '/' + re.escape(part)) for part in pattern.strip('/').split('/'))
    return re.fullmatch(expression, node) is not None


def _flat(parameters, prefix):
    flat = {}
    for name, value in parameters.items() if isinstance(parameters, dict) else ():
        if isinstance(value, dict):
            flat.update(_flat(value, f'{prefix}{name}.'))
        else:
            flat[f'{prefix}{name}'] = value
    return flat
