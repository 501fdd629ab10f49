"""What the generator refuses, and that it says which file, which line and why: at once for all that is wrong."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

GENERATOR = pathlib.Path(os.environ['GENERATOR'])


def run_tool(script, *arguments):
    return subprocess.run([sys.executable, '-B', GENERATOR.with_name(script), *arguments], capture_output=True,
                          text=True)


def adapt(directory, files, package='bad_msgs'):
    """Do what CMake does when it configures a package with these files ({'msg/A.msg': text})."""
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    arguments = directory / 'adapter.json'
    arguments.write_text(json.dumps({'non_idl_tuples': [f'{directory}:{name}' for name in files]}))
    return run_tool('adapt.py', '--package-name', package, '--arguments-file', arguments,
                    '--output-dir', directory / 'idl', '--output-file', directory / 'idl_tuples.txt')


def generate(directory, files, package='bad_msgs', dependencies=()):
    """Do what the build does with these files, IDL or not; return the generator's run."""
    own = [f'{directory}:{name}' for name in files if name.endswith('.idl')]
    others = {name: text for name, text in files.items() if not name.endswith('.idl')}
    run = adapt(directory, others, package)
    assert (run.returncode, run.stderr) == (0, '')
    for name, text in files.items():
        (directory / name).parent.mkdir(parents=True, exist_ok=True)
        (directory / name).write_text(text)
    output = directory / 'generated'
    arguments = directory / 'arguments.json'
    arguments.write_text(json.dumps({
        'package_name': package, 'non_idl_tuples': [f'{directory}:{name}' for name in others],
        'idl_tuples': [*(directory / 'idl_tuples.txt').read_text().split(), *own], 'output_dir': str(output),
        'ros_interface_dependencies': list(dependencies)}))
    run = run_tool('main.py', '--arguments', arguments, '--source', output / 'type_support.cpp',
                   '--python', directory / 'python')
    run.written = sorted(path.name for path in output.rglob('*') if path.is_file())
    return run


def refusals(directory, files, **options):
    """Return the lines of a run that must be refused, with nothing written, without the folder."""
    run = generate(directory, files, **options)
    assert (run.returncode, run.stdout, run.written) == (1, '', [])
    return told(directory, run)


def _dependencies(directory, messages):
    """Write messages of other packages, of one field each; return them as CMake names them."""
    for name, member in messages.items():
        package, folder, stem = name.split('/')
        (directory / name).parent.mkdir(parents=True)
        (directory / f'{name}.idl').write_text(
            f'module {package} {{ module {folder} {{ struct {stem} {{ {member}; }}; }}; }};')
        yield f'{package}:{directory / name}.idl'


def told(directory, run):
    prefix = f'error: {directory}/'
    assert all(line.startswith(prefix) for line in run.stderr.splitlines()), run.stderr
    return [line[len(prefix):] for line in run.stderr.splitlines()]


def test_all_kinds_are_generated(tmp_path):
    event_info = _dependencies(tmp_path / 'others', {'service_msgs/msg/ServiceEventInfo': 'uint8 event_type'})
    run = generate(tmp_path, {'msg/PointCloud2D.msg': 'string a\nB[] b\n', 'msg/B.msg': 'wstring<=3[<=2] c\n',
                              'srv/C.srv': 'B[2] a\n---\nstring[] e\n'}, dependencies=event_info)
    assert (run.returncode, run.stderr) == (0, '')
    assert {'point_cloud2_d.hpp', 'b.hpp', 'c.hpp', 'type_support.cpp'} <= set(run.written)


WRONG_LINES = [
    ('int32', "'int32' is neither a field, as in 'int32 x', nor a constant, as in 'int32 X=1'."),
    (' int32 x', 'the line begins with a blank.'),
    ('int32 Bad', "'Bad' is no name of a field: it must have lower-case letters, digits and single underscores, a "
                  'letter first and no underscore last.'),
    ('int32 a__b', "'a__b' is no name of a field: "),
    ('int32 bad=3', "'bad' is no name of a constant: it must have upper-case letters"),
    ('int32 A_CONSTANT_WITH_A_NAME_THAT_IS_VERY_LONG_AND_ENDS_Badly=3', "'A_CONSTANT_WITH_A_NAME_THAT_IS_VERY_LONG_"),
    ('int33 x', "'int33' is no name of a message: it must have letters and digits, an upper-case letter first."),
    ('Bad_msgs/A x', "'Bad_msgs' is no name of a package: "),
    ('a/b/C x', "'a/b/C' is no name of a type."),
    ('int8 x 200', "'int8 x 200': value '200' can not be converted to type 'int8': must be a valid integer"),
    ('uint8[2] x [1, 2, 3]', "'uint8[2] x [1, 2, 3]': value '[1, 2, 3]' can not be converted"),
    ('uint8[<=2] x [1, 2, 3]', "'uint8[<=2] x [1, 2, 3]': value '[1, 2, 3]' can not be converted"),
    ('string<=3 x "abcd"', "'string<=3 x \"abcd\"': value '"),
    ('string[] x ["abc]', "'string[] x [\"abc]': string ["),
    ('int32[-1] x', "'int32[-1] x': within the brackets is a number above 0, or '<=' and one, or nothing."),
    ('int32] x', "'int32] x': within the brackets"),
    ('string<=0 x', "'string<=0 x': the upper bound of the string type"),
    ('A x 3', "'A x 3' gives a message a default, which only numbers, booleans and strings can have."),
    ('A X=3', "'A X=3': the constant type 'A' must be a primitive type."),
    ('time x', 'the types of ROS 1 are not known; use builtin_interfaces/Time or Duration.'),
    ('float64 x inf', "IDL has only finite numbers."),
    ('string X="\\x"', "'string X=\"\\x\"' has a backslash that begins no escape sequence; double it."),
    ('bool fine', "'fine' is there already."),
    ('---', "'---' is neither a field"),
]


def test_wrong_line_is_named(tmp_path):
    files = {f'msg/A{index}.msg': f'# C:\\users\\x, ä\nint32 fine\n{line}  # comment\n'
             for index, (line, _) in enumerate(WRONG_LINES)}
    lines = told(tmp_path, adapt(tmp_path, files))
    for index, (_, reason) in enumerate(WRONG_LINES):
        assert lines[index].startswith(f'msg/A{index}.msg:3: {reason}')
    assert len(lines) == len(WRONG_LINES)


WRONG_FILES = [
    ('srv/A.srv', 'int32 a\n', "1: the file ends with 0 of 1 lines '---', which separate request, response."),
    ('srv/B.srv', '', "1: the file ends with 0 of 1 lines '---', which separate request, response."),
    ('srv/C.srv', '---\n---\n', "2: the separator '---' is one too many: there must be 1."),
    ('srv/D.srv', 'int32 a\n--- \n', "2: the separator '---' has blanks around it."),
    ('action/A.action', 'int32 a\n---\n', "2: the file ends with 1 of 2 lines '---', which separate goal, result, "
                                          'feedback.'),
    ('msg/a.msg', '', "1: 'a' is no name of an interface: it must have letters and digits, an upper-case letter "
                      'first.'),
    ('msg/A.msg', b'int32 a\n# \xff\n', '2: not UTF-8: byte 0xff.'),
]


def test_wrong_file_is_named(tmp_path):
    lines = told(tmp_path, adapt(tmp_path, {name: text for name, text, _ in WRONG_FILES}))
    assert lines == [f'{name}:{reason}' for name, _, reason in WRONG_FILES]


def test_all_wrong_lines_are_told(tmp_path):
    run = adapt(tmp_path, {'msg/A.msg': 'int32\nint32 a\nx\n', 'msg/B.msg': 'int32 b\n', 'srv/C.srv': 'y\n---\nz\n'})
    assert [line.split(': ')[0] for line in told(tmp_path, run)] == [
        'msg/A.msg:1', 'msg/A.msg:3', 'srv/C.srv:1', 'srv/C.srv:3']
    assert run.returncode == 1 and not (tmp_path / 'idl_tuples.txt').exists()


def test_every_refused_field_is_told(tmp_path):
    lines = refusals(tmp_path, {'msg/A.msg': 'string int\nint32 b\nuint8[] for\n',
                                'srv/C.srv': 'int32 new\n---\nC new\n',
                                'action/D.action': '---\n---\nbool union 1\n'},
                     dependencies=_dependencies(tmp_path, {
                         'builtin_interfaces/msg/Time': 'int32 sec', 'unique_identifier_msgs/msg/UUID': 'uint8 uuid'}))
    assert [line.split(' of ')[0] for line in lines] == [
        "msg/A.msg:1: field 'int'", "msg/A.msg:3: field 'for'", "srv/C.srv:1: field 'new'", "srv/C.srv:3: field 'new'",
        "action/D.action:3: field 'union'"]
    assert lines[0].endswith("field 'int' of bad_msgs/msg/A: the name is a C++ keyword; rename the field.")


def test_unknown_type_says_what_to_add(tmp_path):
    lines = refusals(tmp_path, {'msg/A.msg': 'B b\nother_msgs/C[] c\n'})
    assert len(lines) == 2
    assert lines[0].startswith("msg/A.msg:1: field 'b'") and 'bad_msgs/msg/B' in lines[0]
    assert 'add "msg/B.msg" to rosidl_generate_interfaces()' in lines[0]
    assert lines[1].startswith("msg/A.msg:2: field 'c'") and 'other_msgs/msg/C' in lines[1]
    assert 'find_package(other_msgs) and name it in DEPENDENCIES' in lines[1]


@pytest.mark.parametrize('files', [
    {'msg/A.msg': 'A a\n'},
    {'msg/A.msg': 'A[] a\n'},
    {'msg/A.msg': 'B b\n', 'msg/B.msg': 'C[2] c\n', 'msg/C.msg': 'A a\n'},
])
def test_recursion_is_refused(tmp_path, files):
    lines = refusals(tmp_path, files)
    assert len(lines) == len(files)
    assert all('the message contains itself' in line for line in lines)


WRONG_DEFAULTS = [
    ('@default (value="(1, 2)") int32__3 a;', 4, 'has 3 elements, but its default has 2.'),
    ('@default (value="(1, 2)")\nsequence<int32, 1> a;', 5, 'has at most 1 elements, but its default has 2.'),
    ('@default (value="many")\nsequence<int32, 1> a;', 5, 'has a default that is no value of its type.'),
    ('@default (value="abc") string<2> a;', 4, 'has at most 2 characters, but its default has more.'),
]


def test_wrong_default_of_idl_is_refused(tmp_path):
    lines = refusals(tmp_path, {
        f'msg/A{index}.idl': 'module bad_msgs { module msg {\ntypedef int32 int32__3[3];\n'
                             f'struct A{index} {{\n{members} }}; }}; }};'
        for index, (members, _, _) in enumerate(WRONG_DEFAULTS)})
    assert lines == [f"msg/A{index}.idl:{line}: field 'a' of bad_msgs/msg/A{index} {reason}"
                     for index, (_, line, reason) in enumerate(WRONG_DEFAULTS)]


ONE_STRUCT = ('there must be one struct X, or X_Request and X_Response, or X_Goal, X_Result and X_Feedback, and bounds '
              'that are numbers.')


BROKEN = [
    ('module bad_msgs {\n  module msg { struct A { int32', '2: no valid IDL: it ends too early.'),
    ('', '1: no valid IDL: it ends too early.'),
    ('module bad_msgs {\n  struct A {};\n};', "2: no valid IDL: near 'struct A {};'."),
    ('\0\xff', "1: no valid IDL: near '\0\xff'."),
    ('module bad_msgs { module msg { struct A { Other o; }; }; };', ' no valid IDL: Unknown named type: Other.'),
    ('module bad_msgs { module msg { struct A { int32 a[2][2]; }; }; };',
     ' no valid IDL: Unsupported multidimensional array.'),
    ('module bad_msgs { module msg { struct A { int32 a; }; struct B { int32 b; }; }; };',
     f' no valid IDL: {ONE_STRUCT}'),
    ('module bad_msgs { module msg { const uint32 N = 2; struct A { sequence<int32, N> a; }; }; };',
     f' no valid IDL: {ONE_STRUCT}'),
    ('module bad_msgs { module msg { struct B { int32 a; }; }; };',
     ' defines bad_msgs/msg/B; in this file it must be bad_msgs/msg/A8.'),
]


def test_broken_idl_names_the_file(tmp_path):
    lines = refusals(tmp_path, {f'msg/A{index}.idl': text for index, (text, _) in enumerate(BROKEN)})
    assert lines == [f'msg/A{index}.idl:{reason}' for index, (_, reason) in enumerate(BROKEN)]
