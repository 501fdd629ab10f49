"""Messages as text and as dictionaries."""

import array
from collections import OrderedDict

from rosidl_parser.definition import (AbstractNestedType, AbstractSequence, AbstractString, AbstractWString, Array,
                                      BasicType, NamespacedType)

MORE = '...'


def get_message_slot_types(msg):
    """Return the types of a message's fields, as rosidl_parser has them, by their names."""
    return OrderedDict(zip(msg.get_fields_and_field_types(), msg.SLOT_TYPES))


def message_to_yaml(msg, *, truncate_length=None, no_arr=False, no_str=False, flow_style=False):
    """Return a message in YAML.

    :param truncate_length: elements of a sequence and characters of a string that are shown; None: all
    :param no_arr: show types and lengths of arrays and sequences in place of their elements
    :param no_str: show lengths of strings in their place
    :param flow_style: on one line, as JSON is
    """
    import yaml

    class Dumper(yaml.SafeDumper):
        """Keeps the order of the fields, and shows what has no equivalent as text."""

        def ignore_aliases(self, data):
            return True

    Dumper.add_representer(OrderedDict, lambda dumper, data: dumper.represent_mapping(
        'tag:yaml.org,2002:map', data.items(), flow_style=flow_style))
    Dumper.add_representer(tuple, lambda dumper, data: dumper.represent_list(list(data)))
    values = message_to_ordereddict(msg, truncate_length=truncate_length, no_arr=no_arr, no_str=no_str)
    return yaml.dump(values, Dumper=Dumper, allow_unicode=True, width=float('inf'), default_flow_style=flow_style,
                     sort_keys=False)


def message_to_csv(msg, *, truncate_length=None, no_arr=False, no_str=False):
    """Return the values of all fields, with those of messages in it, separated by commas."""
    def texts(value, type_):
        if isinstance(value, (list, tuple, array.array)) or _is_ndarray(value):
            yield from elements(value, type_)
        elif isinstance(value, (str, bytes)):
            yield text_of(value)
        elif hasattr(value, 'get_fields_and_field_types'):
            for name, field_type in get_message_slot_types(value).items():
                yield from texts(getattr(value, name), field_type)
        else:
            yield str(value)

    def elements(values, type_):
        if no_arr and type_ is not None:
            yield _type_text(type_, values)
            return
        element_type = type_.value_type if isinstance(type_, AbstractNestedType) else None
        shown = values if truncate_length is None else values[:truncate_length]
        for value in shown:
            yield from texts(value, element_type)
        if len(shown) < len(values):
            yield MORE

    def text_of(value):
        if isinstance(value, bytes):
            return str(value if truncate_length is None else value[:truncate_length]) + (
                MORE if truncate_length is not None and len(value) > truncate_length else '')
        return _text(value, truncate_length, no_str)

    return ','.join(texts(msg, None))


def message_to_ordereddict(msg, *, truncate_length=None, no_arr=False, no_str=False):
    """Return the values of the fields by their names, in their order; of messages in it likewise."""
    return OrderedDict(
        (name, _convert_value(getattr(msg, name), field_type=field_type, truncate_length=truncate_length, no_arr=no_arr,
                              no_str=no_str))
        for name, field_type in get_message_slot_types(msg).items())


def _convert_value(value, *, field_type=None, truncate_length=None, no_arr=False, no_str=False):
    options = {'truncate_length': truncate_length, 'no_arr': no_arr, 'no_str': no_str}
    if isinstance(value, bytes):
        return _text(''.join(map(chr, value)), truncate_length, no_str)
    if isinstance(value, str):
        return _text(value, truncate_length, no_str)
    if isinstance(value, dict):
        return OrderedDict((key, _convert_value(element, **options)) for key, element in value.items())
    if isinstance(value, (list, tuple, array.array)) or _is_ndarray(value):
        return _convert_elements(value, field_type, options)
    if hasattr(value, 'get_fields_and_field_types'):
        return message_to_ordereddict(value, **options)
    return value.item() if hasattr(value, 'dtype') else value


def _convert_elements(values, field_type, options):
    if options['no_arr'] and field_type is not None:
        return _type_text(field_type, values)
    limit = options['truncate_length']
    element_type = field_type.value_type if isinstance(field_type, AbstractNestedType) else None
    shown = values if limit is None else values[:limit]
    if not isinstance(shown, (list, tuple)):
        shown = shown.tolist()
    converted = [_convert_value(value, field_type=element_type, **options) for value in shown]
    if len(converted) < len(values):
        converted.append(MORE)
    return tuple(converted) if isinstance(values, tuple) else converted


def _is_ndarray(value):
    return hasattr(value, 'dtype') and hasattr(value, 'shape') and value.shape != ()


def _text(value, truncate_length, no_str):
    if no_str:
        return f'<string length: <{len(value)}>>'
    if truncate_length is not None and len(value) > truncate_length:
        return value[:truncate_length] + MORE
    return value


def _type_text(type_, values):
    """Return what is shown in place of an array's or a sequence's elements."""
    element = _element_text(type_.value_type)
    if isinstance(type_, Array):
        return f'<array type: {element}[{type_.size}]>'
    bound = f'[{type_.maximum_size}]' if isinstance(type_, AbstractSequence) and type_.has_maximum_size() else ''
    return f'<sequence type: {element}{bound}, length: {len(values)}>'


def _element_text(type_):
    if isinstance(type_, BasicType):
        return type_.typename
    if isinstance(type_, AbstractString):
        return 'string'
    if isinstance(type_, AbstractWString):
        return 'wstring'
    return '/'.join(type_.namespaced_name()) if isinstance(type_, NamespacedType) else 'unknown'
