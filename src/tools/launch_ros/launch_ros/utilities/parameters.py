"""Parameters of a node as launch files give them: dicts, files, single ones."""

import os
from pathlib import Path

import yaml
from launch.substitution import Substitution
from launch.utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import SCALARS, is_substitution, is_uniform_list, name_of_type, uniform

from ..parameter_descriptions import Parameter, ParameterFile, ParameterValue


def normalize_parameters(parameters):
    """A list of Parameter, ParameterFile and dicts with flat names."""
    if isinstance(parameters, (str, dict)):
        raise TypeError(f"'parameters' of a node is a list, as in parameters=[{{'rate': 10.0}}], not {parameters!r}")
    normalized = []
    for item in parameters:
        if isinstance(item, dict):
            normalized.append(normalize_parameter_dict(item))
        elif isinstance(item, (Parameter, ParameterFile)):
            normalized.append(item)
        elif isinstance(item, (str, os.PathLike, Substitution, list, tuple)):
            normalized.append(ParameterFile(item))
        else:
            raise TypeError(f'parameters of a node are dicts, files or Parameter, not {item!r}')
    return normalized


def normalize_parameter_dict(parameters, *, _prefix=()):
    """{substitutions of the name: value}; names of nested dicts are joined by dots."""
    flat = {}
    for name, value in parameters.items():
        full = (*_prefix, *normalize_to_list_of_substitutions(name))
        if isinstance(value, dict):
            flat.update(normalize_parameter_dict(value, _prefix=(*full, *normalize_to_list_of_substitutions('.'))))
        else:
            flat[full] = value
    return flat


def evaluate_parameter_dict(context, parameters):
    """{name: value} of a normalized dict."""
    evaluated = {}
    for name, value in parameters.items():
        text = perform_substitutions(context, name)
        evaluated[text] = _evaluate(context, text, value)
    return evaluated


def _evaluate(context, name, value):
    if isinstance(value, ParameterValue):
        result = value.evaluate(context)
    elif is_substitution(value):
        result = _from_yaml(context, name, value)
    elif isinstance(value, (list, tuple)):
        result = uniform([_element(context, name, item) for item in value])
    else:
        result = value
    if isinstance(result, (bytes, *SCALARS)) or is_uniform_list(result) or result == []:
        return result
    kinds = sorted({name_of_type(type(item)) for item in result}) if isinstance(result, list) else None
    found = f'a list of {" and ".join(kinds)}' if kinds else repr(result)
    raise ValueError(f"parameter '{name}' cannot be {found}; it is a bool, int, float, str, or a list of one of these")


def _element(context, name, item):
    """Of a list: texts stay texts, substitutions and lists with some are read as YAML."""
    return _from_yaml(context, name, item) if is_substitution(item) else item


def _from_yaml(context, name, subs):
    text = perform_substitutions(context, subs)
    advice = ("if it is meant as a text, write "
              f'ParameterValue({describe_substitutions(subs)}, value_type=str) (of launch_ros.parameter_descriptions)')
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError:
        raise ValueError(f"the value of parameter '{name}' cannot be read as YAML; {advice}") from None
    if value is None or isinstance(value, dict):
        if not text.strip() or value is None:
            return text
        raise ValueError(f"the value of parameter '{name}' is a YAML mapping; {advice}")
    if not isinstance(value, (list, *SCALARS)):
        return text  # a date, for instance
    return value


def evaluate_parameters(context, parameters):
    """Of normalized parameters: dicts of values, paths, and Parameter as they are."""
    evaluated = []
    for item in parameters:
        if isinstance(item, ParameterFile):
            evaluated.append(Path(item.evaluate(context)))
        elif isinstance(item, Parameter):
            evaluated.append(item)
        else:
            evaluated.append(evaluate_parameter_dict(context, item))
    return tuple(evaluated)
