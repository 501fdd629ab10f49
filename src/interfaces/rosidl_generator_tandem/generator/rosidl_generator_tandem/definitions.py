"""Questions about rosidl_parser's definitions: names, elements, bounds and defaults of fields."""

import ast
import re

from rosidl_parser import definition as idl


def header_name(stem):
    """Return the name of a type's headers: 'PointCloud2' gives 'point_cloud2', as CMake computes it too."""
    stem = re.sub('(.)([A-Z][a-z]+)', r'\1_\2', stem)
    return re.sub('([a-z0-9])([A-Z])', r'\1_\2', stem).lower()


def type_name(definition):
    """Return 'package/msg/Name' of the definition of a message, a service or an action."""
    type_ = definition.structure.namespaced_type if isinstance(definition, idl.Message) else definition.namespaced_type
    return '/'.join(type_.namespaced_name())


def element_type(type_):
    """Return the type of an array's or sequence's elements, or the type itself."""
    return type_.value_type if isinstance(type_, idl.AbstractNestedType) else type_


def nested_type(type_):
    """Return the name of the message type that a field holds, or None."""
    type_ = element_type(type_)
    return '/'.join(type_.namespaced_name()) if isinstance(type_, idl.NamespacedType) else None


def default_value(member):
    """Return the default of a field as a Python value (a list for an array or a sequence), or None."""
    if not member.has_annotation('default'):
        return None
    value = member.get_annotation_value('default')['value']
    return list(ast.literal_eval(value)) if isinstance(member.type, idl.AbstractNestedType) else value


def sequence_bound(type_):
    """Return the most elements of a bounded sequence, or None."""
    return type_.maximum_size if isinstance(type_, idl.BoundedSequence) else None


def string_bound(type_):
    """Return the most characters of a bounded string or of each of an array or sequence of them, or None."""
    element = element_type(type_)
    return element.maximum_size if isinstance(element, (idl.BoundedString, idl.BoundedWString)) else None


def is_container(type_):
    """Tell whether a field is a string or a sequence, or an array of strings: what constructs itself as empty."""
    return isinstance(type_, idl.AbstractSequence) or isinstance(element_type(type_), idl.AbstractGenericString)


def event_message(service):
    """Return the message by which service introspection tells of a call; no file defines it."""
    name = service.namespaced_type
    return idl.Message(idl.Structure(idl.NamespacedType(name.namespaces, name.name + '_Event'), members=[
        idl.Member(idl.NamespacedType(['service_msgs', 'msg'], 'ServiceEventInfo'), 'info'),
        idl.Member(idl.BoundedSequence(service.request_message.structure.namespaced_type, 1), 'request'),
        idl.Member(idl.BoundedSequence(service.response_message.structure.namespaced_type, 1), 'response')]))


def is_empty(message):
    """Tell whether the message has no fields; it then has one that IDL demands."""
    members = message.structure.members
    return len(members) == 1 and members[0].name == idl.EMPTY_STRUCTURE_REQUIRED_MEMBER_NAME
