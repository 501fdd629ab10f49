"""Texts that stand for booleans, numbers and lists, by the rules of YAML."""

from typing import List

import yaml

from ..substitution import Substitution
from . import normalize_to_list_of_substitutions, perform_substitutions

SCALARS = (bool, int, float, str)
_ELEMENTS = {List[bool]: bool, List[int]: int, List[float]: float, List[str]: str,
             list[bool]: bool, list[int]: int, list[float]: float, list[str]: str}


def name_of_type(data_type):
    return getattr(data_type, '__name__', str(data_type)) if data_type in SCALARS else str(data_type)


def is_uniform_list(value):
    """Whether this is a list of one scalar type; whole numbers among floats count as floats."""
    types = {type(item) for item in value} if isinstance(value, list) else {None}
    return types <= {int, float} or (len(types) == 1 and types <= set(SCALARS))


def uniform(value):
    """Makes all elements floats when some are."""
    if isinstance(value, list) and {type(item) for item in value} == {int, float}:
        return [float(item) for item in value]
    return value


def _load(text):
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return text


def _to_scalar(value, text, data_type):
    if data_type is str:
        return text
    if data_type is float:
        try:
            return float(text)
        except ValueError:
            value = None
    if type(value) is not data_type:
        raise ValueError(f"'{text}' is no {data_type.__name__}")
    return value


def coerce_to_type(value, data_type=None, *, can_be_str=False):
    """A text as a value of this type (bool, int, float, str, or a List of these); as what YAML makes of it if None.
    With `can_be_str`, a text that does not fit stays a text. Raises ValueError."""
    try:
        if data_type in SCALARS:
            return _to_scalar(_load(value), value, data_type)
        loaded = _load(value)
        if data_type is None:
            if isinstance(loaded, SCALARS) or is_uniform_list(loaded):
                return uniform(loaded)
            raise ValueError(f"'{value}' is no bool, number, text or list of one of these")
        if not isinstance(loaded, list):
            raise ValueError(f"'{value}' is no list")
        return [_to_scalar(item, str(item), _ELEMENTS[data_type]) for item in loaded]
    except ValueError:
        if can_be_str:
            return value
        raise


def get_typed_value(value, data_type, *, can_be_str=False):
    """As coerce_to_type(); also takes a list of texts, whose elements are converted."""
    if isinstance(value, list):
        element = _ELEMENTS.get(data_type)
        return [coerce_to_type(item, element, can_be_str=can_be_str) for item in value]
    return coerce_to_type(value, data_type, can_be_str=can_be_str)


def is_substitution(value):
    """Whether this stands for a text that is not known yet: a substitution, or a list with one."""
    return isinstance(value, Substitution) or (
        isinstance(value, (list, tuple)) and any(isinstance(item, Substitution) for item in value))


def normalize_typed_substitution(value, data_type):
    """A list of substitutions, or a list of such lists, or the plain value."""
    if is_substitution(value):
        return normalize_to_list_of_substitutions(value)
    if isinstance(value, (list, tuple)):
        return [normalize_to_list_of_substitutions(item) if is_substitution(item) else item for item in value]
    return value


def perform_typed_substitution(context, value, data_type=None):
    """The value that a normalized one has now. Raises ValueError if it is not of this type."""
    if is_substitution(value):
        return coerce_to_type(perform_substitutions(context, value), data_type)
    if isinstance(value, (list, tuple)):
        element = _ELEMENTS.get(data_type)
        return uniform([coerce_to_type(perform_substitutions(context, item), element) if is_substitution(item) else item
                        for item in value])
    if isinstance(value, str) and data_type not in (None, str):
        return coerce_to_type(value, data_type)
    if data_type is float and type(value) is int:
        return float(value)
    if data_type is str and not isinstance(value, str):
        return str(value)
    return value
