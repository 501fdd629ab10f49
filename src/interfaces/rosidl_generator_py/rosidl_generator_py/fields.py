"""What may be the value of a field: conversions, and the checks that messages do when they are asked to."""

import array
import collections
import collections.abc
import functools
import sys

from . import _messages
from .find import find_message

DTYPES = {'float': 'float32', 'double': 'float64'}  # other numbers have the same name in numpy
FLOAT_BOUNDS = {'float': 3.402823466e+38, 'double': 1.7976931348623157e+308}
STRINGS = ('string', 'wstring')


class FieldType:
    """The type of a field of a message."""

    def __init__(self, name, kind, shape, count, string_bound, typecode):
        """Take what _messages.describe_fields() says."""
        self.name = name
        self.kind = kind  # 'uint8', 'string', 'std_msgs/msg/Header'
        self.shape = shape  # 'single', 'array', 'sequence'
        self.count = count  # of an array; the bound of a sequence, or None
        self.string_bound = string_bound
        self.typecode = typecode  # of array.array, if the elements are numbers in a row, or ''

    @property
    def is_message(self):
        """Tell whether the elements are messages."""
        return '/' in self.kind

    @property
    def text(self):
        """Return the type as get_fields_and_field_types() has it."""
        kind = self.kind
        if self.is_message:
            package, _, name = kind.split('/')
            kind = f'{package}/{name}'
        elif self.string_bound is not None:
            kind = f'{kind}<{self.string_bound}>'
        if self.shape == 'array':
            return f'{kind}[{self.count}]'
        if self.shape == 'sequence':
            return f'sequence<{kind}>' if self.count is None else f'sequence<{kind}, {self.count}>'
        return kind

    @property
    def definition(self):
        """Return the type as rosidl_parser has it."""
        from rosidl_parser import definition as idl
        if self.is_message:
            *namespaces, name = self.kind.split('/')
            type_ = idl.NamespacedType(namespaces, name)
        elif self.kind in STRINGS:
            prefix = 'Bounded' if self.string_bound is not None else 'Unbounded'
            class_ = getattr(idl, prefix + ('WString' if self.kind == 'wstring' else 'String'))
            type_ = class_(self.string_bound) if self.string_bound is not None else class_()
        else:
            type_ = idl.BasicType(self.kind)
        if self.shape == 'array':
            return idl.Array(type_, self.count)
        if self.shape == 'sequence':
            return idl.UnboundedSequence(type_) if self.count is None else idl.BoundedSequence(type_, self.count)
        return type_


@functools.lru_cache(maxsize=None)
def field_types(type_name):
    """Return the FieldType of each field of a message, by its name."""
    return {field[0]: FieldType(*field) for field in _messages.describe_fields(type_name)}


def accept(message_class, name, value, checks):
    """Return what a field's value becomes; with `checks` raise AssertionError if it is not possible."""
    field = field_types(message_class._type_name)[name]
    if field.typecode:
        return _accept_numbers(field, value, checks)
    if checks:
        _check(field, value)
    return value


def _accept_numbers(field, value, checks):
    ndarray = getattr(sys.modules.get('numpy'), 'ndarray', ())  # before it is imported nothing is one
    dtype, typecode = DTYPES.get(field.kind, field.kind), field.typecode
    if field.shape == 'array' and isinstance(value, ndarray):
        if checks:
            _require(value.dtype == dtype, field, f"numpy.ndarray() must have the dtype of 'numpy.{dtype}'")
            _require(value.size == field.count, field, f'numpy.ndarray() must have a size of {field.count}')
        return value if value.dtype == dtype else value.astype(dtype)
    if field.shape == 'sequence' and isinstance(value, array.array):
        if checks:
            _require(value.typecode == typecode, field, f"array.array() must have the type code of '{typecode}'")
            _require(field.count is None or len(value) <= field.count, field,
                     f'array.array() must have a size <= {field.count}')
        return value if value.typecode == typecode else array.array(typecode, value)
    if field.shape == 'sequence' and isinstance(value, ndarray) and value.dtype == dtype:
        numbers = array.array(typecode)  # by its bytes: element by element takes a second for an image
        is_row = value.ndim == 1 and value.flags.c_contiguous
        numbers.frombytes(memoryview(value).cast('B') if is_row else value.tobytes())
        value = numbers
    if checks:
        _check(field, value)
    if field.shape == 'array':
        import numpy
        return numpy.array(value, dtype=dtype)
    return value if isinstance(value, array.array) else array.array(typecode, value)


def _require(holds, field, text):
    if not holds:
        raise AssertionError(f"The '{field.name}' {text}")


def _integer_range(kind):
    bits = int(kind.lstrip('uint'))
    return (0, 2 ** bits - 1) if kind.startswith('u') else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)


def _is_message_of(value, kind):
    return isinstance(value, find_message(kind))


def _is_within(kind, value):
    if kind in FLOAT_BOUNDS:
        bound = FLOAT_BOUNDS[kind]
        return not (value < -bound or value > bound) or value in (float('inf'), float('-inf'))
    least, greatest = _integer_range(kind)
    return least <= value <= greatest


def _check(field, value):
    if field.shape == 'single':
        _check_single(field, value)
    else:
        _check_elements(field, value)


def _check_single(field, value):
    kind, bound = field.kind, field.string_bound
    if field.is_message:
        _require(_is_message_of(value, kind), field,
                 f"field must be a sub message of type '{kind.rpartition('/')[2]}'")
    elif kind in STRINGS and bound is not None:
        _require(isinstance(value, (str, collections.UserString)) and len(value) <= bound, field,
                 f'field must be string value not longer than {bound}')
    elif kind in STRINGS:
        _require(isinstance(value, str), field, "field must be of type 'str'")
    elif kind == 'boolean':
        _require(isinstance(value, bool), field, "field must be of type 'bool'")
    elif kind == 'octet':
        _require(isinstance(value, (bytes, bytearray, memoryview)) and len(value) == 1, field,
                 "field must be of type 'bytes' or 'ByteString' with length 1")
    elif kind in ('char', 'wchar'):
        _require(isinstance(value, (str, collections.UserString)) and len(value) == 1 and -128 <= ord(value) <= 127,
                 field, "field must be of type 'str' or 'UserString' with length 1 and the character ord() in "
                        '[-128, 127]')
    elif kind in FLOAT_BOUNDS or kind == 'long double':
        _require(isinstance(value, float), field, "field must be of type 'float'")
        bound = FLOAT_BOUNDS.get(kind)
        _require(bound is None or _is_within(kind, value), field, f'field must be a {kind} in [-{bound}, {bound}]')
    else:
        least, greatest = _integer_range(kind)
        _require(isinstance(value, int), field, "field must be of type 'int'")
        _require(least <= value <= greatest, field,
                 f'field must be an unsigned integer in [0, {greatest}]' if least == 0 else
                 f'field must be an integer in [{least}, {greatest}]')


def _check_elements(field, value):
    bound = field.string_bound
    text = 'field must be a set or sequence'
    if field.shape == 'array':
        text += f' with length {field.count}'
    elif field.count is not None:
        text += f' with length <= {field.count}'
    if bound is not None:
        text += f' and each string value not longer than {bound}'
    is_right, type_text, more = _element_check(field)
    text += f" and each value of type '{type_text}'{more}"
    is_collection = isinstance(value, (collections.abc.Sequence, collections.abc.Set, collections.UserList,
                                       array.array)) and not isinstance(value, (str, collections.UserString))
    has_length = is_collection and (field.count is None or (
        len(value) == field.count if field.shape == 'array' else len(value) <= field.count))
    _require(has_length and all(is_right(element) for element in value), field, text)


def _element_check(field):
    """Return a test of an element, its type's name, and what else is said of it."""
    kind, bound = field.kind, field.string_bound
    if field.is_message:
        return lambda value: _is_message_of(value, kind), kind.rpartition('/')[2], ''
    if kind in STRINGS:
        return lambda value: isinstance(value, str) and (bound is None or len(value) <= bound), 'str', ''
    if kind == 'boolean':
        return lambda value: isinstance(value, bool), 'bool', ''
    if kind == 'octet':
        return lambda value: isinstance(value, bytes), 'bytes', ''
    if kind in ('char', 'wchar'):
        return (lambda value: isinstance(value, str) and len(value) == 1 and 0 <= ord(value) <= 255, 'str',
                ' and each char in [0, 255]')
    if kind in FLOAT_BOUNDS or kind == 'long double':
        limit = FLOAT_BOUNDS.get(kind, float('inf'))
        return (lambda value: isinstance(value, float) and (kind == 'long double' or _is_within(kind, value)), 'float',
                f' and each {kind} in [{-limit:f}, {limit:f}]')
    least, greatest = _integer_range(kind)
    return (lambda value: isinstance(value, int) and least <= value <= greatest, 'int',
            f' and each unsigned integer in [0, {greatest}]' if least == 0 else
            f' and each integer in [{least}, {greatest}]')
