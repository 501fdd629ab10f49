"""Whether classes are interfaces that can be converted."""

from rclpy.exceptions import NoTypeSupportImportedException

# What classes of messages, and no others, have in their own class.
_OF_MESSAGES = ('_CREATE_ROS_MESSAGE', '_CONVERT_FROM_PY', '_CONVERT_TO_PY', '_DESTROY_ROS_MESSAGE')


def check_for_type_support(msg_or_srv_type) -> None:
    """Load what converts an interface. NoTypeSupportImportedException if there is nothing."""
    interface_class = msg_or_srv_type.__class__
    try:
        type_support = interface_class._TYPE_SUPPORT
    except AttributeError as error:
        error.args = (f'{error} This might be a ROS 1 message type but it should be a ROS 2 message type. '
                      'Make sure to source your ROS 2 workspace after your ROS 1 workspace.',)
        raise
    if type_support is None:
        interface_class.__import_type_support__()
        if interface_class._TYPE_SUPPORT is None:
            raise NoTypeSupportImportedException()


def _is_message(msg_type) -> bool:
    check_for_type_support(msg_type)
    return all(getattr(msg_type.__class__, name, None) is not None for name in _OF_MESSAGES)


def check_is_valid_msg_type(msg_type) -> None:
    """Load what converts a message. RuntimeError if it is another interface."""
    if not _is_message(msg_type):
        raise RuntimeError(
            f'The message type provided is not valid ({msg_type}), this might be a service or action')


def check_is_valid_srv_type(srv_type) -> None:
    """Load what converts a service. RuntimeError if it is another interface."""
    check_for_type_support(srv_type)
    parts = [getattr(srv_type, name, None) for name in ('Request', 'Response', 'Event')]
    if None in parts or not all(map(_is_message, parts)):
        raise RuntimeError(
            f'The service type provided is not valid ({srv_type}), this might be a message or action')


def __getattr__(name: str):
    """Return what type hints say of interfaces. Little asks for it."""
    from rclpy.impl import interface_types
    if name.startswith('_') or not hasattr(interface_types, name):
        raise AttributeError(f'module {__name__!r} has no attribute {name!r}')
    return getattr(interface_types, name)
