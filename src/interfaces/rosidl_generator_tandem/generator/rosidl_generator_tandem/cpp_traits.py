"""Writes detail/<name>__traits.hpp: YAML text, and what rosidl_generator_traits tells of a type."""

from rosidl_parser import definition as idl

from .cpp_struct import nested_headers
from .definitions import element_type, is_empty


def traits_header(interface, interfaces):
    """Return the text of the header, without guard."""
    lines = ['#include <cstddef>', '#include <ostream>', '#include <sstream>', '#include <string>',
             '#include <type_traits>', '', '#include "rosidl_runtime_cpp/traits.hpp"',
             f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__struct.hpp"']
    lines += [f'#include "{path}"' for path in nested_headers(interface, 'traits')]
    lines += ['', f'namespace {interface.package}::{interface.folder}', '{', '']
    for message in interface.messages:
        lines += _yaml(message)
    lines += [f'}}  // namespace {interface.package}::{interface.folder}', '', 'namespace rosidl_generator_traits', '{',
              '']
    for message in interface.messages:
        lines += _old_yaml(message.structure.namespaced_type)
        lines += _traits(message.structure.namespaced_type, 'is_message', [message], interfaces)
    for service in interface.services:
        lines += _traits(service.namespaced_type, 'is_service', [service.request_message, service.response_message],
                         interfaces)
        for message, trait in ((service.request_message, 'is_service_request'),
                               (service.response_message, 'is_service_response')):
            lines += _is(trait, message.structure.namespaced_type)
    for action in interface.actions:
        lines += _is('is_action', action.namespaced_type)
        for message, trait in ((action.goal, 'is_action_goal'), (action.result, 'is_action_result'),
                               (action.feedback, 'is_action_feedback')):
            lines += _is(trait, message.structure.namespaced_type)
    lines += ['}  // namespace rosidl_generator_traits']
    return '\n'.join(lines) + '\n'


def _cpp_name(namespaced_type):
    return '::' + '::'.join(namespaced_type.namespaced_name())


def _old_yaml(namespaced_type):
    """What older source calls: since ROS 2 Humble each package has a to_yaml() of its own."""
    name, namespace = _cpp_name(namespaced_type), '::'.join(namespaced_type.namespaces)
    return [f'template <class ContainerAllocator> [[deprecated("use {namespace}::to_block_style_yaml()")]]',
            f'void to_yaml(const {name}_<ContainerAllocator> & msg, std::ostream & out, std::size_t indentation = 0)',
            '{', f'  ::{namespace}::to_block_style_yaml(msg, out, indentation);', '}', '',
            f'template <class ContainerAllocator> [[deprecated("use {namespace}::to_yaml()")]]',
            f'std::string to_yaml(const {name}_<ContainerAllocator> & msg)', '{',
            f'  return ::{namespace}::to_yaml(msg);', '}', '']


def _traits(namespaced_type, trait, messages, interfaces):
    name = _cpp_name(namespaced_type)
    fixed, bounded = (all(holds(message) for message in messages)
                      for holds in (interfaces.has_fixed_size, interfaces.has_bounded_size))
    lines = []
    for function, text in (('data_type', name[2:]), ('name', '/'.join(namespaced_type.namespaced_name()))):
        lines += ['template <>', f'inline const char * {function}<{name}>()', '{', f'  return "{text}";', '}', '']
    for structure, holds in ((trait, True), ('has_fixed_size', fixed), ('has_bounded_size', bounded)):
        lines += _is(structure, namespaced_type, holds)
    return lines


def _is(structure, namespaced_type, holds=True):
    return ['template <>', f'struct {structure}<{_cpp_name(namespaced_type)}> : std::{str(holds).lower()}_type', '{',
            '};', '']


def _yaml(message):
    name = f'{message.structure.namespaced_type.name}_<ContainerAllocator>'
    members = message.structure.members
    lines = ['template <class ContainerAllocator>',
             f'void to_flow_style_yaml(const {name} & msg, std::ostream & out)', '{']
    if is_empty(message):
        lines += ['  (void)msg;', '  out << "null";']
    else:
        for index, member in enumerate(members):
            lines += [f'  out << "{", " if index else "{"}{member.name}: ";', *_flow(member)]
        lines += ['  out << "}";']
    lines += ['}', '', 'template <class ContainerAllocator>',
              f'void to_block_style_yaml(const {name} & msg, std::ostream & out, std::size_t indentation = 0)', '{']
    if is_empty(message):
        lines += ['  (void)msg;', '  (void)indentation;', '  out << "null\\n";']
    else:
        lines += ['  const std::string indent(indentation, \' \');']
        for member in members:
            lines += [f'  out << indent << "{member.name}:";', *_block(member)]
    lines += ['}', '', 'template <class ContainerAllocator>',
              f'std::string to_yaml(const {name} & msg, bool use_flow_style = false)', '{',
              '  std::ostringstream out;', '  if (use_flow_style) {', '    to_flow_style_yaml(msg, out);', '  } else {',
              '    to_block_style_yaml(msg, out);', '  }', '  return out.str();', '}', '']
    return lines


def _print(type_, value):
    """Return the statement that prints one element in flow style."""
    if isinstance(type_, idl.NamespacedType):
        return f'to_flow_style_yaml({value}, out);'
    characters = isinstance(type_, idl.BasicType) and type_.typename in ('octet', 'char', 'wchar')
    kind = 'character_value_to_yaml' if characters else 'value_to_yaml'
    return f'::rosidl_generator_traits::{kind}({value}, out);'


def _flow(member):
    if not isinstance(member.type, idl.AbstractNestedType):
        return [f'  {_print(member.type, f"msg.{member.name}")}']
    return ['  out << "[";', f'  for (std::size_t i = 0; i < msg.{member.name}.size(); ++i) {{',
            '    out << (i == 0 ? "" : ", ");', f'    {_print(member.type.value_type, f"msg.{member.name}[i]")}', '  }',
            '  out << "]";']


def _block(member):
    """Return the statements that print a field after its name and colon, in block style."""
    value = f'msg.{member.name}'
    nested = isinstance(element_type(member.type), idl.NamespacedType)
    if not isinstance(member.type, idl.AbstractNestedType):
        if nested:
            return ['  out << "\\n";', f'  to_block_style_yaml({value}, out, indentation + 2);']
        return ['  out << " ";', f'  {_print(member.type, value)}', '  out << "\\n";']
    empty = isinstance(member.type, idl.AbstractSequence)
    lines = [f'  out << ({value}.empty() ? " []\\n" : "\\n");' if empty else '  out << "\\n";',
             f'  for (const auto & item : {value}) {{']
    if nested:
        lines += ['    out << indent << "-\\n";', '    to_block_style_yaml(item, out, indentation + 2);']
    else:
        lines += ['    out << indent << "- ";', f'    {_print(member.type.value_type, "item")}', '    out << "\\n";']
    return [*lines, '  }']
