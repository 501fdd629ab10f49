"""`ros2 pkg`, `ros2 interface` and commands of other packages, on what is installed and on made-up prefixes."""

import os

import pytest
from test_ros2_run import add_executable, environment, ros2

HERE = os.environ['AMENT_PREFIX_PATH'].split(os.pathsep)
MANIFEST = """<?xml version="1.0"?>
<!-- A comment before. -->
<package format="3">
  <name>shapes</name>
  <version>1.2.3</version>
  <depend>a</depend>
  <depend>b</depend>
</package>
"""


def out(*arguments, prefixes=HERE, **options):
    done = ros2(*arguments, prefixes=prefixes, **options)
    assert (done.returncode, done.stderr) == (0, '')
    return done.stdout


def refusal(*arguments, prefixes=HERE):
    done = ros2(*arguments, prefixes=prefixes)
    assert (done.returncode, done.stdout) == (1, '')
    return done.stderr


def add_interface(prefix, package, name, text):
    """Installs shapes/msg/Circle.msg and the like."""
    for folder in ('packages', 'rosidl_interfaces'):
        marker = prefix / 'share/ament_index/resource_index' / folder / package
        marker.parent.mkdir(parents=True, exist_ok=True)
        with marker.open('a') as file:
            file.write(name + '\n' if folder == 'rosidl_interfaces' else '')
    path = prefix / 'share' / package / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.fixture
def prefix(tmp_path):
    add_interface(tmp_path, 'shapes', 'msg/Point.msg', '# A point.\n\nfloat64 x  # right\nfloat64 y 1.5\n')
    add_interface(tmp_path, 'shapes', 'msg/Circle.msg',
                  '# A circle.\nstring NAME="#1"  # constant\n\nPoint[<=3] centre # where\nfloat64 radius\n')
    add_interface(tmp_path, 'shapes', 'msg/Only.idl', 'module shapes {\n};\n')
    add_interface(tmp_path, 'shapes', 'srv/Area.srv', 'shapes/Circle circle\n---\nfloat64 area\n')
    add_interface(tmp_path, 'shapes', 'srv/Area_Request.msg', '')
    add_interface(tmp_path, 'shapes', 'action/Draw.action', '---\n---\nint8 percent\n')
    add_interface(tmp_path, 'broken', 'msg/Lost.msg', 'shapes/Square square\n')
    add_executable(tmp_path, 'shapes', 'draw', '#!/bin/sh\n')
    (tmp_path / 'share/shapes/package.xml').write_text(MANIFEST)
    return tmp_path


def test_pkg(prefix):
    assert out('pkg', 'list', prefixes=[prefix]) == 'broken\nshapes\n'
    assert out('pkg', 'prefix', 'shapes', prefixes=[prefix]) == f'{prefix}\n'
    assert out('pkg', 'prefix', '--share', 'shapes', prefixes=[prefix]) == f'{prefix}/share/shapes\n'
    assert out('pkg', 'executables', prefixes=[prefix]) == 'shapes draw\n'
    assert out('pkg', 'executables', 'broken', prefixes=[prefix]) == ''
    assert out('pkg', 'executables', '--full-path', 'shapes', prefixes=[prefix]) == f'{prefix}/lib/shapes/draw\n'
    assert out('pkg', 'xml', 'shapes', prefixes=[prefix]) == MANIFEST
    assert out('pkg', 'xml', 'shapes', '-t', 'depend', prefixes=[prefix]) == 'a\nb\n'
    assert 'These exist: depend, name, version' in refusal('pkg', 'xml', 'shapes', '-t', 'v', prefixes=[prefix])
    assert 'has no manifest' in refusal('pkg', 'xml', 'broken', prefixes=[prefix])
    assert "no package 'shape'; did you mean 'shapes'?" in refusal('pkg', 'prefix', 'shape', prefixes=[prefix])
    (prefix / 'share/shapes/package.xml').write_text('<package>\n<name></package>')
    assert 'package.xml, line 2' in refusal('pkg', 'xml', 'shapes', '-t', 'name', prefixes=[prefix])


def test_interface_lists(prefix):
    assert out('interface', 'list', prefixes=[prefix]) == (
        'Messages:\n    broken/msg/Lost\n    shapes/msg/Circle\n    shapes/msg/Only\n    shapes/msg/Point\n'
        'Services:\n    shapes/srv/Area\nActions:\n    shapes/action/Draw\n')
    assert out('interface', 'list', '-s', prefixes=[prefix]) == 'Services:\n    shapes/srv/Area\n'
    assert out('interface', 'package', 'shapes', '-s', '-a', prefixes=[prefix]).split() == [
        'shapes/srv/Area', 'shapes/action/Draw']
    assert out('interface', 'packages', prefixes=[prefix]) == 'broken\nshapes\n'
    assert out('interface', 'packages', '--only-srvs', prefixes=[prefix]) == 'shapes\n'
    assert "package with interfaces 'shape'; did you mean 'shapes'?" in refusal('interface', 'package', 'shape',
                                                                                prefixes=[prefix])


def test_interface_show(prefix):
    assert out('interface', 'show', 'shapes/msg/Circle', prefixes=[prefix]) == (
        '# A circle.\nstring NAME="#1"  # constant\n\nPoint[<=3] centre # where\n\tfloat64 x\n\tfloat64 y 1.5\n'
        'float64 radius\n')
    assert out('interface', 'show', '--all-comments', 'shapes/msg/Circle', prefixes=[prefix]) == (
        '# A circle.\nstring NAME="#1"  # constant\n\nPoint[<=3] centre # where\n\t# A point.\n\n\tfloat64 x  # right\n'
        '\tfloat64 y 1.5\nfloat64 radius\n')
    assert out('interface', 'show', '--no-comments', 'shapes/srv/Area', prefixes=[prefix]) == (
        'shapes/Circle circle\n\tstring NAME="#1"\n\tPoint[<=3] centre\n\t\tfloat64 x\n\t\tfloat64 y 1.5\n'
        '\tfloat64 radius\n---\nfloat64 area\n')
    assert out('interface', 'show', 'shapes/msg/Only', prefixes=[prefix]) == 'module shapes {\n};\n'
    assert out('interface', 'show', 'shapes/action/Draw', prefixes=[prefix]) == '---\n---\nint8 percent\n'
    assert out('interface', 'show', '-', prefixes=[prefix], input='shapes/msg/Point\n').endswith('float64 y 1.5\n')
    assert "did you mean 'shapes/msg/Circle'?" in refusal('interface', 'show', 'shapes/Circle', prefixes=[prefix])
    assert "did you mean 'msg/Circle'?" in refusal('interface', 'show', 'shapes/msg/Circl', prefixes=[prefix])
    assert "no interface of shapes 'msg/Square'" in refusal('interface', 'show', 'broken/msg/Lost', prefixes=[prefix])


def test_interfaces_that_are_installed():
    assert '\tbuiltin_interfaces/Time stamp\n\t\t' in out('interface', 'show', 'sensor_msgs/msg/Imu')
    assert out('interface', 'package', 'std_srvs').split() == [
        'std_srvs/srv/Empty', 'std_srvs/srv/SetBool', 'std_srvs/srv/Trigger']
    assert out('interface', 'proto', 'geometry_msgs/msg/Point') == '"x: 0.0\ny: 0.0\nz: 0.0\n"\n'
    assert out('interface', 'proto', '--no-quotes', 'std_srvs/srv/SetBool') == 'data: false\n\n'
    assert 'std_msgs/msg/Strin' in refusal('interface', 'proto', 'std_msgs/msg/Strin')


def test_commands_of_other_packages(prefix):
    add_executable(prefix, 'ros2cli', 'ros2-laugh', '#!/bin/sh\necho laugh "$@"\n')
    assert out('laugh', 'a', '--help', prefixes=[prefix]) == 'laugh a --help\n'
    assert 'Commands of other packages: laugh' in out('--help', prefixes=[prefix])
    assert 'interface, laugh, launch, lifecycle, node, param, pkg' in refusal('lugh', prefixes=[prefix])
    in_path = add_executable(prefix, 'tools', 'ros2-sing', '#!/bin/sh\nexit 3\n')
    done = ros2('sing', prefixes=[prefix], extra={'PATH': f'{in_path.parent}:{os.environ["PATH"]}'})
    assert done.returncode == 3


@pytest.mark.parametrize('command', ['topic', 'service', 'node', 'interface', 'pkg', 'daemon', 'bag'])
def test_help(command):
    assert out(command) == out(command, '--help')
    verbs = [line.split()[0] for line in out(command).split('Subcommands:\n')[1].splitlines() if line.startswith('  ')]
    assert len(verbs) > 1
    for verb in verbs:
        assert f'Usage: ros2 {command} {verb} ' in out(command, verb, '--help')


def test_environment_of_the_tests_is_not_needed():
    done = ros2('pkg', 'list')
    assert done.returncode == 1
    assert 'local_setup.bash' in done.stderr
    assert environment()['AMENT_PREFIX_PATH'] == ''
