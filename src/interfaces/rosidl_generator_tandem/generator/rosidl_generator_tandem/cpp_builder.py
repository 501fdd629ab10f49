"""Writes detail/<name>__builder.hpp: build<T>().field(value).other(value)."""

from .definitions import is_empty

INIT = '::rosidl_runtime_cpp::MessageInitialization'


def builder_header(interface):
    """Return the text of the header, without guard."""
    lines = ['#include <type_traits>', '#include <utility>', '',
             f'#include "{interface.package}/{interface.folder}/detail/{interface.header_name}__struct.hpp"', '']
    for message in interface.messages:
        lines += _builder(interface, message)
    return '\n'.join(lines) + '\n'


def _builder(interface, message):
    """Templates, so that they are compiled where they are used only."""
    name = message.structure.namespaced_type.name
    cpp_name = f'::{interface.package}::{interface.folder}::{name}'
    lines = []
    first = f'MessageType({INIT}::ZERO)'
    if not is_empty(message):
        fields = [member.name for member in message.structure.members]
        lines += [f'namespace {interface.package}::{interface.folder}::builder', '{', '']
        for index in reversed(range(len(fields))):
            lines += _step(name, fields, index)
        lines += [f'}}  // namespace {interface.package}::{interface.folder}::builder', '']
        first = f'{interface.folder}::builder::Init_{name}_{fields[0]}<MessageType>()'
    lines += [f'namespace {interface.package}', '{', '',
              f'template <typename MessageType, std::enable_if_t<std::is_same_v<MessageType, {cpp_name}>, int> = 0>',
              'auto build()', '{', f'  return {first};', '}', '', f'}}  // namespace {interface.package}', '']
    return lines


def _step(name, fields, index):
    """One class for a field, whose only call sets it and gives the next field's."""
    field = fields[index]
    this = f'Init_{name}_{field}'
    last = index == len(fields) - 1
    result = 'Message' if last else f'Init_{name}_{fields[index + 1]}<Message>'
    lines = ['template <class Message>', f'class {this}', '{', 'public:']
    if index == 0:
        lines += [f'  {this}() : msg_({INIT}::SKIP) {{}}']
    else:
        lines += [f'  explicit {this}(const Message & msg) : msg_(msg) {{}}']
    lines += [f'  {result} {field}(typename Message::_{field}_type arg)', '  {', f'    msg_.{field} = std::move(arg);',
              f'    return {"std::move(msg_)" if last else f"{result}(msg_)"};', '  }', '', 'private:',
              '  Message msg_;', '};', '']
    return lines
