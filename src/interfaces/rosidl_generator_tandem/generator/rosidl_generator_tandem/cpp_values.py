"""C++ spellings of types and values."""

import ast
import math

from rosidl_parser import definition as idl

from .interfaces import InterfaceError, element_type

CPP_TYPES = {
    'boolean': 'bool', 'octet': 'unsigned char', 'char': 'unsigned char', 'wchar': 'char16_t',
    'float': 'float', 'double': 'double', 'long double': 'long double',
    'int8': 'int8_t', 'uint8': 'uint8_t', 'int16': 'int16_t', 'uint16': 'uint16_t',
    'int32': 'int32_t', 'uint32': 'uint32_t', 'int64': 'int64_t', 'uint64': 'uint64_t',
}
FLOAT_SUFFIXES = {'float': 'f', 'double': '', 'long double': 'L'}
INTEGER_SUFFIXES = {'uint32': 'u', 'int64': 'll', 'uint64': 'ull'}


def cpp_element_type(type_):
    """Return the C++ type of a field, or of its elements when it is an array."""
    type_ = element_type(type_)
    if isinstance(type_, idl.NamespacedType):
        return '::' + '::'.join(type_.namespaced_name())
    return CPP_TYPES[type_.typename]


def cpp_type(type_):
    """Return the C++ type of a field."""
    if isinstance(type_, idl.Array):
        return f'std::array<{cpp_element_type(type_)}, {type_.size}>'
    return cpp_element_type(type_)


def cpp_literal(type_, value):
    """Return a C++ expression for a value of a basic type."""
    name = type_.typename
    if name == 'boolean':
        return 'true' if value else 'false'
    if name in FLOAT_SUFFIXES:
        return _float_literal(CPP_TYPES[name], FLOAT_SUFFIXES[name], float(value))
    value = ord(value) if isinstance(value, str) else int(value)
    suffix = INTEGER_SUFFIXES.get(name, '')
    if name in ('int32', 'int64') and value == -2 ** (31 if name == 'int32' else 63):
        return f'({value + 1}{suffix} - 1)'  # the literal without its sign would not fit
    return f'{value}{suffix}'


def cpp_zero(type_):
    """Return the C++ expression for zero of a basic type."""
    return cpp_literal(type_, 0)


def cpp_string(text):
    """Return a C++ string literal of plain ASCII."""
    out = []
    for byte in text.encode():
        char = chr(byte)
        out.append(f'\\{char}' if char in '"\\' else char if 32 <= byte < 127 and char != '?' else f'\\{byte:03o}')
    return '"' + ''.join(out) + '"'


def default_value(member, source):
    """Return the default of a field as a Python value (a list for an array), or None. \
    An array's default must have a value for every element."""
    if not member.has_annotation('default'):
        return None
    value = member.get_annotation_value('default')['value']
    if not isinstance(member.type, idl.Array):
        return value
    values = list(ast.literal_eval(value))
    if len(values) != member.type.size:
        raise InterfaceError(f"{source}: field '{member.name}' has {member.type.size} elements, "
                             f'but its default has {len(values)}.')
    return values


def _float_literal(cpp_name, suffix, value):
    if math.isnan(value):
        return f'std::numeric_limits<{cpp_name}>::quiet_NaN()'
    if math.isinf(value):
        return f'{"-" if value < 0 else ""}std::numeric_limits<{cpp_name}>::infinity()'
    return f'{value!r}{suffix}'
