"""Writes detail/<name>__type_support.hpp and the source of the type support library: tandem::message_type<T>()."""

from .interfaces import type_name
from .type_hash import type_hash


def type_support_header(interface, interfaces):
    """Return the text of the header, without guard."""
    lines = ['#include "tandem/detail/make_message_type.hpp"',
             f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__struct.hpp"', '',
             'namespace tandem', '{', '']
    for message in interface.messages:
        name = type_name(message)
        cpp_name = '::' + name.replace('/', '::')
        digest = type_hash(message, interfaces)
        rows = [', '.join(f'0x{byte:02x}' for byte in digest[start:start + 16]) for start in (0, 16)]
        lines += [f'// RIHS01_{digest.hex()}', 'template <>',
                  f'inline const MessageType & message_type<{cpp_name}>()', '{',
                  f'  static constexpr MessageType type = detail::make_message_type<{cpp_name}>(',
                  f'    "{name}", {{{{{rows[0]},', f'      {rows[1]}}}}});', '  return type;', '}', '']
    lines += ['}  // namespace tandem']
    return '\n'.join(lines) + '\n'


def type_support_source(interfaces):
    """Return the source of the library, through which a type is found at run time by its name."""
    lines = ['// Type objects by name: tandem_message_type__<package>__<msg or srv>__<Name>().']
    for interface in interfaces:
        lines += [f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__type_support.hpp"']
    lines += ['', 'extern "C"', '{']
    for interface in interfaces:
        for message in interface.messages:
            name = type_name(message)
            lines += ['', '__attribute__((visibility("default")))',
                      f'const tandem::MessageType * tandem_message_type__{name.replace("/", "__")}()', '{',
                      f'  return &tandem::message_type<::{name.replace("/", "::")}>();', '}']
    lines += ['', '}  // extern "C"']
    return '\n'.join(lines) + '\n'
