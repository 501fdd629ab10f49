"""Messages in C, which -DTANDEM_C_MESSAGES=ON adds, as stock sources use them."""

import pathlib

import pytest
from test_overlay import built_workspace

pytestmark = pytest.mark.skipif(not pathlib.Path('/usr/share/rosidl_generator_c').exists(),
                                reason="Debian's rosidl-generator-c-cpp is not installed")


@pytest.fixture(scope='module')
def built(tmp_path_factory):
    with built_workspace(tmp_path_factory.mktemp('c_overlay'), '--cmake-args', '-DTANDEM_C_MESSAGES=ON',
                         sources='c_overlay') as workspace:
        yield workspace


def test_in_c(built):
    assert built.run('text_nodes', 'in_c') == 'none 7 2 some words 2.5\n'


def test_in_c_and_in_cpp(built):
    assert built.run('text_nodes', 'in_both') == 'from C++ 7 7\n'
