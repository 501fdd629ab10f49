"""Messages in C, which -DTANDEM_C_MESSAGES=ON adds, as stock sources use them."""

import pathlib
import shutil
import tempfile

import pytest
from test_overlay import Workspace

pytestmark = pytest.mark.skipif(not pathlib.Path('/usr/share/rosidl_generator_c').exists(),
                                reason="Debian's rosidl-generator-c-cpp is not installed")


@pytest.fixture(scope='module')
def built(tmp_path_factory):
    directory = tmp_path_factory.mktemp('c_overlay')
    with tempfile.TemporaryDirectory(prefix='interface_tests.', dir='/dev/shm') as shared_memory:
        workspace = Workspace(directory, shared_memory, sources='c_overlay')
        run = workspace.build('--cmake-args', '-DTANDEM_C_MESSAGES=ON')
        assert run.returncode == 0, run.stdout
        assert 'warning:' not in run.stdout
        yield workspace
    shutil.rmtree(directory)


def test_in_c(built):
    assert built.run('text_nodes', 'in_c') == 'none 7 2 some words 2.5\n'


def test_in_c_and_in_cpp(built):
    assert built.run('text_nodes', 'in_both') == 'from C++ 7 7\n'
