"""What the generator refuses, and that it says which file, which field and why."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

GENERATOR = os.environ['GENERATOR']


def generate(directory, files, package='bad_msgs', dependencies=()):
    """Do what CMake does for a package with these files ({'msg/A.msg': text}); return the generator's run."""
    source = directory / package
    output = directory / 'generated'
    for name, text in files.items():
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(text)
    tuples = [f'{source}:{name}' for name in files]
    arguments = directory / 'arguments.json'
    arguments.write_text(json.dumps({'non_idl_tuples': tuples}))
    idl_tuples = directory / 'idl_tuples.txt'
    subprocess.run([sys.executable, '-m', 'rosidl_adapter', '--package-name', package, '--arguments-file', arguments,
                    '--output-dir', directory / 'idl', '--output-file', idl_tuples],
                   check=True, stdout=subprocess.DEVNULL)
    arguments.write_text(json.dumps({
        'package_name': package, 'non_idl_tuples': tuples, 'idl_tuples': idl_tuples.read_text().split('\n')[:-1],
        'output_dir': str(output), 'ros_interface_dependencies': list(dependencies)}))
    run = subprocess.run([sys.executable, '-B', GENERATOR, '--arguments', arguments,
                          '--source', output / 'type_support.cpp'], capture_output=True, text=True)
    run.written = sorted(path.name for path in output.rglob('*') if path.is_file())
    return run


def refusals(directory, files, **options):
    """Return the lines of a run that must be refused, with nothing written."""
    run = generate(directory, files, **options)
    assert run.returncode == 1
    assert run.stdout == ''
    assert run.written == []
    return run.stderr.splitlines()


def test_fixed_size_is_generated(tmp_path):
    run = generate(tmp_path, {'msg/PointCloud2D.msg': 'uint8 x\n'})
    assert (run.returncode, run.stderr) == (0, '')
    assert 'point_cloud2_d.hpp' in run.written


def test_variable_size_is_generated(tmp_path):
    run = generate(tmp_path, {'msg/A.msg': 'string a\nB[] b\n', 'msg/B.msg': 'wstring<=3[<=2] c\n',
                              'srv/C.srv': 'A[2] a\n---\nstring[] e\n'})
    assert (run.returncode, run.stderr) == (0, '')


def test_every_refused_field_is_told(tmp_path):
    lines = refusals(tmp_path, {'msg/A.msg': 'string int\nint32 b\nuint8[] for\n', 'srv/C.srv': 'int32 a\n---\nC new\n'})
    assert [line.split("'")[1] for line in lines] == ['int', 'for', 'new']
    assert 'srv/C.srv' in lines[2] and 'bad_msgs/srv/C_Response' in lines[2]


def test_action_is_refused(tmp_path):
    lines = refusals(tmp_path, {'action/Go.action': 'int32 goal\n---\nint32 result\n---\nint32 feedback\n'})
    assert len(lines) == 1
    assert f'{tmp_path}/bad_msgs/action/Go.action: actions are not supported yet' in lines[0]


def test_unknown_type_says_what_to_add(tmp_path):
    lines = refusals(tmp_path, {'msg/A.msg': 'B b\nother_msgs/C c\n'})
    assert "field 'b'" in lines[0] and 'bad_msgs/msg/B' in lines[0]
    assert 'add "msg/B.msg" to rosidl_generate_interfaces()' in lines[0]
    assert "field 'c'" in lines[1] and 'other_msgs/msg/C' in lines[1]
    assert 'find_package(other_msgs) and name it in DEPENDENCIES' in lines[1]
    assert len(lines) == 2


@pytest.mark.parametrize('files', [
    {'msg/A.msg': 'A a\n'},
    {'msg/A.msg': 'B b\n', 'msg/B.msg': 'C[2] c\n', 'msg/C.msg': 'A a\n'},
])
def test_recursion_is_refused(tmp_path, files):
    lines = refusals(tmp_path, files)
    assert len(lines) == len(files)
    assert all('the message contains itself' in line for line in lines)


def test_keyword_is_refused(tmp_path):
    lines = refusals(tmp_path, {'msg/A.msg': 'int32 default\n'})
    assert "field 'default' of bad_msgs/msg/A: the name is a C++ keyword" in lines[0]


def test_default_of_wrong_length_is_refused(tmp_path):
    idl = tmp_path / 'bad_msgs/msg/A.idl'
    idl.parent.mkdir(parents=True)
    idl.write_text('module bad_msgs { module msg { typedef int32 int32__3[3]; struct A { '
                   '@default (value="(1, 2)") int32__3 a; }; }; };')
    arguments = tmp_path / 'arguments.json'
    arguments.write_text(json.dumps({'package_name': 'bad_msgs', 'idl_tuples': [f'{tmp_path}/bad_msgs:msg/A.idl'],
                                     'output_dir': str(tmp_path / 'generated')}))
    run = subprocess.run([sys.executable, '-B', GENERATOR, '--arguments', arguments,
                          '--source', tmp_path / 'generated/x.cpp'], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == f"error: {idl}: field 'a' has 3 elements, but its default has 2.\n"


@pytest.mark.parametrize('text', ['module bad_msgs { module msg { struct A { int32', '\0\xff', 'struct A {};', ''])
def test_broken_idl_names_the_file(tmp_path, text):
    idl = pathlib.Path(tmp_path, 'bad_msgs/msg/A.idl')
    idl.parent.mkdir(parents=True)
    idl.write_text(text)
    arguments = tmp_path / 'arguments.json'
    arguments.write_text(json.dumps({'package_name': 'bad_msgs', 'idl_tuples': [f'{tmp_path}/bad_msgs:msg/A.idl'],
                                     'output_dir': str(tmp_path / 'generated')}))
    run = subprocess.run([sys.executable, '-B', GENERATOR, '--arguments', arguments,
                          '--source', tmp_path / 'generated/x.cpp'], capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr.startswith(f'error: {idl}: no valid IDL: ')
    assert run.stderr.count('\n') == 1
