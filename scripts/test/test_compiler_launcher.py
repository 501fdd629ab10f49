"""scripts/compiler-launcher.sh: what ccache gives for a precompiled header."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).resolve().parent.parent / 'compiler-launcher.sh'

pytestmark = pytest.mark.skipif(not shutil.which('ccache'), reason='ccache is not installed')


@pytest.fixture
def compile_in(tmp_path):
    """A function that compiles in a folder of the test's own, with a cache of its own."""
    environment = {**os.environ, 'CCACHE_DIR': str(tmp_path / 'cache'), 'CCACHE_SLOPPINESS': 'pch_defines,time_macros'}

    def compile_(*arguments):
        subprocess.run([LAUNCHER, 'c++', '-Winvalid-pch', *arguments], cwd=tmp_path, env=environment, check=True)

    return compile_


@pytest.mark.parametrize('change', ['struct Value {};  // other', 'struct  Value {};', 'struct Value { int x; };'])
def test_a_precompiled_header_is_of_the_text_as_it_is(tmp_path, compile_in, change):
    header, source = tmp_path / 'value.hpp', tmp_path / 'main.cpp'
    (tmp_path / 'pch.hpp').write_text('#include "value.hpp"\n')
    (tmp_path / 'pch.cpp').write_text('')
    for step, text in enumerate(['struct Value {};', change, 'struct Value {};']):
        header.write_text(f'#pragma once\n{text}\n')
        source.write_text(f'#include "value.hpp"\nValue value_{step};\n')
        compile_in('-x', 'c++-header', '-include', 'pch.hpp', '-MD', '-MF', 'pch.hpp.gch.d', '-o', 'pch.hpp.gch',
                   '-c', 'pch.cpp')
        compile_in('-include', 'pch.hpp', '-MD', '-MF', 'main.d', '-o', 'main.o', '-c', 'main.cpp')
