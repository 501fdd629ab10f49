"""What clang-tidy reads: each source under its own name, however it was compiled."""

import json
import subprocess
import sys

from conftest import SCRIPTS


def test_sources_of_a_unity_build_are_checked_one_by_one_and_once(tmp_path):
    unity = tmp_path / 'build/CMakeFiles/ring.dir/Unity/unity_0_cxx.cxx'
    unity.parent.mkdir(parents=True)
    unity.write_text('/* generated */\n#include "/src/a.cpp"\n\n#include "/src/b.cpp"\n')
    commands = [{'directory': str(tmp_path / 'build'), 'file': file,
                 'command': f'c++ -O2 -Winvalid-pch -include /x/cmake_pch.hxx -c {file}'}
                for file in (str(unity), '/src/alone.cpp', '/src/b.cpp')]
    (tmp_path / 'in.json').write_text(json.dumps(commands))
    subprocess.run([sys.executable, '-B', SCRIPTS / 'tidy_commands.py', tmp_path / 'out.json', tmp_path / 'in.json'],
                   check=True, timeout=60)
    written = json.loads((tmp_path / 'out.json').read_text())
    assert [(entry['file'], entry['command']) for entry in written] == [
        (file, f'c++ -O2 -c {file}') for file in ('/src/a.cpp', '/src/b.cpp', '/src/alone.cpp')]
