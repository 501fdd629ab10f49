"""RIHS01, the hash of a type's definition: SHA-256 of its type description as JSON (REP 2011)."""

import hashlib
import json

from rosidl_parser import definition as idl

from .definitions import element_type, event_message, nested_type, sequence_bound, string_bound, type_name

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


def type_hash(definition, interfaces):
    """Return the 32 bytes of the hash of a message, a service or an action."""
    name = type_name(definition)
    parts = dict(_parts(definition))
    referenced = {}
    _collect(parts[name], parts, interfaces, referenced)
    description = {
        'type_description': _individual(name, parts[name]),
        'referenced_type_descriptions': [_individual(*entry) for entry in sorted(referenced.items())],
    }
    text = json.dumps(description, separators=(', ', ': '), ensure_ascii=True, sort_keys=False)
    return hashlib.sha256(text.encode()).digest()


def _parts(definition):
    """Yield name and members of the definition and of what it is made of."""
    name = type_name(definition)
    if isinstance(definition, idl.Message):
        yield name, definition.structure.members
    elif isinstance(definition, idl.Service):
        request, response = definition.request_message, definition.response_message
        event = event_message(definition)
        yield name, [_member('request_message', request), _member('response_message', response),
                     _member('event_message', event)]
        yield from _parts(event)
        yield from _parts(request)
        yield from _parts(response)
    else:
        fields = ('goal', 'result', 'feedback', 'send_goal_service', 'get_result_service', 'feedback_message')
        yield name, [_member(field, getattr(definition, field)) for field in fields]
        for field in fields:
            yield from _parts(getattr(definition, field))


def _member(name, definition):
    message = isinstance(definition, idl.Message)
    return idl.Member(definition.structure.namespaced_type if message else definition.namespaced_type, name)


def _collect(members, parts, interfaces, referenced):
    """Fill `referenced` with every type used by `members`, at any depth: name to members."""
    for member in members:
        name = nested_type(member.type)
        if name and name not in referenced:
            message = interfaces.message(name)
            referenced[name] = message.structure.members if message else parts[name]
            _collect(referenced[name], parts, interfaces, referenced)


def _individual(name, members):
    return {'type_name': name,
            'fields': [{'name': member.name, 'type': _field_type(member.type)} for member in members]}


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
