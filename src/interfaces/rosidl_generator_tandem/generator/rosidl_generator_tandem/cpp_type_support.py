"""Writes detail/<name>__type_support.hpp and the source of the type support library: tandem::message_type<T>()."""

from rosidl_parser import definition as idl

from .cpp_struct import nested_headers
from .cpp_values import cpp_element_type
from .definitions import element_type, is_empty, nested_type, sequence_bound, string_bound, type_name
from .type_hash import type_hash

# Enumerators of tandem::FieldKind.
KINDS = {
    'boolean': 'Bool', 'octet': 'Octet', 'char': 'Char', 'wchar': 'Wchar', 'int8': 'Int8', 'uint8': 'Uint8',
    'int16': 'Int16', 'uint16': 'Uint16', 'int32': 'Int32', 'uint32': 'Uint32', 'int64': 'Int64', 'uint64': 'Uint64',
    'float': 'Float32', 'double': 'Float64', 'long double': 'LongDouble',
}


def type_support_header(interface, interfaces):
    """Return the text of the header, without guard."""
    lines = ['#include <cstddef>', '', '#include "tandem/detail/make_message_type.hpp"',
             f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__struct.hpp"']
    lines += [f'#include "{path}"' for path in nested_headers(interface, 'type_support')]
    lines += ['', 'namespace tandem::detail', '{', '']
    for message in interface.messages:
        lines += _message(message, interfaces)
    for service in interface.services:
        lines += _type_object('service', service, [
            'static const ServiceType type{', *_head(service, interfaces),
            *(f'  &message_type<typename T::{part}>(),' for part in ('Request', 'Response', 'Event')), '};'])
    for action in interface.actions:
        lines += _type_object('action', action, [
            'static const ActionType type{', *_head(action, interfaces),
            *(f'  &message_type<typename T::{part}>(),' for part in ('Goal', 'Result', 'Feedback')),
            *(f'  &service_type<typename T::Impl::{part}>(),' for part in ('SendGoalService', 'GetResultService')),
            '  &message_type<typename T::Impl::FeedbackMessage>(),', '};'])
    lines += ['}  // namespace tandem::detail']
    return '\n'.join(lines) + '\n'


def _cpp_name(definition):
    return '::' + type_name(definition).replace('/', '::')


def _message(message, interfaces):
    fields = [] if is_empty(message) else [_field(member) for member in message.structure.members]
    table = ['static constexpr Field fields[] = {', *[f'  {field},' for field in fields], '};'] if fields else []
    return _type_object('message', message, [
        *table, 'static constexpr MessageType type = make_message_type<T>({',
        *_head(message, interfaces), f'  {"fields" if fields else "nullptr"}, {len(fields)}', '});'])


def _type_object(kind, definition, body):
    """Return the specialisation of TypeObject. Its function is a template, compiled where it is used only."""
    return ['template <>', f'struct TypeObject<{_cpp_name(definition)}>', '{', '  template <class T>',
            f'  static const {kind.title()}Type & get()', '  {', *(f'    {line}' for line in body), '    return type;',
            '  }', '};', '']


def _head(definition, interfaces):
    """Return the initialisers of name and hash."""
    digest = type_hash(definition, interfaces)
    rows = [', '.join(f'0x{byte:02x}' for byte in digest[start:start + 16]) for start in (0, 16)]
    return [f'  "{type_name(definition)}",', f'  // RIHS01_{digest.hex()}', f'  {{{{{rows[0]},', f'    {rows[1]}}}}},']


def _field(member):
    """Return the tandem::Field of a member."""
    type_ = member.type
    element = element_type(type_)
    nested = nested_type(type_)
    if nested:
        kind = 'Message'
    elif isinstance(element, idl.AbstractGenericString):
        kind = 'Wstring' if isinstance(element, idl.AbstractWString) else 'String'
    else:
        kind = KINDS[element.typename]
    shape, count, resize = 'Single', 1, 'nullptr'
    if isinstance(type_, idl.Array):
        shape, count = 'Array', type_.size
    elif isinstance(type_, idl.AbstractSequence):
        shape, count = 'Sequence', sequence_bound(type_) or 'kUnbounded'
        resize = f'&resize_sequence<typename T::_{member.name}_type>'
    message = f'&message_type<{cpp_element_type(type_)}>' if nested else 'nullptr'
    return (f'{{"{member.name}", FieldKind::k{kind}, FieldShape::k{shape}, offsetof(T, {member.name}), '
            f'{count}, {string_bound(type_) or "kUnbounded"}, {message}, {resize}}}')


def type_support_source(interfaces):
    """Return the source of the library, through which a type is found at run time by its name."""
    lines = ['// Type objects by name: tandem_<message, service or action>_type__<package>__<folder>__<Name>().']
    for interface in interfaces:
        lines += [f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__type_support.hpp"']
    lines += ['', 'extern "C"', '{']
    for interface in interfaces:
        for kind, definitions in (('message', interface.messages), ('service', interface.services),
                                  ('action', interface.actions)):
            for definition in definitions:
                symbol = f'tandem_{kind}_type__{type_name(definition).replace("/", "__")}'
                lines += ['', '__attribute__((visibility("default")))',
                          f'const tandem::{kind.title()}Type * {symbol}()', '{',
                          f'  return &tandem::{kind}_type<{_cpp_name(definition)}>();', '}']
    lines += ['', '}  // extern "C"']
    return '\n'.join(lines) + '\n'
