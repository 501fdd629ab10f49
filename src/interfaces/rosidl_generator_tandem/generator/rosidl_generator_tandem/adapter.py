"""Turns .msg, .srv and .action files into IDL, or says which of their lines are wrong and why.

rosidl_adapter would do it, but ends with a traceback that names neither file nor line, and writes text beyond ASCII
that rosidl_parser cannot read back. Its parser is used here, for one line at a time. Comments stay behind: nothing
reads them from IDL, and they make up most of the time that it takes to parse it.
"""

import contextlib
import io
import math
import re

from rosidl_adapter import parser
from rosidl_adapter.msg import get_idl_type, get_include_file

from .interfaces import InterfaceError

# The messages of a file, in order, by what is added to its name; lines of '---' are between them.
SECTIONS = {'.msg': ('',), '.srv': ('_Request', '_Response'), '.action': ('_Goal', '_Result', '_Feedback')}
# What rosidl_adapter tells as a regular expression.
NAMES = {
    'field': 'lower-case letters, digits and single underscores, a letter first and no underscore last',
    'constant': 'upper-case letters, digits and single underscores, a letter first and no underscore last',
    'message': 'letters and digits, an upper-case letter first',
    'package': 'lower-case letters, digits and single underscores, a letter first and no underscore last',
}

# The parser's own one says the same, but takes for ever to find a mistake at the end of a long name.
parser.VALID_CONSTANT_NAME_PATTERN = re.compile('^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$')


def adapt(package, file, relative):
    """Return the IDL of the interface file `file`, which is `relative` in its package."""
    sections = _sections(file)
    problems = []
    structs = []
    includes = set()
    if not parser.is_valid_message_name(relative.stem):
        problems.append(f"{file}:1: '{relative.stem}' is no name of an interface: it must have {NAMES['message']}.")
    for suffix, lines in zip(SECTIONS[file.suffix], sections):
        fields, constants = {}, {}
        for number, line in lines:
            line = line.split('#', 1)[0]
            try:
                _read_line(package, line, fields, constants)
            except Exception as error:  # the parser raises many kinds
                problems.append(f'{file}:{number}: {_reason(line, error)}')
        if not problems:
            structs += _struct(relative.stem + suffix, fields.values(), constants.values())
            includes |= {get_include_file(field.type) for field in fields.values()} - {None}
    if problems:
        raise InterfaceError('\n'.join(problems))
    return '\n'.join([
        f'// Made from {package}/{relative.as_posix()}.', *(f'#include "{name}"' for name in sorted(includes)), '',
        f'module {package} {{', f'  module {relative.suffix[1:]} {{', *(f'    {line}' for line in structs), '  };',
        '};', ''])


def _sections(file):
    """Return the numbered lines of each message of the file."""
    try:
        data = file.read_bytes()
        lines = data.decode('utf-8-sig').splitlines()
    except OSError as error:
        raise InterfaceError(f'{file}: cannot be read: {error.strerror}.') from error
    except UnicodeDecodeError as error:
        number = data.count(b'\n', 0, error.start) + 1
        raise InterfaceError(f'{file}:{number}: not UTF-8: byte 0x{data[error.start]:02x}.') from error
    needed = len(SECTIONS[file.suffix]) - 1
    sections = [[]]
    for number, line in enumerate(lines, start=1):
        if line.strip() == '---' and needed:
            if line != '---' or len(sections) > needed:
                problem = 'has blanks around it' if line != '---' else f'is one too many: there must be {needed}'
                raise InterfaceError(f"{file}:{number}: the separator '---' {problem}.")
            sections.append([])
        else:
            sections[-1].append((number, line))
    if len(sections) <= needed:
        parts = ', '.join(name[1:].lower() for name in SECTIONS[file.suffix])
        raise InterfaceError(f"{file}:{max(1, len(lines))}: the file ends with {len(sections) - 1} of {needed} lines "
                             f"'---', which separate {parts}.")
    return sections


def _read_line(package, line, fields, constants):
    """Add the field or the constant of the line, if any; raise what is wrong with it."""
    with contextlib.redirect_stderr(io.StringIO()):  # it prints what it raises too
        read = parser.parse_message_string(package, 'Any', line)
    for found, known in ((read.fields, fields), (read.constants, constants)):
        for item in found:
            if item.name in known:
                raise ValueError(f"'{item.name}' is there already.")
            if str(getattr(item.type, 'type', item.type)) in ('time', 'duration'):
                raise ValueError('the types of ROS 1 are not known; use builtin_interfaces/Time or Duration.')
            _default(item)  # raises what IDL cannot say
            known[item.name] = item


def _reason(line, error):
    """Return what the parser raised in words for people."""
    blank = line[:1].isspace()
    line = line.strip()
    text = str(error).split('\n')[0]
    kind = re.match(r"('.*') is an invalid (\w+) name", text)
    if blank:
        text = 'the line begins with a blank.'
    elif isinstance(error, parser.InvalidFieldDefinition):
        text = f"'{line}' is neither a field, as in 'int32 x', nor a constant, as in 'int32 X=1'."
    elif kind:
        text = f'{kind[1]} is no name of a {kind[2]}: it must have {NAMES[kind[2]]}.'
    elif isinstance(error, parser.InvalidResourceName):
        text = f"'{text}' is no name of a type."
    elif isinstance(error, UnicodeError):
        text = f"'{line}' has a backslash that begins no escape sequence; double it."
    elif isinstance(error, NotImplementedError):
        text = f"'{line}' gives a message a default, which only numbers, booleans and strings can have."
    elif line.split(' ')[0].endswith(']') and isinstance(error, TypeError):
        text = f"'{line}': within the brackets is a number above 0, or '<=' and one, or nothing."
    return text if text.endswith('.') else f"'{line}': {text}."


def _struct(name, fields, constants):
    """Return the lines of a message in IDL: typedefs of its arrays, constants, the struct."""
    typedefs, members = {}, []
    for field in fields:
        type_ = get_idl_type(field.type)
        if field.type.is_fixed_size_array():
            element = type_.split('[', 1)[0]
            if '::' in element:
                typedefs[element.replace('::', '__')] = element
                element = element.replace('::', '__')
            type_ = re.sub('[<>]', '__', element) + f'__{field.type.array_size}'
            typedefs[f'{type_}[{field.type.array_size}]'] = element
        if field.default_value is not None:
            members.append(f'  @default (value={_default(field)})')
        members.append(f'  {type_} {field.name};')
    lines = [f'typedef {type_} {alias};' for alias, type_ in typedefs.items()]
    if constants:
        # Without a note rosidl_parser takes equal constants of a request and its response for one.
        note = f'@verbatim (language="comment", text="{name}")'
        lines += [f'module {name}_Constants {{', *(
            f'  {note} const {get_idl_type(constant.type)} {constant.name} = {_default(constant)};'
            for constant in constants), '};']
    return [*lines, f'struct {name} {{', *(members or ['  uint8 structure_needs_at_least_one_member;']), '};']


def _default(item):
    """Return the value of a constant or the default of a field as an IDL literal."""
    value = item.value if isinstance(item, parser.Constant) else item.default_value
    if any(isinstance(number, float) and not math.isfinite(number)
           for number in (value if isinstance(value, list) else [value])):
        raise ValueError('IDL has only finite numbers.')
    if isinstance(value, list):
        return _string(repr(tuple(value)))
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, str):
        # The escape sequences of Python's strings; characters beyond ASCII are themselves.
        return _string(value.encode().decode('unicode_escape').encode('latin-1').decode('utf-8'))
    return str(value)


def _string(text):
    """Return an IDL literal of which rosidl_parser makes `text`: it resolves backslashes twice."""
    for _ in range(2):
        text = text.replace('\\', '\\\\').replace('"', '\\"')
    return '"' + ''.join(char if char >= ' ' else f'\\{ord(char):03o}' for char in text) + '"'
