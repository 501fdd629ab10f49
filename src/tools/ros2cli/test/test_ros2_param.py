"""`ros2 param` on nodes of other processes."""

import os
import re

import pytest
from conftest import PATIENCE, Running

PARAMETERS = os.environ['PARAMETERS']
TYPES = {
    'bytes': 'byte array', 'camera': 'string array', 'camera.lens.width': 'integer', 'camera.name': 'string',
    'counts': 'integer array', 'empty': 'string', 'flag': 'boolean', 'flags': 'boolean array', 'free': 'integer',
    'huge': 'double', 'letter': 'string', 'level': 'integer', 'lines': 'string', 'none': 'double array',
    'rate': 'double', 'ratios': 'double array', 'serial': 'integer', 'unset': 'not set', 'use_sim_time': 'boolean'}


def start_node(domain, *arguments):
    domain.running.append(Running([PARAMETERS, '--ros-args', *arguments], domain.env))
    domain.running[-1].wait_for_output('ready')
    return domain.running[-1]


@pytest.fixture
def robot(domain):
    start_node(domain)
    return domain


def own(text):
    """Lines of parameters that the test's node has declared itself, or that every node has."""
    return [line for line in text.splitlines() if line.split(' (')[0].strip() in TYPES]


def value(domain, name, node='/robot'):
    return domain.out('param', 'get', '--hide-type', node, name)[:-1]


def test_list(robot):
    assert own(robot.out('param', 'list', '/robot')) == [f'  {name}' for name in TYPES]
    assert robot.out('param', 'list').splitlines()[:2] == ['/robot:', '  bytes']
    assert robot.out('param', 'list', '/robot', '--filter', 'fla') == '  flag\n  flags\n'
    assert robot.out('param', 'list', '/robot', '--filter', 'lag') == ''
    assert robot.out('param', 'list', '/robot', '--filter', '.*am.*e$') == '  camera.name\n'
    assert robot.out('param', 'list', '/robot', '--param-prefixes', 'camera.lens') == '  camera.lens.width\n'


def test_types(robot):
    text = robot.out('param', 'list', '/robot', '--param-type', '--filter', '[bcf]')
    assert text.splitlines() == [f'  {name} (type: {kind})' for name, kind in TYPES.items() if re.match('[bcf]', name)]


def test_list_of_several_nodes(robot):
    start_node(robot, '-r', '__node:=_hidden', '-r', '__ns:=/other')
    headings = [line for line in robot.out('param', 'list').splitlines() if line.startswith('/')]
    assert headings == ['/robot:']
    both = [line for line in robot.out('param', 'list', '--include-hidden-nodes').splitlines() if line.startswith('/')]
    assert both == ['/other/_hidden:', '/robot:']
    assert robot.ros2('param', 'get', '--timeout', '0', '/other/_hidden', 'flag').returncode == 1
    assert robot.out('param', 'get', '--include-hidden-nodes', '/other/_hidden', 'flag') == 'Boolean value is: True\n'


@pytest.mark.parametrize('name, text', [
    ('flag', 'Boolean value is: True'), ('camera.lens.width', 'Integer value is: 640'),
    ('rate', 'Double value is: 10.0'), ('camera.name', 'String value is: front'),
    ('bytes', "Byte values are: [b'\\x00', b'A']"), ('flags', 'Boolean values are: [True, False]'),
    ('counts', 'Integer values are: [1, -2]'), ('ratios', 'Double values are: [0.5, 2.0]'),
    ('camera', "String values are: ['y', 'a b', '1']"), ('none', 'Double values are: []')])
def test_get(robot, name, text):
    assert robot.out('param', 'get', '/robot', name) == text + '\n'
    assert robot.out('param', 'get', 'robot', name, '--hide-type') == text.split(': ')[1] + '\n'


@pytest.mark.parametrize('name, text, shown', [
    ('flag', 'no', 'False'), ('rate', '2.5', '2.5'), ('level', '0x5', '5'), ('camera.name', 'rear', 'rear'),
    ('camera.name', "'1'", '1'), ('camera.name', '', ''), ('camera.name', '{a: b', '{a: b'),
    ('camera.name', '{a: b}', '{a: b}'), ('counts', '[3]', '[3]'), ('counts', '[]', '[]'),
    ('camera', '[a, "2"]', "['a', '2']"), ('free', 'text', 'text')])
def test_set(robot, name, text, shown):
    assert robot.out('param', 'set', '/robot', name, text) == 'Set parameter successful\n'
    assert value(robot, name) == shown


@pytest.mark.parametrize('name, text',
                         [('serial', '8'), ('rate', '1'), ('rate', '200.0'), ('level', '6'), ('new', '1')])
def test_refused_values(robot, name, text):
    done = robot.ros2('param', 'set', '/robot', name, text)
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr.startswith('Setting parameter failed: ')


def test_describe(robot):
    assert robot.out('param', 'describe', '/robot', 'rate', 'serial', 'level') == (
        'Parameter name: rate\n  Type: double\n  Description: Hz\n  Constraints:\n    Min value: 0.5\n'
        '    Max value: 100.0\n    Step: 0.5\n    Additional constraints: no more than the camera has\n'
        'Parameter name: serial\n  Type: integer\n  Constraints:\n    Read only: true\n'
        'Parameter name: level\n  Type: integer\n  Constraints:\n    Min value: 0\n    Max value: 5\n')
    done = robot.ros2('param', 'describe', '/robot', 'rate', 'rat')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'rate, rat' in done.stderr


def test_delete(robot):
    assert robot.out('param', 'delete', '/robot', 'free') == 'Deleted parameter successfully\n'
    assert 'free' not in robot.out('param', 'list', '/robot')
    done = robot.ros2('param', 'delete', '/robot', 'flag')
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr.startswith('Deleting parameter failed: ')
    done = robot.ros2('param', 'get', '/robot', 'fre')
    assert "there is no parameter of /robot 'fre'" in done.stderr


def dumped(domain, node):
    """The file, and what is said to be left out."""
    done = domain.ros2('param', 'dump', node)
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


def test_dump(robot):
    text, left_out = dumped(robot, '/robot')
    assert text.startswith('/robot:\n  ros__parameters:\n    camera:\n    - "y"\n    - "a b"\n    - "1"\n'
                           '    camera.lens:\n      width: 640\n    camera.name: front\n')
    assert '    counts:\n    - 1\n    - -2\n' in text
    assert '    letter: "y"\n' in text
    assert text.endswith('    use_sim_time: false\n\n')
    assert left_out.splitlines() == [
        'parameter bytes is left out: YAML has no arrays of bytes',
        'parameter none is left out: an empty array has no type in YAML',
        'parameter unset is left out: it has no value']


def test_dump_is_a_file_for_nodes_and_for_load(robot, tmp_path):
    """What is set in one node comes back in another that starts with the file, and in a third that loads it."""
    for name, text in (('camera.name', "'no'"), ('lines', "'a: b'"), ('counts', '[5]'), ('huge', '.inf')):
        robot.out('param', 'set', '/robot', name, text)
    file = tmp_path / 'robot.yaml'
    text, _ = dumped(robot, '/robot')
    file.write_text(text.replace('/robot:', '/**:'))
    start_node(robot, '-r', '__node:=second', '--params-file', str(file))
    assert dumped(robot, '/second')[0] == text.replace('/robot', '/second')
    start_node(robot, '-r', '__node:=third')
    done = robot.ros2('param', 'load', '/third', str(file))
    assert 'Set parameter camera.name successful\n' in done.stdout
    assert [line for line in done.stderr.splitlines() if 'read-only' not in line] == []
    assert dumped(robot, '/third')[0] == text.replace('/robot', '/third')


def test_load_chooses_sections(robot, tmp_path):
    file = tmp_path / 'two.yaml'
    file.write_text('/**:\n  ros__parameters: {level: 1}\n/robot:\n  ros__parameters: {camera: {name: new}}\n')
    printed = robot.out('param', 'load', '--no-use-wildcard', '/robot', str(file))
    assert printed == 'Set parameter camera.name successful\n'
    assert value(robot, 'level') == '3'
    assert robot.out('param', 'load', 'robot', str(file)) == (
        'Set parameter level successful\nSet parameter camera.name successful\n')
    assert value(robot, 'level') == '1'
    file.write_text('/other:\n  ros__parameters: {level: 9}\n')
    done = robot.ros2('param', 'load', '/robot', str(file))
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr == 'ros2: Param file does not contain parameters for /robot, only for nodes: /other\n'
    file.write_text('/robot:\n  ros__parameters: {level: 9, flag: false}\n')
    done = robot.ros2('param', 'load', '/robot', str(file))
    assert (done.returncode, done.stdout) == (1, 'Set parameter flag successful\n')
    assert done.stderr.startswith('Set parameter level failed: ')


def test_dump_into_a_folder(domain, tmp_path):
    start_node(domain, '-r', '__ns:=/a/b')
    text = domain.out('param', 'dump', '--output-dir', str(tmp_path), '/a/b/robot')
    assert text == f'Saving to:  {tmp_path}/a__b__robot.yaml\n'
    assert (tmp_path / 'a__b__robot.yaml').read_text().startswith('/a/b/robot:\n  ros__parameters:\n')


def test_node_that_comes_late(domain):
    waiting = domain.start('param', 'get', '--timeout', str(PATIENCE), '/robot', 'flag')
    start_node(domain)
    assert waiting.wait() == 0
    assert waiting.output() == 'Boolean value is: True\n'


def test_node_without_services(domain):
    domain.serve('/switch', 'std_srvs/srv/SetBool')
    done = domain.ros2('param', 'get', '/peer', 'x')
    assert (done.returncode, done.stdout) == (1, '')
    assert 'Wait for service timed out waiting for parameter services for node /peer' in done.stderr


@pytest.mark.parametrize('arguments', [
    ['list', '/nobody'], ['get', '/nobody', 'x', '--timeout', '0'], ['list', '--filter', '['], ['dump', '/nobody'],
    ['load', '/robot', '/no/file.yaml']])
def test_refusals(robot, arguments):
    done = robot.ros2('param', *arguments)
    assert (done.returncode, done.stdout) == (1, '')
    assert done.stderr.startswith('ros2: ')


@pytest.mark.parametrize('arguments', [['get', '/x'], ['set', '/x', 'y'], ['describe', '/x'], ['dump'], ['load', '/x']])
def test_wrong_usage(domain, arguments):
    done = domain.ros2('param', *arguments)
    assert (done.returncode, done.stdout) == (2, '')


def test_completion(robot):
    def candidates(*words):
        return robot.out('__complete', 'param', *words).splitlines()
    assert candidates('') == ['delete', 'describe', 'dump', 'get', 'list', 'load', 'set']
    assert candidates('get', '') == ['/robot']
    assert candidates('set', '/robot', 'camera.') == ['camera.lens.width', 'camera.name']
    assert candidates('describe', '/robot', 'flag', 'fl') == ['flag', 'flags']
    assert candidates('list', '--param-t') == ['--param-type']
