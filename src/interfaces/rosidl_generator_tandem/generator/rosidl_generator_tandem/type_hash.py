"""RIHS01, the hash of a type's definition: SHA-256 of its type description as JSON (REP 2011)."""

import hashlib
import json

from rosidl_parser import definition as idl

from .interfaces import element_type, nested_type, sequence_bound, string_bound, type_name

# Numbers of type_description_interfaces/msg/FieldType. Arrays and sequences of an element add an offset.
BASIC_TYPE_IDS = {
    'int8': 2, 'uint8': 3, 'int16': 4, 'uint16': 5, 'int32': 6, 'uint32': 7, 'int64': 8, 'uint64': 9,
    'float': 10, 'double': 11, 'long double': 12, 'char': 13, 'wchar': 14, 'boolean': 15, 'octet': 16,
}
NESTED_TYPE_ID = 1
STRING_TYPE_IDS = {
    idl.UnboundedString: 17, idl.UnboundedWString: 18, idl.BoundedString: 21, idl.BoundedWString: 22,
}
OFFSETS = {idl.Array: 48, idl.BoundedSequence: 96, idl.UnboundedSequence: 144}


def type_hash(message, interfaces):
    """Return the 32 bytes of the hash."""
    referenced = {}
    _collect(message, interfaces, referenced)
    description = {
        'type_description': _individual(message),
        'referenced_type_descriptions': [_individual(referenced[name]) for name in sorted(referenced)],
    }
    text = json.dumps(description, separators=(', ', ': '), ensure_ascii=True, sort_keys=False)
    return hashlib.sha256(text.encode()).digest()


def _collect(message, interfaces, referenced):
    """Fill `referenced` with every message type used by `message`, at any depth."""
    for member in message.structure.members:
        name = nested_type(member.type)
        if name and name not in referenced:
            referenced[name] = interfaces.message(name)
            _collect(referenced[name], interfaces, referenced)


def _individual(message):
    return {
        'type_name': type_name(message),
        'fields': [{'name': member.name, 'type': _field_type(member.type)} for member in message.structure.members],
    }


def _field_type(type_):
    element = element_type(type_)
    nested = nested_type(type_)
    if nested:
        type_id = NESTED_TYPE_ID
    elif isinstance(element, idl.AbstractGenericString):
        type_id = STRING_TYPE_IDS[type(element)]
    else:
        type_id = BASIC_TYPE_IDS[element.typename]
    return {
        'type_id': type_id + OFFSETS.get(type(type_), 0),
        'capacity': sequence_bound(type_) or getattr(type_, 'size', 0),
        'string_capacity': string_bound(type_) or 0,
        'nested_type_name': nested or '',
    }
