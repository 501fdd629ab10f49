"""Tells why messages cannot be generated, field by field."""

import re

from rosidl_parser import definition as idl

from .definitions import default_value, nested_type, sequence_bound, string_bound, type_name

# A field of such a name cannot be a member of a C++ struct.
CPP_KEYWORDS = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    """.split())


def refusals(interfaces, interface, message):
    """Yield a line for each field of the message of `interface` that cannot be generated."""
    for member in message.structure.members:
        where = (f"{interface.source}:{field_line(interface.source, type_name(message), member.name)}: "
                 f"field '{member.name}' of {type_name(message)}")
        nested = nested_type(member.type)
        if member.name in CPP_KEYWORDS:
            yield f'{where}: the name is a C++ keyword; rename the field.'
        elif nested:
            yield from _nested_refusals(interfaces, where, nested, [type_name(message)])
        wrong = wrong_default(member)
        if wrong:
            yield f'{where} {wrong}'


def _nested_refusals(interfaces, where, name, path):
    """Yield what is wrong with the type `name` of a field, reached through the types of `path`."""
    message = interfaces.message(name)
    own = f'{interfaces.package}/'
    if name in path:
        yield f'{where}: the message contains itself ({" > ".join([*path, name])}).'
    elif message is not None:
        for member in message.structure.members:
            nested = nested_type(member.type)
            if nested:
                yield from _nested_refusals(interfaces, where, nested, [*path, name])
    elif len(path) == 1 or not path[-1].startswith(own):  # else the field of path[-1] is refused itself
        package, file = name.split('/', 1)
        hint = (f'add "{file}.msg" to rosidl_generate_interfaces()' if package == interfaces.package else
                f'find_package({package}) and name it in DEPENDENCIES of rosidl_generate_interfaces()')
        yield f'{where} needs the type {name}, which is not known: {hint}.'


def wrong_default(member):
    """Return why the default of a field is not a value of its type, or None."""
    try:
        value = default_value(member)
    except (SyntaxError, TypeError, ValueError, KeyError):
        return 'has a default that is no value of its type.'
    if value is None:
        return None
    values = value if isinstance(value, list) else [value]
    if isinstance(member.type, idl.Array) and len(values) != member.type.size:
        return f'has {member.type.size} elements, but its default has {len(values)}.'
    bound = sequence_bound(member.type)
    if bound is not None and len(values) > bound:
        return f'has at most {bound} elements, but its default has {len(values)}.'
    bound = string_bound(member.type)
    if bound is not None and any(len(text) > bound for text in values):
        return f'has at most {bound} characters, but its default has more.'
    return None


def field_line(source, name, field):
    """Return the number of the line that defines the field of the message type `name` in the file, or 1."""
    code = re.compile(rf'\S+\s+{field}\b(?!\s*=)' if source.suffix != '.idl' else rf'.*\b{field}\s*[;,\[]')
    part = 1 if name.endswith(('_Response', '_Result')) else 2 if name.endswith('_Feedback') else 0
    for number, line in enumerate(source.read_text(encoding='utf-8').splitlines(), start=1):
        part -= line == '---'
        if part <= 0 and code.match(line):
            return number
    return 1
