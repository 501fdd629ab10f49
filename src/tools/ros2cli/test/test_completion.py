"""Completion in real shells, and what it is made of: the hidden command `ros2 __complete`."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import ROS2

COMPLETION = Path(__file__).resolve().parent.parent / 'completion'
STRING = 'std_msgs/msg/String'


@pytest.fixture
def chatter(domain):
    domain.start('topic', 'pub', '-p', '0', '-n', 'talker', '/chatter', STRING)
    domain.wait_for_topic('/chatter')
    return domain


def candidates(domain, *words):
    return domain.out('__complete', *words).split('\n')[:-1]


def test_commands_verbs_and_options(domain):
    assert set(candidates(domain, '')) >= {'run', 'topic', 'service', 'node', 'interface', 'pkg', 'daemon', 'doctor'}
    assert candidates(domain, 'to') == ['topic']
    assert candidates(domain, 'topic', 'h') == ['hz']
    assert candidates(domain, 'topic', 'hz', '--w') == ['--wall-time', '--window']
    assert '--no-arr' in candidates(domain, 'topic', 'echo', '/x', '--')
    assert candidates(domain, 'topic', 'echo', '/x', '--qos-reliability', 'rel') == ['reliable']
    assert candidates(domain, 'topic', 'nonsense', '') == ['bw', 'delay', 'echo', 'find', 'hz', 'info', 'list', 'pub',
                                                           'type']
    assert candidates(domain) == candidates(domain, '')


def test_names(chatter):
    assert candidates(chatter, 'topic', 'echo', '/ch') == ['/chatter']
    assert candidates(chatter, 'topic', 'hz', '-w', '5', '/chatter', '') == ['/chatter']
    assert candidates(chatter, 'topic', 'info', '-v', '') == ['/chatter']
    assert candidates(chatter, 'topic', 'pub', '/chatter', '') == [STRING]
    assert 'std_msgs/msg/Bool' in candidates(chatter, 'topic', 'pub', '/new', 'std_msgs/msg/B')
    assert candidates(chatter, 'topic', 'pub', '/new', 'geometry_msgs/msg/Point', '') == ['"{x: 0.0, y: 0.0, z: 0.0}"']
    assert candidates(chatter, 'topic', 'find', '') == [STRING]
    assert candidates(chatter, 'node', 'info', '') == ['/talker']
    assert 'std_msgs' in candidates(chatter, 'pkg', 'prefix', 'std')
    assert candidates(chatter, 'interface', 'show', 'std_srvs/srv/Set') == ['std_srvs/srv/SetBool']
    assert candidates(chatter, 'interface', 'package', 'std_s') == ['std_srvs']


def test_services(domain):
    domain.serve('/switch', 'std_srvs/srv/SetBool')
    assert candidates(domain, 'service', 'ca') == ['call']
    assert candidates(domain, 'service', 'info', '-v', '/s') == ['/switch']
    assert candidates(domain, 'service', 'type', '') == ['/switch']
    assert candidates(domain, 'service', 'find', '') == ['std_srvs/srv/SetBool']
    assert candidates(domain, 'service', 'call', '/switch', '') == ['std_srvs/srv/SetBool']
    assert 'std_srvs/srv/Trigger' in candidates(domain, 'service', 'call', '/new', 'std_srvs/srv/T')
    assert candidates(domain, 'service', 'call', '/switch', 'std_srvs/srv/SetBool', '') == ['"{data: false}"']
    assert candidates(domain, 'daemon', 'sta') == ['start', 'status']


def test_executables(domain, tmp_path):
    marker = tmp_path / 'share/ament_index/resource_index/packages/demo'
    marker.parent.mkdir(parents=True)
    marker.touch()
    program = tmp_path / 'lib/demo/talker'
    program.parent.mkdir(parents=True)
    program.touch(0o755)
    domain.env['AMENT_PREFIX_PATH'] = str(tmp_path)
    assert candidates(domain, 'run', '') == ['demo']
    assert candidates(domain, 'run', '--prefix', 'gdb', 'demo', '') == ['talker']
    assert candidates(domain, 'run', 'demo', 'talker', '') == []
    assert domain.ros2('__complete', 'run', 'none', '').stderr == ''


def test_launch_files(domain, tmp_path):
    for path in ('share/ament_index/resource_index/packages/demo', 'share/demo/launch/a.launch.py',
                 'share/demo/launch/b_launch.xml', 'share/demo/launch/c.launch.yaml', 'share/demo/setup.py',
                 'share/demo/package.xml'):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    domain.env['AMENT_PREFIX_PATH'] = str(tmp_path)
    assert candidates(domain, 'launch', '') == ['demo']
    assert candidates(domain, 'launch', '-d', 'demo', '') == ['a.launch.py', 'b_launch.xml', 'c.launch.yaml']
    assert candidates(domain, 'launch', 'demo', 'b') == ['b_launch.xml']
    assert '--show-args' in candidates(domain, 'launch', '--s')


def in_shell(domain, shell, script):
    path = f'{Path(ROS2).parent}:{os.environ["PATH"]}'
    done = subprocess.run([shell, *script], env={**domain.env, 'PATH': path}, capture_output=True, text=True,
                          timeout=120)
    assert (done.returncode, done.stderr) == (0, '')
    return done.stdout.split('\n')[:-1]


def test_bash(chatter):
    script = f'''
set -eu
source {COMPLETION}/ros2_completion.bash
complete -p ros2
COMP_WORDS=(ros2 topic echo /ch) COMP_CWORD=3
_tandem_ros2
printf '%s\\n' "${{COMPREPLY[@]}}"
COMP_WORDS=(ros2 topic hz --w /chatter) COMP_CWORD=3
_tandem_ros2
printf '%s\\n' "${{COMPREPLY[@]}}"
'''
    assert in_shell(chatter, 'bash', ['--norc', '-c', script]) == [
        'complete -o default -F _tandem_ros2 ros2', '/chatter', '--wall-time', '--window']


@pytest.mark.skipif(shutil.which('zsh') is None, reason='zsh is not installed')
def test_zsh(chatter):
    script = f'''
set -e
autoload -Uz compinit && compinit -D -u
source {COMPLETION}/ros2_completion.zsh
compadd() {{ while [[ $1 != -a ]]; do shift; done; print -l -- "${{(@P)2}}"; }}
print -- $_comps[ros2]
words=(ros2 topic echo /ch) CURRENT=4
_tandem_ros2
'''
    assert in_shell(chatter, 'zsh', ['-fc', script]) == ['_tandem_ros2', '/chatter']
