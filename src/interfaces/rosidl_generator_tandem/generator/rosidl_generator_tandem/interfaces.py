"""Reads interface files: what they define, where types of other packages are, and what is refused."""

import ast
import contextlib
import io
import pathlib
import re

from lark.exceptions import UnexpectedInput
from rosidl_parser import definition as idl
from rosidl_parser.parser import parse_idl_file

# A field of such a name cannot be a member of a C++ struct.
CPP_KEYWORDS = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t char8_t class co_await
    co_return co_yield compl concept const const_cast consteval constexpr constinit continue decltype default delete do
    double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable
    namespace new noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast
    requires return short signed sizeof static static_assert static_cast struct switch template this thread_local throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor xor_eq
    """.split())


class InterfaceError(Exception):
    """An interface that cannot be generated; its text is for the user."""


class Interface:
    """One interface file: where it comes from and the types that it defines."""

    def __init__(self, package, source, relative_path, content):
        self.package = package
        self.source = source  # the file that the user wrote, for errors and comments
        self.folder = relative_path.parent.as_posix()  # 'msg', 'srv' or 'action'
        self.header_name = header_name(relative_path.stem)
        self.actions = content.get_elements_of_type(idl.Action)
        self.services = content.get_elements_of_type(idl.Service)
        self.messages = content.get_elements_of_type(idl.Message)
        for action in self.actions:
            self.messages += [action.goal, action.result, action.feedback]
            self.services += [action.send_goal_service, action.get_result_service]
        for service in self.services:
            self.messages += [service.request_message, service.response_message]
        for action in self.actions:
            self.messages += [action.feedback_message]  # as all, after what it holds


class Interfaces:
    """All interfaces of a package, and the messages of other packages that they use."""

    def __init__(self, arguments):
        self._package = arguments['package_name']
        self._sources = {}  # 'msg/Name' to the user's file
        for entry in arguments.get('non_idl_tuples', []):
            file = pathlib.Path(*entry.rsplit(':', 1))
            self._sources[f'{file.suffix[1:]}/{file.stem}'] = file
        self._idl_files = {}  # type name to IDL file
        for entry in arguments.get('ros_interface_dependencies', []):
            package, file = entry.split(':', 1)
            file = pathlib.Path(file)
            self._idl_files[f'{package}/{file.parent.name}/{file.stem}'] = file
        self._messages = {}  # type name to definition
        self.own = []
        problems = []
        for entry in arguments['idl_tuples']:
            try:
                self.own.append(self._read(*entry.rsplit(':', 1)))
            except InterfaceError as error:
                problems.append(str(error))
        for interface in self.own:
            for message in interface.messages:
                self._messages[type_name(message)] = message
        if not problems:  # else every use of what could not be read would be one, too
            problems = [refusal for interface in self.own for message in interface.messages
                        for refusal in self._refusals(interface, message)]
        if problems:
            raise InterfaceError('\n'.join(problems))

    def message(self, name):
        """Return the definition of the message type of this name, or None."""
        if name not in self._messages and name in self._idl_files:
            file = self._idl_files[name]
            content = parse(file.parents[2], file.relative_to(file.parents[2])).content
            for message in content.get_elements_of_type(idl.Message):
                self._messages[type_name(message)] = message
        return self._messages.get(name)

    def has_fixed_size(self, message):
        """Tell whether the message's bytes are its value."""
        return all(not is_container(member.type) and self._nested_is(member, self.has_fixed_size)
                   for member in message.structure.members)

    def has_bounded_size(self, message):
        """Tell whether every string and sequence of the message has a bound, at any depth."""
        return all(not isinstance(member.type, idl.UnboundedSequence)
                   and not isinstance(element_type(member.type), (idl.UnboundedString, idl.UnboundedWString))
                   and self._nested_is(member, self.has_bounded_size) for member in message.structure.members)

    def _nested_is(self, member, holds):
        name = nested_type(member.type)
        return name is None or holds(self.message(name))

    def _read(self, base, relative):
        relative = pathlib.Path(relative)
        source = self._sources.get(relative.with_suffix('').as_posix(), pathlib.Path(base) / relative)
        interface = Interface(self._package, source, relative, parse(base, relative).content)
        name = type_name((interface.actions or interface.services or interface.messages)[0])
        expected = f'{self._package}/{relative.with_suffix("").as_posix()}'
        if name != expected:
            raise InterfaceError(f'{source}: defines {name}; in this file it must be {expected}.')
        return interface

    def _refusals(self, interface, message):
        """Yield a line for each field of the message that cannot be generated."""
        for member in message.structure.members:
            where = (f"{interface.source}:{field_line(interface.source, type_name(message), member.name)}: "
                     f"field '{member.name}' of {type_name(message)}")
            nested = nested_type(member.type)
            if member.name in CPP_KEYWORDS:
                yield f'{where}: the name is a C++ keyword; rename the field.'
            elif nested:
                yield from self._nested_refusals(where, nested, [type_name(message)])
            wrong = wrong_default(member)
            if wrong:
                yield f'{where} {wrong}'

    def _nested_refusals(self, where, name, path):
        """Yield what is wrong with the type `name` of a field, reached through the types of `path`."""
        message = self.message(name)
        user_is_own = path[-1].startswith(f'{self._package}/')
        if name in path:
            yield f'{where}: the message contains itself ({" > ".join([*path, name])}).'
        elif message is None:
            if user_is_own and len(path) > 1:
                return  # told with the field that names it
            package, file = name.split('/', 1)
            hint = (f'add "{file}.msg" to rosidl_generate_interfaces()' if package == self._package else
                    f'find_package({package}) and name it in DEPENDENCIES of rosidl_generate_interfaces()')
            yield f'{where} needs the type {name}, which is not known: {hint}.'
        else:
            for member in message.structure.members:
                nested = nested_type(member.type)
                if nested:
                    yield from self._nested_refusals(where, nested, [*path, name])


def parse(base, relative):
    """Parse an IDL file; a syntax error becomes an InterfaceError that names the file and the line, if it is known."""
    locator = idl.IdlLocator(base, relative)
    file = locator.get_absolute_path()
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # it prints what it raises too
            return parse_idl_file(locator)
    except UnexpectedInput as error:
        line = getattr(error, 'line', -1)
        text = file.read_text(encoding='utf-8').splitlines()
        if 0 < line <= len(text):
            near = f"near '{text[line - 1].strip()}'"
        else:
            line, near = max(1, len(text)), 'it ends too early'
        raise InterfaceError(f'{file}:{line}: no valid IDL: {near}.') from error
    except Exception as error:  # rosidl_parser asserts, and stumbles over what it does not know
        reason = str(error).strip().split('\n')[0].split(': Tree(')[0] if not isinstance(error, TypeError) else ''
        raise InterfaceError(f'{file}: no valid IDL: ' + (reason or (
            'there must be one struct X, or X_Request and X_Response, or X_Goal, X_Result and X_Feedback, '
            'and bounds that are numbers')) + '.') from error


def field_line(source, name, field):
    """Return the number of the line that defines the field of the message type `name` in the file, or 1."""
    code = re.compile(rf'\S+\s+{field}\b(?!\s*=)' if source.suffix != '.idl' else rf'.*\b{field}\s*[;,\[]')
    part = 1 if name.endswith(('_Response', '_Result')) else 2 if name.endswith('_Feedback') else 0
    for number, line in enumerate(source.read_text(encoding='utf-8').splitlines(), start=1):
        part -= line == '---'
        if part <= 0 and code.match(line):
            return number
    return 1


def header_name(stem):
    """Return the name of a type's headers: 'PointCloud2' gives 'point_cloud2', as CMake computes it too."""
    stem = re.sub('(.)([A-Z][a-z]+)', r'\1_\2', stem)
    return re.sub('([a-z0-9])([A-Z])', r'\1_\2', stem).lower()


def type_name(definition):
    """Return 'package/msg/Name' of the definition of a message, a service or an action."""
    type_ = definition.structure.namespaced_type if isinstance(definition, idl.Message) else definition.namespaced_type
    return '/'.join(type_.namespaced_name())


def element_type(type_):
    """Return the type of an array's or sequence's elements, or the type itself."""
    return type_.value_type if isinstance(type_, idl.AbstractNestedType) else type_


def nested_type(type_):
    """Return the name of the message type that a field holds, or None."""
    type_ = element_type(type_)
    return '/'.join(type_.namespaced_name()) if isinstance(type_, idl.NamespacedType) else None


def default_value(member):
    """Return the default of a field as a Python value (a list for an array or a sequence), or None."""
    if not member.has_annotation('default'):
        return None
    value = member.get_annotation_value('default')['value']
    return list(ast.literal_eval(value)) if isinstance(member.type, idl.AbstractNestedType) else value


def wrong_default(member):
    """Tell in words why the default of a field is none for its type, or return None."""
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


def sequence_bound(type_):
    """Return the most elements of a bounded sequence, or None."""
    return type_.maximum_size if isinstance(type_, idl.BoundedSequence) else None


def string_bound(type_):
    """Return the most characters of a bounded string or of each of an array or sequence of them, or None."""
    element = element_type(type_)
    return element.maximum_size if isinstance(element, (idl.BoundedString, idl.BoundedWString)) else None


def is_container(type_):
    """Tell whether a field is a string or a sequence, or an array of strings: what constructs itself as empty."""
    return isinstance(type_, idl.AbstractSequence) or isinstance(element_type(type_), idl.AbstractGenericString)


def is_empty(message):
    """Tell whether the message has no fields; it then has one that IDL demands."""
    members = message.structure.members
    return len(members) == 1 and members[0].name == idl.EMPTY_STRUCTURE_REQUIRED_MEMBER_NAME
