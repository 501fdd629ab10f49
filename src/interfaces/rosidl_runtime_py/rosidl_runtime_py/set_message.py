"""Values of fields from dictionaries, as YAML gives them."""

import array
import sys

from rosidl_parser.definition import AbstractNestedType, NamespacedType

from .convert import get_message_slot_types
from .import_message import import_message_from_namespaced_type


def set_message_fields(msg, values, expand_header_auto=False, expand_time_now=False):
    """Set fields of a message, and of those in it.

    :param values: by the names of the fields
    :param expand_header_auto: 'auto' in place of a header is one with the time of the setter's call
    :param expand_time_now: 'now' in place of a time is that of the setter's call
    :returns: functions that set the times which are to be set for each message anew; each takes a time
    :raises TypeError: values is no dictionary
    :raises AttributeError: there is no such field
    :raises ValueError: a value cannot be that of its field
    """
    if not isinstance(values, dict):
        raise TypeError(f"Value '{values}' is expected to be a dictionary but is a {type(values).__name__}")
    setters = []
    types = get_message_slot_types(msg)
    for name, value in values.items():
        field = getattr(msg, name)
        kind = f'{type(field).__module__}.{type(field).__name__}'
        if expand_header_auto and kind == 'std_msgs.msg._header.Header' and value == 'auto':
            setters.append(_setter_of_stamp(msg, name))
        elif expand_time_now and kind == 'builtin_interfaces.msg._time.Time' and value == 'now':
            setters.append(_setter(msg, name))
        elif isinstance(field, array.array):
            setattr(msg, name, array.array(field.typecode, value))
        elif _is_ndarray(field):
            numpy = sys.modules['numpy']
            setattr(msg, name, numpy.array(value, dtype=field.dtype))
        elif isinstance(types[name], AbstractNestedType):
            setattr(msg, name, _elements(types[name].value_type, value, setters, expand_header_auto, expand_time_now))
        elif hasattr(field, 'get_fields_and_field_types'):
            if not isinstance(value, type(field)):
                values_of, value = value, type(field)()
                setters += set_message_fields(value, values_of, expand_header_auto, expand_time_now)
            setattr(msg, name, value)
        else:
            setattr(msg, name, _converted(field, value))
    return setters


def _setter(msg, name):
    return lambda time: setattr(msg, name, time)


def _setter_of_stamp(msg, name):
    return lambda time: setattr(getattr(msg, name), 'stamp', time)


def _is_ndarray(value):
    return hasattr(value, 'dtype') and hasattr(value, 'shape')


def _converted(field, value):
    """Return a value of the type that the field has: numbers may be given as text."""
    if isinstance(field, bytes) and isinstance(value, (str, int)):
        return value.encode('latin-1') if isinstance(value, str) else bytes([value])
    return type(field)(value)


def _elements(element_type, values, setters, expand_header_auto, expand_time_now):
    if not isinstance(element_type, NamespacedType):
        return list(values)
    elements = []
    for value in values:
        message_class = import_message_from_namespaced_type(element_type)
        if isinstance(value, message_class):
            elements.append(value)
            continue
        element = message_class()
        setters += set_message_fields(element, value, expand_header_auto, expand_time_now)
        elements.append(element)
    return elements
