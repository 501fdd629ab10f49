"""Classes of messages by their types as rosidl_parser has them."""

import importlib
import warnings


def import_message_from_namespaced_type(message_type):
    """Return the class of a message.

    :param message_type: a rosidl_parser.definition.NamespacedType
    """
    if hasattr(message_type, 'value_type'):
        warnings.warn('the type of an array or a sequence is not that of a message: give its value_type',
                      DeprecationWarning, stacklevel=2)
        message_type = message_type.value_type
    module = importlib.import_module('.'.join(message_type.namespaces))
    action, separator, _ = message_type.name.partition('_FeedbackMessage')
    if separator:
        return getattr(module, action).Impl.FeedbackMessage
    return getattr(module, message_type.name)
