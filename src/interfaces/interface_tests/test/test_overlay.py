"""Packages in the usual ROS 2 form, unmodified, built with colcon in a workspace over ours."""

import contextlib
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

PROGRAMS = ['by_ament', 'by_targets', 'by_target']


class Workspace:
    """The packages of a folder beside this file in a workspace of their own."""

    def __init__(self, directory, shared_memory, sources='overlay'):
        self.directory = directory
        shutil.copytree(pathlib.Path(__file__).with_name(sources), directory / 'src',
                        ignore=shutil.ignore_patterns('COLCON_IGNORE'))
        # Debian's Python, which knows ament, whatever else is installed; a cache whose hits do not need this path.
        self.environment = {**os.environ, 'PYENV_VERSION': 'system', 'PATH': '/usr/bin:' + os.environ['PATH'],
                            'CCACHE_BASEDIR': str(directory), 'CCACHE_NOHASHDIR': '1',
                            'TANDEM_SHM_DIR': shared_memory}

    def build(self, *arguments):
        """Run colcon; return its run, whose stdout holds both streams."""
        return subprocess.run(['/usr/bin/colcon', 'build', '--merge-install', '--executor', 'sequential',
                               '--event-handlers', 'console_direct+', *arguments],
                              cwd=self.directory, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def run(self, package, program):
        """Return what an installed program prints, in the environment that a user sources."""
        done = subprocess.run(['bash', '-c', f'source install/local_setup.bash && install/lib/{package}/{program}'],
                              cwd=self.directory, env=self.environment, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, '')
        return done.stdout


@contextlib.contextmanager
def built_workspace(directory, *arguments, **chosen):
    """Build a workspace, without a warning, and remove it in the end."""
    with tempfile.TemporaryDirectory(prefix='interface_tests.', dir='/dev/shm') as shared_memory:
        workspace = Workspace(directory, shared_memory, **chosen)
        run = workspace.build(*arguments)
        assert run.returncode == 0, run.stdout
        assert 'warning:' not in run.stdout
        yield workspace
    shutil.rmtree(directory)


@pytest.fixture(scope='module')
def workspace(tmp_path_factory):
    with built_workspace(tmp_path_factory.mktemp('overlay'), '--packages-skip', 'refused_msgs') as built:
        yield built


def test_messages_in_the_package_that_defines_them(workspace):
    assert workspace.run('robot_msgs', 'own_messages') == (
        '{stamp: {sec: 0, nanosec: 0}, points: [{x: 0.00000, y: 0.00000, z: 1.50000}, '
        '{x: 0.500000, y: -2.00000, z: 1.50000}, {x: 0.00000, y: 0.00000, z: 1.50000}, '
        '{x: 0.00000, y: 0.00000, z: 1.50000}], kind: 3}\n1.5\ncamera 6 2 rear 1\n1.5 1 2.5\n')


@pytest.mark.parametrize('program', PROGRAMS)
def test_messages_of_another_package(workspace, program):
    assert workspace.run('robot_nodes', program) == '24 112 1.5 1\n'


def test_installs_what_tools_look_for(workspace):
    for name in ('share/robot_msgs/msg/Track.msg', 'share/robot_msgs/srv/Reset.srv', 'share/robot_msgs/msg/Track.idl',
                 'share/robot_msgs/action/Follow.action', 'share/robot_msgs/msg/Limits.idl',
                 'share/ament_index/resource_index/rosidl_interfaces/robot_msgs',
                 'include/robot_msgs/robot_msgs/msg/track.h', 'include/robot_msgs/robot_msgs/msg/track.hpp',
                 'lib/librobot_msgs__rosidl_typesupport_cpp.so'):
        assert (workspace.directory / 'install' / name).is_file(), name


def test_refusal_ends_the_build_with_the_reason(workspace):
    folder = workspace.directory / 'src/refused_msgs/msg'
    run = workspace.build('--packages-select', 'refused_msgs', '--install-base', 'refused')
    assert run.returncode != 0
    assert f"error: {folder}/Broken.msg:2: 'Name' is no name of a field" in run.stdout
    assert f"error: {folder}/Broken.msg:3: 'int32' is neither a field" in run.stdout
    (folder / 'Broken.msg').write_text('string name\n')
    run = workspace.build('--packages-select', 'refused_msgs', '--install-base', 'refused')
    assert run.returncode != 0
    assert f"error: {folder}/Label.msg:2: field 'default' of refused_msgs/msg/Label: the name is a C++ keyword" \
        in run.stdout
    assert 'Traceback' not in run.stdout


def test_changed_message_reaches_all_that_use_it(workspace):
    """Runs last: it changes a message of the first package."""
    message = workspace.directory / 'src/base_msgs/msg/Point3.msg'
    message.write_text(message.read_text().replace('1.5', '2.5') + 'float64 w\n')
    run = workspace.build('--packages-skip', 'refused_msgs')
    assert run.returncode == 0, run.stdout
    for program in PROGRAMS:
        assert workspace.run('robot_nodes', program) == '32 144 2.5 1\n'
