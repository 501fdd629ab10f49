"""Parameters of nodes: their types, values, messages and files."""

from __future__ import annotations

import array
from collections.abc import Iterator
import copy
from enum import Enum
import re
from types import GenericAlias
from typing import Any

from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import ParameterType
from rcl_interfaces.msg import ParameterValue

PARAMETER_SEPARATOR_STRING = '.'

_SCALAR_CLASSES = (bool, int, float, str)
_ARRAY_CLASSES = (bytes, bool, int, float, str)
_SEQUENCES = (list, tuple, array.array)


class Parameter:
    """A named value of a type; it does not change."""

    __class_getitem__ = classmethod(GenericAlias)

    class Type(Enum):
        """Types that a value may have."""

        NOT_SET = ParameterType.PARAMETER_NOT_SET
        BOOL = ParameterType.PARAMETER_BOOL
        INTEGER = ParameterType.PARAMETER_INTEGER
        DOUBLE = ParameterType.PARAMETER_DOUBLE
        STRING = ParameterType.PARAMETER_STRING
        BYTE_ARRAY = ParameterType.PARAMETER_BYTE_ARRAY
        BOOL_ARRAY = ParameterType.PARAMETER_BOOL_ARRAY
        INTEGER_ARRAY = ParameterType.PARAMETER_INTEGER_ARRAY
        DOUBLE_ARRAY = ParameterType.PARAMETER_DOUBLE_ARRAY
        STRING_ARRAY = ParameterType.PARAMETER_STRING_ARRAY

        @classmethod
        def from_parameter_value(cls, parameter_value: Any) -> Parameter.Type:
            """Return the type of a value; an empty sequence is one of bytes.

            :raises TypeError: no parameter can have that value
            """
            if parameter_value is None:
                return cls.NOT_SET
            for element_class in _SCALAR_CLASSES:
                if isinstance(parameter_value, element_class):
                    return cls(_SCALAR_TYPES[element_class])
            if isinstance(parameter_value, _SEQUENCES):
                for element_class in _ARRAY_CLASSES:
                    if _are_all(parameter_value, element_class):
                        return cls(_ARRAY_TYPES[element_class])
                raise TypeError(f"The given value is not a list of one of the allowed types '{parameter_value}'.")
            raise TypeError(f"The given value is not one of the allowed types '{parameter_value}'.")

        def check(self, parameter_value: Any) -> bool:
            """Return whether a value is of this type."""
            if self is Parameter.Type.NOT_SET:
                return parameter_value is None
            for element_class, number in _SCALAR_TYPES.items():
                if self.value == number:
                    return isinstance(parameter_value, element_class)
            if not isinstance(parameter_value, _SEQUENCES):
                return False
            return any(self.value == number and _are_all(parameter_value, element_class)
                       for element_class, number in _ARRAY_TYPES.items())

    @classmethod
    def from_parameter_msg(cls, param_msg: ParameterMsg) -> Parameter:
        """Return the parameter that a message describes."""
        type_ = Parameter.Type(param_msg.value.type)
        value = None
        if type_ is not Parameter.Type.NOT_SET:
            # A copy: the arrays of a received message may be its memory.
            value = copy.copy(getattr(param_msg.value, _VALUE_FIELDS[type_.value]))
        return cls(param_msg.name, type_, value)

    def __init__(self, name: str, type_: Parameter.Type | None = None, value: Any = None) -> None:
        """Create a parameter, of the value's own type if none is given.

        :raises TypeError: type_ is no type, or no parameter can have the value
        :raises ValueError: the value is not of the type
        """
        if type_ is None:
            type_ = Parameter.Type.from_parameter_value(value)
        if not isinstance(type_, Parameter.Type):
            raise TypeError(f"type must be an instance of '{Parameter.Type!r}'")
        if not type_.check(value):
            raise ValueError(f"Type '{type_}' and value '{value}' do not agree")
        self._name = name
        self._type_ = type_
        self._value = value

    @property
    def name(self) -> str:
        """Return the name."""
        return self._name

    @property
    def type_(self) -> Parameter.Type:
        """Return the type."""
        return self._type_

    @property
    def value(self) -> Any:
        """Return the value; None if it is not set."""
        return self._value

    def get_parameter_value(self) -> ParameterValue:
        """Return the value as a message."""
        return _message_of_value(self._type_.value, self._value)

    def to_parameter_msg(self) -> ParameterMsg:
        """Return the parameter as a message."""
        return ParameterMsg(name=self._name, value=self.get_parameter_value())


_SCALAR_TYPES = {
    bool: ParameterType.PARAMETER_BOOL,
    int: ParameterType.PARAMETER_INTEGER,
    float: ParameterType.PARAMETER_DOUBLE,
    str: ParameterType.PARAMETER_STRING,
}

_ARRAY_TYPES = {
    bytes: ParameterType.PARAMETER_BYTE_ARRAY,
    bool: ParameterType.PARAMETER_BOOL_ARRAY,
    int: ParameterType.PARAMETER_INTEGER_ARRAY,
    float: ParameterType.PARAMETER_DOUBLE_ARRAY,
    str: ParameterType.PARAMETER_STRING_ARRAY,
}

_VALUE_FIELDS = {
    ParameterType.PARAMETER_BOOL: 'bool_value',
    ParameterType.PARAMETER_INTEGER: 'integer_value',
    ParameterType.PARAMETER_DOUBLE: 'double_value',
    ParameterType.PARAMETER_STRING: 'string_value',
    ParameterType.PARAMETER_BYTE_ARRAY: 'byte_array_value',
    ParameterType.PARAMETER_BOOL_ARRAY: 'bool_array_value',
    ParameterType.PARAMETER_INTEGER_ARRAY: 'integer_array_value',
    ParameterType.PARAMETER_DOUBLE_ARRAY: 'double_array_value',
    ParameterType.PARAMETER_STRING_ARRAY: 'string_array_value',
}

_TYPE_CODES = {
    ParameterType.PARAMETER_INTEGER_ARRAY: 'q',
    ParameterType.PARAMETER_DOUBLE_ARRAY: 'd',
}


def _are_all(values, element_class: type) -> bool:
    return all(isinstance(value, element_class) for value in values)


def _message_of_value(type_number: int, value: Any) -> ParameterValue:
    """Return the message of a value whose type is known."""
    message = ParameterValue(type=type_number)
    if type_number == ParameterType.PARAMETER_NOT_SET:
        return message
    if type_number in _TYPE_CODES:
        value = array.array(_TYPE_CODES[type_number], value)
    elif type_number in _ARRAY_TYPES.values():
        value = list(value)
    setattr(message, _VALUE_FIELDS[type_number], value)
    return message


def _message_of_yaml(value: Any, text: str) -> ParameterValue:
    """Return the message of a value of YAML; whatever no parameter can be is a string, its text."""
    for element_class in _SCALAR_CLASSES:
        if isinstance(value, element_class):
            return _message_of_value(_SCALAR_TYPES[element_class], value)
    if isinstance(value, list):
        for element_class in _SCALAR_CLASSES:
            if _are_all(value, element_class):
                return _message_of_value(_ARRAY_TYPES[element_class], value)
    return _message_of_value(ParameterType.PARAMETER_STRING, text)


def get_parameter_value(string_value: str) -> ParameterValue:
    """Return the value that a text means as YAML; a text that is no value of a parameter is a string."""
    import yaml
    try:
        value = yaml.safe_load(string_value)
    except yaml.YAMLError:
        value = None
    # A text in quotes means the string within; blanks mean themselves.
    return _message_of_yaml(value, string_value)


def parameter_value_to_python(parameter_value: ParameterValue) -> Any:
    """Return the value of a message; None if it is not set.

    :raises RuntimeError: its type is unknown
    """
    if parameter_value.type == ParameterType.PARAMETER_NOT_SET:
        return None
    field = _VALUE_FIELDS.get(parameter_value.type)
    if field is None:
        raise RuntimeError(f'Unknown type of a parameter value: {parameter_value.type}')
    value = getattr(parameter_value, field)
    return list(value) if parameter_value.type in _ARRAY_TYPES.values() else value


def parameter_dict_from_yaml_file(
    parameter_file: str,
    use_wildcard: bool = False,
    target_nodes: list[str] | None = None,
    namespace: str = ''
) -> dict[str, ParameterMsg]:
    """Return the parameters of a file, as messages, by their names.

    :param use_wildcard: whether sections whose names have wildcards count too; sections without go before them
    :param target_nodes: the nodes to look for; all if there are none
    :param namespace: what all names of parameters begin with
    :raises RuntimeError: the file has no parameters of the nodes, or they are no parameters
    """
    import yaml
    with open(parameter_file, encoding='utf-8') as file:
        document = yaml.safe_load(file)
    sections = list(_sections_of(document, '')) if isinstance(document, dict) else []
    targets = [_absolute(name) for name in target_nodes or []]

    selected = []
    missing = set(targets)
    for with_wildcard in ((True, False) if use_wildcard else (False,)):
        for name, values in sections:
            if ('*' in name) != with_wildcard:
                continue
            matched = [target for target in targets if re.fullmatch(_pattern_of(name), target)]
            missing.difference_update(matched)
            if matched or not targets:
                selected.append((name, values))
    if not selected:
        raise RuntimeError('Param file does not contain selected parameters')
    if missing:
        names = [name for name, _ in sections]
        raise RuntimeError(f'Param file does not contain parameters for {min(missing)},only for nodes: {names} ')

    parameters = {}
    for name, values in selected:
        if not isinstance(values, dict):
            raise RuntimeError(f'YAML file is not a valid ROS parameter file for node {name}')
        parameters.update(_unpack_parameter_dict(namespace, values))
    return parameters


def _absolute(node_name: str) -> str:
    return node_name if node_name.startswith('/') else '/' + node_name


def _sections_of(document: dict, prefix: str) -> Iterator[tuple[str, Any]]:
    """Yield the name and the parameters of each node's section; the names may be nested."""
    for key, value in document.items():
        name = prefix + '/' + str(key).strip('/')
        if not isinstance(value, dict) or not value:
            yield name, None
        elif 'ros__parameters' in value:
            yield name, value['ros__parameters']
        else:
            yield from _sections_of(value, name)


def _pattern_of(section_name: str) -> str:
    """Return the expression for a section's name: * is one part of a name, ** any number of them."""
    expression = ''
    for part in section_name.strip('/').split('/'):
        expression += {'*': r'/\w+', '**': r'(/\w+)*'}.get(part, '/' + re.escape(part))
    return expression


def _unpack_parameter_dict(namespace: str, parameter_dict: dict) -> dict[str, ParameterMsg]:
    """Return the messages of parameters, by name; dictionaries in the dictionary are parts of names."""
    parameters = {}
    for key, value in parameter_dict.items():
        name = f'{namespace}{key}'
        if isinstance(value, dict):
            parameters.update(_unpack_parameter_dict(name + PARAMETER_SEPARATOR_STRING, value))
        else:
            parameters[name] = ParameterMsg(name=name, value=_message_of_yaml(value, str(value)))
    return parameters
