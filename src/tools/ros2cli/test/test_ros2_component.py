"""`ros2 component` on containers, which are real processes of rclcpp_components."""

import os
import signal

import pytest
from conftest import Running, wait_for

CAMERA = ('demo', 'test::Camera')


@pytest.fixture
def installed(domain, tmp_path):
    """With a package that has components."""
    for path, text in (('packages/demo', ''), ('packages/plain', ''), ('rclcpp_components/demo', ''.join(
            f'test::{name};{os.environ["COMPONENTS"]}\n' for name in ('Camera', 'Broken', 'Missing')))):
        file = tmp_path / 'share/ament_index/resource_index' / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    domain.env['AMENT_PREFIX_PATH'] = f'{tmp_path}{os.pathsep}{os.environ["AMENT_PREFIX_PATH"]}'
    return domain


def start_container(domain, program='component_container', *arguments):
    domain.running.append(Running(
        [domain.out('pkg', 'prefix', 'rclcpp_components').strip() + '/lib/rclcpp_components/' + program, *arguments],
        domain.env))
    return domain.running[-1]


@pytest.fixture
def box(installed):
    """With a container, /box."""
    start_container(installed, 'component_container', '--ros-args', '-r', '__node:=box')
    wait_for_containers(installed, '/box\n')
    return installed


def wait_for_containers(domain, names):
    wait_for(lambda: domain.out('component', 'list', '--containers-only') == names, f'{names!r} in the list')


def refusal(domain, *arguments):
    done = domain.ros2('component', *arguments)
    assert (done.returncode, done.stdout) == (1, '')
    return done.stderr


def test_load_list_and_unload(box):
    assert box.out('component', 'load', '/box', *CAMERA) == (
        "Loaded component 1 into '/box' container node as '/camera'\n")
    assert box.out('component', 'load', '-q', 'box', *CAMERA, '-n', 'rear', '--node-namespace', '/robot') == (
        '2  /robot/rear\n')
    assert box.out('component', 'list') == '/box\n  1  /camera\n  2  /robot/rear\n'
    assert box.out('component', 'list', '/box') == '1  /camera\n2  /robot/rear\n'
    assert box.out('component', 'list', '--containers-only') == '/box\n'
    assert box.out('node', 'list') == '/box\n/camera\n/robot/rear\n'
    assert box.out('component', 'unload', '/box', '1') == "Unloaded component 1 from '/box' container node\n"
    assert box.out('component', 'unload', '-q', '/box', '2') == '2\n'
    assert box.out('component', 'list') == '/box\n'
    assert refusal(box, 'unload', '/box', '1') == (
        "ros2: Failed to unload component 1 from '/box' container node\n    No node found with unique_id: 1\n")


def test_what_a_node_is_loaded_with(box):
    box.out('component', 'load', '/box', *CAMERA, '-r', 'image:=left', '-p', 'rate:=2.5', '-p', "frame:='1'",
            '-e', 'use_intra_process_comms:=true', '--log-level', '10')
    for name, value in (('rate', '2.5'), ('frame', '1'), ('topic', '/left'), ('intra_process', 'True')):
        assert box.out('param', 'get', '--hide-type', '/camera', name) == value + '\n'


def test_refusals(box):
    assert refusal(box, 'load', '/box', 'demo', 'test::Broken') == (
        'ros2: Failed to load component: Component constructor threw an exception: no lens\n')
    no_class = 'ros2: Failed to load component: Failed to find class with the requested plugin name.\n'
    assert refusal(box, 'load', '/box', 'demo', 'test::Missing') == no_class
    assert refusal(box, 'load', '/box', 'demo', 'test::Nothing') == no_class
    assert refusal(box, 'load', '/box', 'nobody', 'test::Camera') == (
        'ros2: Failed to load component: Could not find requested resource in ament index\n')
    assert "argument 'use_intra_process_comms' must be a boolean" in refusal(
        box, 'load', '/box', *CAMERA, '-e', 'use_intra_process_comms:=maybe')
    assert "'rate' is no parameter: it is written name:=value" in refusal(box, 'load', '/box', *CAMERA, '-p', 'rate')
    for words in (['load', '/bx', *CAMERA], ['list', '/bx'], ['unload', '/bx', '1']):
        assert refusal(box, *words) == "ros2: Unable to find container node '/bx'\nThese exist: /box\n"
    for words in (['load', '/box', 'demo'], ['unload', '/box'], ['unload', '/box', 'x'],
                  ['load', '/box', *CAMERA, '--log-level', '256']):
        assert box.ros2('component', *words).returncode == 2


def test_types(installed):
    assert 'demo\n  test::Camera\n  test::Broken\n  test::Missing\n' in installed.out('component', 'types')
    assert installed.out('component', 'types', 'demo') == 'test::Camera\ntest::Broken\ntest::Missing\n'
    assert installed.out('component', 'types', 'plain') == ''
    assert "there is no package 'dem'; did you mean 'demo'" in refusal(installed, 'types', 'dem')


@pytest.mark.parametrize('command', [
    ['component_container_mt'], ['component_container_isolated'], ['component_container_event'],
    ['component_container_isolated', '--use_multi_threaded_executor']], ids=' '.join)
def test_containers_spin_what_they_load(installed, command):
    container = start_container(installed, *command)
    wait_for_containers(installed, '/ComponentManager\n')
    for number in '12':
        assert installed.out('component', 'load', '-q', '/ComponentManager', *CAMERA, '-n', f'c{number}') == (
            f'{number}  /c{number}\n')
    assert installed.out('param', 'get', '--hide-type', '/c2', 'frame') == 'map\n'
    assert installed.out('component', 'unload', '-q', '/ComponentManager', '1') == '1\n'
    assert installed.out('param', 'get', '--hide-type', '/c2', 'frame') == 'map\n'
    assert container.interrupt() == 0
    assert container.errors().count('terminate') == 0


def test_a_container_that_stands_still(box):
    container = box.running[0]
    container.send(signal.SIGSTOP)
    try:
        assert box.out('component', 'list') == "/box\nNo 'list_nodes' service found when listing components\n"
        assert "No 'list_nodes' service found when listing components in /box" in refusal(box, 'list', '/box')
    finally:
        container.send(signal.SIGCONT)


def test_standalone(installed):
    alone = installed.start('component', 'standalone', *CAMERA, '-c', 'own', '-p', 'rate:=3.0')
    wait_for(lambda: '/camera' in installed.out('node', 'list'), 'the node')
    assert installed.out('component', 'list') == '/own\n  1  /camera\n'
    assert installed.out('param', 'get', '--hide-type', '/camera', 'rate') == '3.0\n'
    assert alone.interrupt() == 0


def test_standalone_that_cannot_be_loaded_ends(installed):
    alone = installed.start('component', 'standalone', 'demo', 'test::Broken')
    assert alone.wait() == 0
    assert 'no lens, interrupting container node\n' in alone.output()


def test_completion(box):
    def candidates(*words):
        return box.out('__complete', 'component', *words).splitlines()
    box.out('component', 'load', '/box', *CAMERA)
    assert candidates('') == ['list', 'load', 'standalone', 'types', 'unload']
    assert candidates('list', '') == candidates('unload', '') == candidates('load', '') == ['/box']
    assert 'demo' in candidates('load', '/box', '')
    assert candidates('load', '/box', 'demo', 'test::B') == ['test::Broken']
    assert candidates('standalone', 'demo', 'test::C') == ['test::Camera']
    assert candidates('types', 'dem') == ['demo']
    assert candidates('load', '--node-n') == ['--node-name', '--node-namespace']
