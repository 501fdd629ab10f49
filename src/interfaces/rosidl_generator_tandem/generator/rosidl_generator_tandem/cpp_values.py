"""C++ spellings of types and values."""

import math

from rosidl_parser import definition as idl

from .definitions import element_type, sequence_bound, string_bound

CPP_TYPES = {
    'boolean': 'bool', 'octet': 'unsigned char', 'char': 'unsigned char', 'wchar': 'char16_t',
    'float': 'float', 'double': 'double', 'long double': 'long double',
    'int8': 'int8_t', 'uint8': 'uint8_t', 'int16': 'int16_t', 'uint16': 'uint16_t',
    'int32': 'int32_t', 'uint32': 'uint32_t', 'int64': 'int64_t', 'uint64': 'uint64_t',
}
FLOAT_SUFFIXES = {'float': 'f', 'double': '', 'long double': 'L'}
INTEGER_SUFFIXES = {'uint32': 'u', 'int64': 'll', 'uint64': 'ull'}


def cpp_element_type(type_):
    """Return the C++ type of a field, or of its elements when it is an array or a sequence."""
    type_ = element_type(type_)
    if isinstance(type_, idl.NamespacedType):
        return '::' + '::'.join(type_.namespaced_name())
    if isinstance(type_, idl.AbstractGenericString):
        wide = isinstance(type_, idl.AbstractWString)
        bound = string_bound(type_)
        if bound is None:
            return '::tandem::U16String' if wide else '::tandem::String'
        return f'::tandem::BasicString<{"char16_t" if wide else "char"}, {bound}>'
    return CPP_TYPES[type_.typename]


def cpp_type(type_):
    """Return the C++ type of a field."""
    element = cpp_element_type(type_)
    if isinstance(type_, idl.Array):
        return f'std::array<{element}, {type_.size}>'
    if isinstance(type_, idl.AbstractSequence):
        bound = sequence_bound(type_)
        return f'::tandem::Vector<{element}>' if bound is None else f'::tandem::Vector<{element}, {bound}>'
    return element


def cpp_literal(type_, value):
    """Return a C++ expression for a value of a basic type or a string."""
    if isinstance(type_, idl.AbstractGenericString):
        return cpp_wide_string(value) if isinstance(type_, idl.AbstractWString) else cpp_string(value)
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


def cpp_wide_string(text):
    """Return a C++ literal of UTF-16."""
    out = [cpp_string(char)[1:-1] if char < '\x80' else f'\\U{ord(char):08x}' for char in text]
    return 'u"' + ''.join(out) + '"'


def _float_literal(cpp_name, suffix, value):
    if math.isnan(value):
        return f'std::numeric_limits<{cpp_name}>::quiet_NaN()'
    if math.isinf(value):
        return f'{"-" if value < 0 else ""}std::numeric_limits<{cpp_name}>::infinity()'
    return f'{value!r}{suffix}'
