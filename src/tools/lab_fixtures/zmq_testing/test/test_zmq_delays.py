"""Short runs of ./sub and ./pub: silent when they succeed, nothing lost, whichever starts first."""

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path

import pytest
from conftest import PATIENCE

PACKAGE = Path(__file__).resolve().parent.parent


@pytest.fixture
def endpoint():
    with socket.socket() as free:
        free.bind(('127.0.0.1', 0))
        return f'tcp://127.0.0.1:{free.getsockname()[1]}'


@pytest.fixture
def start(tmp_path, endpoint):
    started = []

    def start(end, *arguments):
        # Neither pinned nor with priority: tests run beside others.
        command = [f'{os.environ["ZMQ_TESTING_BINARIES"]}/{end}', *arguments, '--endpoint', endpoint,
                   '--cpu', '-1', '--priority', '0']
        started.append(subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.wait()


def outcome(process):
    output, _ = process.communicate(timeout=PATIENCE)
    return process.returncode, output.decode()


def stamps(file):
    return [[int(stamp) for stamp in line.split()] for line in file.read_text().splitlines()]


@pytest.mark.parametrize('first', ['sub', 'pub'])
@pytest.mark.parametrize('length', ['50', '60000'])
def test_silent_and_complete_whoever_is_first(start, tmp_path, first, length):
    one = start(first, length, '--messages', '7000')  # more than the high-water mark
    time.sleep(0.3)
    other = start({'sub': 'pub', 'pub': 'sub'}[first], length, '--messages', '7000')
    assert [outcome(one), outcome(other)] == [(0, ''), (0, '')]
    (sent,), (received,) = stamps(tmp_path / 'publisher.txt'), stamps(tmp_path / 'subscriber.txt')
    assert len(sent) == len(received) == 7000
    assert sent == sorted(sent) and received == sorted(received)
    assert all(late > early for early, late in zip(sent, received))


def test_publisher_overwrites_and_subscriber_appends(start, tmp_path):
    for messages in ('20', '10'):
        both = [start(end, '3', '--messages', messages) for end in ('sub', 'pub')]
        assert [outcome(process) for process in both] == [(0, ''), (0, '')]
    assert [len(line) for line in stamps(tmp_path / 'publisher.txt')] == [10]
    assert [len(line) for line in stamps(tmp_path / 'subscriber.txt')] == [20, 10]


def test_what_goes_wrong_is_said(start):
    for arguments, text in ((['x'], "the message's length: 'x' is no number"), ([], 'usage:'),
                            (['50', '--cpu', 'two'], "--cpu: 'two' is no number"), (['50', '--colour'], 'unknown')):
        status, output = outcome(start('pub', *arguments))
        assert status == 1 and text in output
    status, output = outcome(start('sub', '50', '--patience', '1'))
    assert status == 1 and 'nothing came from tcp://127.0.0.1:' in output
    status, output = outcome(start('pub', '50', '--patience', '1'))
    assert status == 1 and 'start ./sub 50 too' in output


def test_other_length_is_an_error(start, tmp_path):
    subscriber, publisher = start('sub', '50'), start('pub', '60000')
    assert outcome(subscriber)[0] == 1
    publisher.communicate(timeout=PATIENCE)
    assert not (tmp_path / 'subscriber.txt').exists()


def test_plain_cmake_is_enough(tmp_path):
    """As the study's readers build it: no workspace, and the programs in the build folder."""
    clean = {name: value for name, value in os.environ.items()
             if not name.endswith('PREFIX_PATH') and name not in ('PYTHONPATH', 'LD_LIBRARY_PATH')}
    shutil.copytree(PACKAGE, tmp_path / 'source')
    for command in (['cmake', '-B', 'build'], ['cmake', '--build', 'build', '-j2']):
        subprocess.run(command, cwd=tmp_path / 'source', env=clean, check=True, timeout=4 * PATIENCE,
                       stdout=subprocess.DEVNULL)
    assert {'sub', 'pub'} <= {f.name for f in (tmp_path / 'source' / 'build').iterdir()}
