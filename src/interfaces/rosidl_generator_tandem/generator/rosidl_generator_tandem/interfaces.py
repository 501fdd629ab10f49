"""Reads the interface files of a package, and the messages of other packages that they use."""

import contextlib
import io
import pathlib

from lark.exceptions import UnexpectedInput
from rosidl_parser import definition as idl
from rosidl_parser.parser import parse_idl_file

from .definitions import element_type, event_message, header_name, is_container, nested_type, type_name
from .refusals import refusals


class InterfaceError(Exception):
    """An interface that cannot be generated; its text is for the user."""


class Interface:
    """One interface file: where it comes from, and the types that it defines.

    A type comes after the types that it contains in `messages`.
    """

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
        self.events = [event_message(service) for service in self.services]
        self.messages += self.events
        for action in self.actions:
            self.messages += [action.feedback_message]  # after the feedback, which it contains


class Interfaces:
    """All interfaces of a package, and the messages of other packages that they use."""

    def __init__(self, arguments):
        self.package = arguments['package_name']
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
        self.own = []  # the package's interfaces, in the order of its files
        problems = []
        for entry in arguments['idl_tuples']:
            try:
                self.own.append(self._read(*entry.rsplit(':', 1)))
            except InterfaceError as error:
                problems.append(str(error))
        for interface in self.own:
            for message in interface.messages:
                self._messages[type_name(message)] = message
        if not problems:  # a file that cannot be read would make every use of its types a problem, too
            problems = [refusal for interface in self.own for message in interface.messages
                        if message not in interface.events for refusal in refusals(self, interface, message)]
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
        interface = Interface(self.package, source, relative, parse(base, relative).content)
        name = type_name((interface.actions or interface.services or interface.messages)[0])
        expected = f'{self.package}/{relative.with_suffix("").as_posix()}'
        if name != expected:
            raise InterfaceError(f'{source}: defines {name}; in this file it must be {expected}.')
        return interface


def parse(base, relative):
    """Parse an IDL file; a syntax error becomes an InterfaceError that names the file and the line, if it is known."""
    locator = idl.IdlLocator(base, relative)
    file = locator.get_absolute_path()
    try:
        with contextlib.redirect_stderr(io.StringIO()):  # the parser also prints what it raises
            return parse_idl_file(locator)
    except UnexpectedInput as error:
        line = getattr(error, 'line', -1)
        text = file.read_text(encoding='utf-8').splitlines()
        if 0 < line <= len(text):
            near = f"near '{text[line - 1].strip()}'"
        else:
            line, near = max(1, len(text)), 'it ends too early'
        raise InterfaceError(f'{file}:{line}: no valid IDL: {near}.') from error
    except Exception as error:  # rosidl_parser raises AssertionError, TypeError and others for bad IDL
        reason = str(error).strip().split('\n')[0].split(': Tree(')[0] if not isinstance(error, TypeError) else ''
        raise InterfaceError(f'{file}: no valid IDL: ' + (reason or (
            'there must be one struct X, or X_Request and X_Response, or X_Goal, X_Result and X_Feedback, '
            'and bounds that are numbers')) + '.') from error
