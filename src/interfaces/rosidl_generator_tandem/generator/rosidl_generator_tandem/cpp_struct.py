"""Writes detail/<name>__struct.hpp: the structs themselves."""

from rosidl_parser import definition as idl

from .cpp_values import cpp_element_type, cpp_literal, cpp_string, cpp_type, cpp_wide_string, cpp_zero, CPP_TYPES
from .definitions import default_value, header_name, is_container, is_empty, nested_type, type_name

# What each action has besides its own types.
ACTION_HEADERS = ('msg/detail/goal_info', 'msg/detail/goal_status_array', 'srv/detail/cancel_goal')
INIT = '::rosidl_runtime_cpp::MessageInitialization'


def struct_header(interface):
    """Return the text of the header, without guard."""
    lines = [f'namespace {interface.package}::{interface.folder}', '{', '']
    for message in interface.messages:
        lines += _struct(message)
    for service in interface.services:
        name = service.namespaced_type.name
        lines += [f'struct {name}', '{', f'  using Request = {name}_Request;', f'  using Response = {name}_Response;',
                  f'  using Event = {name}_Event;', '};', '']
    for action in interface.actions:
        lines += _action(action.namespaced_type.name)
    lines += [f'}}  // namespace {interface.package}::{interface.folder}']
    text = '\n'.join(lines) + '\n'
    # Only what is used: every translation unit with messages pays for these.
    wanted = (('<array>', 'std::array'), ('<cstdint>', ''), ('<limits>', 'std::numeric_limits'), ('<memory>', ''),
              ('<string>', ' std::string '), ('<string>', ' std::u16string '), (None, ''),
              ('"rosidl_runtime_cpp/message_initialization.hpp"', ''), ('"tandem/message_memory.hpp"', ''),
              ('"tandem/string.hpp"', 'tandem::String'), ('"tandem/string.hpp"', 'tandem::U16String'),
              ('"tandem/string.hpp"', 'tandem::BasicString'), ('"tandem/string_field.hpp"', 'tandem::StringField'),
              ('"tandem/vector.hpp"', 'tandem::Vector'), ('"tandem/vector_field.hpp"', 'tandem::VectorField'))
    includes = dict.fromkeys(f'#include {name}' if name else '' for name, use in wanted if use in text)
    includes = [*includes, *[f'#include "{path}"' for path in nested_headers(interface, 'struct')]]
    return '\n'.join(includes) + '\n\n' + text


def nested_headers(interface, part):
    """Return the headers (`part` of them) of the messages that the interface's messages hold."""
    own = {type_name(message) for message in interface.messages}
    headers = {f'action_msgs/{name}__{part}.hpp' for name in ACTION_HEADERS if interface.actions}
    for message in interface.messages:
        for member in message.structure.members:
            name = nested_type(member.type)
            if name and name not in own:
                package, folder, stem = name.split('/')
                headers.add(f'{package}/{folder}/detail/{header_name(stem)}__{part}.hpp')
    return sorted(headers)


def _struct(message):
    name = message.structure.namespaced_type.name
    members = message.structure.members
    # A template, as in rosidl_generator_cpp: what a translation unit does not use is not compiled there.
    lines = ['// The memory is the message heap\'s, whatever the allocator.', 'template <class ContainerAllocator>',
             f'struct {name}_', '{', f'  using Type = {name}_;', '', '  TANDEM_MESSAGE_MEMORY', '']
    lines += _constructor(f'{name}_', members)
    for member in members:
        held = f'_{member.name}_type'
        if isinstance(member.type, idl.AbstractGenericString):
            held = f'::tandem::StringField<{held}>'
        elif isinstance(member.type, idl.AbstractSequence):
            held = f'::tandem::VectorField<{held}>'
        lines += [f'  using _{member.name}_type = {cpp_type(member.type)};', f'  {held} {member.name};']
    if not is_empty(message):
        for member in members:
            lines += ['', f'  Type & set__{member.name}(const _{member.name}_type & _arg)', '  {',
                      f'    this->{member.name} = _arg;', '    return *this;', '  }']
    lines += ['', *[_constant(constant) for constant in message.constants]] if message.constants else []
    lines += _pointers(f'{name}_')
    lines += _comparison(f'{name}_', members)
    lines += ['};', '', f'using {name} = {name}_<std::allocator<void>>;', '']
    return lines


def _action(name):
    return [f'struct {name}', '{', f'  using Goal = {name}_Goal;', f'  using Result = {name}_Result;',
            f'  using Feedback = {name}_Feedback;', '', '  struct Impl', '  {',
            f'    using SendGoalService = {name}_SendGoal;', f'    using GetResultService = {name}_GetResult;',
            f'    using FeedbackMessage = {name}_FeedbackMessage;',
            '    using CancelGoalService = ::action_msgs::srv::CancelGoal;',
            '    using GoalStatusMessage = ::action_msgs::msg::GoalStatusArray;', '  };', '};', '']


def _constructor(name, members):
    """Fields with a default and the others are set or left alone as rosidl defines the four ways."""
    nested = [m.name for m in members if isinstance(m.type, idl.NamespacedType)]
    initialisers = ', '.join(f'{field}(_init)' for field in nested)
    defaults, zeros, others, arrays = [], [], [], []
    for member in members:
        default = default_value(member)
        if isinstance(member.type, idl.Array) and nested_type(member.type):
            # The elements are constructed already, with defaults.
            arrays.append(f'{member.name}.fill({cpp_element_type(member.type)}({INIT}::ZERO));')
        elif default is not None:
            defaults += _assign(member, default)
            if not is_container(member.type):
                zeros += _assign(member, None)
        elif not is_container(member.type) and not nested_type(member.type):
            others += _assign(member, None)
    lines = [f'  explicit {name}({INIT} _init = {INIT}::ALL)']
    lines += [f'  : {initialisers}'] if initialisers else []
    lines += ['  {', '    (void)_init;']
    for condition, statements in (
            (f'_init == {INIT}::ALL || _init == {INIT}::DEFAULTS_ONLY', defaults),
            (f'_init == {INIT}::ZERO', zeros + arrays),
            (f'_init == {INIT}::ALL || _init == {INIT}::ZERO', others)):
        if statements:
            lines += [f'    if ({condition}) {{', *[f'      this->{line}' for line in statements], '    }']
    return [*lines, '  }', '']


def _assign(member, value):
    """Return statements that set a field of basic type or strings to `value`, to zero for None."""
    type_ = member.type
    if not isinstance(type_, idl.AbstractNestedType):
        literal = cpp_zero(type_) if value is None else cpp_literal(type_, value)
        return [f'{member.name} = {literal};']
    element = type_.value_type
    if isinstance(type_, idl.Array) and (value is None or all(v == value[0] for v in value)):
        return [f'{member.name}.fill({cpp_zero(element) if value is None else cpp_literal(element, value[0])});']
    values = ', '.join(cpp_literal(element, v) for v in value)
    return [f'{member.name} = {{{{{values}}}}};' if isinstance(type_, idl.Array) else f'{member.name} = {{{values}}};']


def _constant(constant):
    if isinstance(constant.type, idl.AbstractString):
        return f'  static inline const std::string {constant.name} = {cpp_string(constant.value)};'
    if isinstance(constant.type, idl.AbstractWString):
        return f'  static inline const std::u16string {constant.name} = {cpp_wide_string(constant.value)};'
    name = constant.type.typename
    return f'  static constexpr {CPP_TYPES[name]} {constant.name} = {cpp_literal(constant.type, constant.value)};'


def _pointers(name):
    return f"""
  using RawPtr = {name} *;
  using ConstRawPtr = const {name} *;
  using SharedPtr = std::shared_ptr<{name}>;
  using ConstSharedPtr = std::shared_ptr<const {name}>;
  template <typename Deleter = std::default_delete<{name}>>
  using UniquePtrWithDeleter = std::unique_ptr<{name}, Deleter>;
  using UniquePtr = UniquePtrWithDeleter<>;
  template <typename Deleter = std::default_delete<{name}>>
  using ConstUniquePtrWithDeleter = std::unique_ptr<const {name}, Deleter>;
  using ConstUniquePtr = ConstUniquePtrWithDeleter<>;
  using WeakPtr = std::weak_ptr<{name}>;
  using ConstWeakPtr = std::weak_ptr<const {name}>;
  using Ptr [[deprecated]] = std::shared_ptr<{name}>;
  using ConstPtr [[deprecated]] = std::shared_ptr<const {name}>;
""".split('\n')


def _comparison(name, members):
    equal = ' &&\n           '.join(f'this->{member.name} == _other.{member.name}' for member in members)
    return [f'  bool operator==(const {name} & _other) const', '  {', f'    return {equal};', '  }',
            f'  bool operator!=(const {name} & _other) const {{ return !(*this == _other); }}']
