"""Classes of interfaces by their full names, and what a class is one of."""

import importlib

from rosidl_parser.definition import NamespacedType

from .import_message import import_message_from_namespaced_type


def get_namespaced_type(full_name):
    """Return the type of 'std_msgs/msg/String'."""
    *namespaces, name = full_name.split('/')
    return NamespacedType(namespaces, name)


def get_interface(identifier):
    """Return the class of a message, a service or an action by its name. :raises ValueError: it is no full name."""
    return _import(_namespaced(identifier, None, 'a message or service or action'))


def get_message_namespaced_type(identifier):
    """Return the type of a message: 'std_msgs/String' is 'std_msgs/msg/String'."""
    return _namespaced(identifier, 'msg', 'a message')


def get_service_namespaced_type(identifier):
    """Return the type of a service."""
    return _namespaced(identifier, 'srv', 'a service')


def get_action_namespaced_type(identifier):
    """Return the type of an action."""
    return _namespaced(identifier, 'action', 'an action')


def get_message(identifier):
    """Return the class of a message by its name. :raises ValueError: it is no name of one."""
    message = import_message_from_namespaced_type(get_message_namespaced_type(identifier))
    return _checked(message, is_message, identifier, 'a message')


def get_service(identifier):
    """Return the class of a service by its name. :raises ValueError: it is no name of one."""
    return _checked(_import(get_service_namespaced_type(identifier)), is_service, identifier, 'a service')


def get_action(identifier):
    """Return the class of an action by its name. :raises ValueError: it is no name of one."""
    return _checked(_import(get_action_namespaced_type(identifier)), is_action, identifier, 'an action')


def is_message(interface):
    """Tell whether this is a message or a class of messages."""
    return hasattr(interface, 'SLOT_TYPES')


def is_service(interface):
    """Tell whether this is a class of services."""
    return hasattr(interface, 'Request') and hasattr(interface, 'Response')


def is_action(interface):
    """Tell whether this is a class of actions."""
    return hasattr(interface, 'Goal') and hasattr(interface, 'Result') and hasattr(interface, 'Feedback')


def _namespaced(identifier, folder, what):
    parts = identifier.split('/')
    if folder is not None and len(parts) == 2:
        parts.insert(1, folder)
    if len(parts) < 3 or not all(parts):
        raise ValueError(f"Expected the full name of {what}, got '{identifier}'")
    *namespaces, name = parts
    return NamespacedType(namespaces, name)


def _import(type_):
    return getattr(importlib.import_module('.'.join(type_.namespaces)), type_.name)


def _checked(interface, is_right, identifier, what):
    if not is_right(interface):
        raise ValueError(f"Expected the full name of {what}, got '{identifier}'")
    return interface
