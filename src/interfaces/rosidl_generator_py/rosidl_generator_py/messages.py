"""Classes of messages, services and actions. Modules of interfaces, which are generated, are made of them."""

import array
import copy
import importlib
import os

from . import _messages
from . import array_view  # noqa: F401 - what large arrays are
from .fields import field_types
from .find import find_message

CHECKS = os.environ.get('ROS_PYTHON_CHECK_FIELDS') == '1'
_messages.set_checks_by_default(CHECKS)


# ---- messages -------------------------------------------------------------------------------------------------------

class _Meta(type):
    """Class of the classes of messages, services and actions."""

    _TYPE_SUPPORT = _messages  # stock packages ask whether it is there

    @classmethod
    def __import_type_support__(cls):
        """Do nothing: it is there."""


class MessageMeta(_Meta):
    """Class of the classes of messages. Constants and defaults cannot be set."""

    _CREATE_ROS_MESSAGE = _CONVERT_FROM_PY = _CONVERT_TO_PY = _DESTROY_ROS_MESSAGE = _messages  # as _TYPE_SUPPORT

    def __setattr__(cls, name, value):
        """Refuse what other code relies on."""
        if name in cls._constants or name.endswith('__DEFAULT'):
            raise AttributeError(f"the constant '{name}' of {cls.__name__} cannot be set")
        super().__setattr__(name, value)

    def __delattr__(cls, name):
        """Refuse what other code relies on."""
        raise AttributeError(f"the attribute '{name}' of {cls.__name__} cannot be deleted")

    def __getattr__(cls, name):
        """Return the default of a field, X__DEFAULT: a new object each time."""
        field = name[:-len('__DEFAULT')].lower() if name.endswith('__DEFAULT') else ''
        if field in cls._defaults:
            return getattr(cls._message_type(), field)
        raise AttributeError(f"type object '{cls.__name__}' has no attribute '{name}'")

    def __dir__(cls):
        """Return all names."""
        return [*super().__dir__(), *(f'{name.upper()}__DEFAULT' for name in cls._defaults)]


class _OfClass:
    """An attribute of a class that is computed when it is asked for."""

    def __init__(self, compute):
        self._compute = compute

    def __set_name__(self, owner, name):
        self._name = name

    def __get__(self, instance, owner):
        value = self._compute(owner)
        type.__setattr__(owner._message_type, self._name, value)
        return value


class Message(_messages.MessageBase, metaclass=MessageMeta):
    """Base of all messages. Fields are set by their names; check_fields: whether values are checked, now and later."""

    __slots__ = ()
    _type_name = ''
    _constants = {}
    _defaults = ()

    @_OfClass
    def _fields_and_field_types(cls):
        return {name: field.text for name, field in field_types(cls._type_name).items()}

    @_OfClass
    def SLOT_TYPES(cls):
        """Types of the fields as rosidl_parser has them."""
        return tuple(field.definition for field in field_types(cls._type_name).values())

    @classmethod
    def get_fields_and_field_types(cls):
        """Return the types of the fields, as text, by their names."""
        return dict(cls._fields_and_field_types)

    def __getattr__(self, name):
        """Return the default of a field, X__DEFAULT."""
        if name.endswith('__DEFAULT'):
            return getattr(type(self), name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self):
        """Return the class and the fields."""
        fields = ', '.join(f'{name}={_text_of(field, getattr(self, name))}'
                           for name, field in field_types(self._type_name).items())
        return f"{type(self).__module__.rpartition('.')[0]}.{type(self).__name__}({fields})"

    def __eq__(self, other):
        """Compare field by field."""
        if not isinstance(other, type(self)):
            return False
        return all(_are_equal(field, getattr(self, name), getattr(other, name))
                   for name, field in field_types(self._type_name).items())

    __hash__ = None

    def __copy__(self):
        """Return a message with the same values."""
        copied = _messages.copy(self)
        vars_of = getattr(self, '__dict__', None)  # of a class that is derived from it
        if vars_of:
            copied.__dict__.update(vars_of)
        return copied

    def __deepcopy__(self, memo):
        """Return a message with values of its own, which can be written to."""
        restore, (message_class, fields, *more) = self.__reduce_ex__(2)
        return restore(message_class, copy.deepcopy(fields, memo), *copy.deepcopy(more, memo))

    def __reduce_ex__(self, protocol):
        """Go to another process by the values of the fields."""
        fields = {name: getattr(self, name) for name in field_types(self._type_name)}
        return _restore, (type(self), fields, self._check_fields, getattr(self, '__dict__', None))


def _restore(message_class, fields, checks, vars_of):
    message = message_class.__new__(message_class)
    for name, value in fields.items():
        setattr(message, name, value)
    message._check_fields = checks
    if vars_of:
        message.__dict__.update(vars_of)
    return message


def _text_of(field, value):
    if field.shape == 'sequence' and field.typecode and isinstance(value, array.array):
        return repr(value.tolist())
    return repr(value)


def _are_equal(field, one, other):
    if field.shape == 'array' and field.typecode:
        return len(one) == len(other) and bool((one == other).all())
    return bool(one == other)


def message(module, type_name, constants=None, defaults=()):
    """Return the class of a message of the module. `defaults` are the fields that have one."""
    name = type_name.rpartition('/')[2]
    text = f"Message class '{name}'."
    if constants:
        text += '\n\nConstants:\n' + ''.join(f'  {constant}\n' for constant in constants)
    class_ = MessageMeta(name, (Message,), {
        '__doc__': text, '__module__': module, '__slots__': (), '_type_name': type_name, **(constants or {})})
    for attribute, value in (('_constants', constants or {}), ('_defaults', defaults), ('_message_type', class_)):
        type.__setattr__(class_, attribute, value)
    _messages.register_class(class_, type_name)
    type.__setattr__(class_, '__slots__', [f'_{field}' for field in field_types(type_name)] + ['_check_fields'])
    return class_


# ---- services and actions -------------------------------------------------------------------------------------------

def _compound(kind, module, type_name, **parts):
    """Return the class of a service or an action, of which there are no objects."""
    def refuse(self):
        raise NotImplementedError(f'{kind} classes can not be instantiated')

    return _Meta(type_name.rpartition('/')[2], (), {
        '__doc__': f'{kind} class.', '__module__': module, '__init__': refuse, '_type_name': type_name, **parts})


def service(module, type_name, request, response, event):
    """Return the class of a service."""
    return _compound('Service', module, type_name, Request=request, Response=response, Event=event)


class _ImplOfAction:
    """Classes of action_msgs, when they are asked for: few actions are ever sent."""

    class _Late:
        def __init__(self, type_name):
            self._type_name = type_name

        def __get__(self, instance, owner):
            return find_message(self._type_name)

    CancelGoalService = _Late('action_msgs/srv/CancelGoal')
    GoalStatusMessage = _Late('action_msgs/msg/GoalStatusArray')


def action(module, type_name, goal, result, feedback, send_goal, get_result, feedback_message):
    """Return the class of an action."""
    impl = type('Impl', (_ImplOfAction,), {
        '__doc__': 'What an action is made of.', 'SendGoalService': send_goal, 'GetResultService': get_result,
        'FeedbackMessage': feedback_message})
    return _compound('Action', module, type_name, Goal=goal, Result=result, Feedback=feedback, Impl=impl)


# ---- modules --------------------------------------------------------------------------------------------------------

def lazy_module(package, exported, others=()):
    """Return __getattr__, __dir__, __all__ and _find of a module whose names are in modules of their own.

    `exported` says in which one each name is; `others` likewise of names that are not exported.
    """
    module_of = {**exported, **dict(others)}

    def find(name):
        if name not in module_of:
            raise ImportError(f'{package} has no {name}')
        return getattr(importlib.import_module(f'{package}.{module_of[name]}'), name)

    def get(name):
        if name not in exported:
            raise AttributeError(f"module '{package}' has no attribute '{name}'")
        value = find(name)
        setattr(importlib.import_module(package), name, value)
        return value

    return get, lambda: sorted(exported), sorted(exported), find
