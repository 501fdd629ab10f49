"""What clang-tidy reads: sources as they were compiled together, each once, with the settings of their folder."""

import json
import shutil
import subprocess
import sys

from conftest import SCRIPTS


def make_workspace(root):
    for file in ('.clang-tidy', 'src/core/.clang-tidy', 'scripts/tidy_commands.py'):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
    shutil.copy(SCRIPTS / 'tidy_commands.py', root / 'scripts/tidy_commands.py')


def make_unity(folder, name, sources):
    unity = folder / 'CMakeFiles/ring.dir/Unity' / name
    unity.parent.mkdir(parents=True, exist_ok=True)
    unity.write_text('/* generated */\n' + ''.join(f'#include "{source}"\n\n' for source in sources))
    return unity


def test_sources_of_a_unity_build_are_checked_together_and_each_once(tmp_path):
    make_workspace(tmp_path)
    build = tmp_path / 'build'
    core, wire = tmp_path / 'src/core/src', tmp_path / 'src/wire'
    files = [make_unity(build, 'unity_0_cxx.cxx', [core / 'a.cpp', core / 'b.cpp', core / 'test/t.cpp']),
             make_unity(build, 'unity_0_c.c', [wire / 'c.c', wire / 'd.c']),
             core / 'b.cpp', wire / 'alone.cpp', build / 'generated.cpp',
             make_unity(build, 'unity_1_cxx.cxx', [core / 'a.cpp', core / 'e.cpp'])]
    commands = [{'directory': str(build), 'file': str(file),
                 'command': f'c++ -O2 -Winvalid-pch -include /x/cmake_pch.hxx -c {file}'} for file in files]
    (tmp_path / 'in.json').write_text(json.dumps(commands))
    out = tmp_path / 'log/tidy'
    subprocess.run([sys.executable, '-B', tmp_path / 'scripts/tidy_commands.py', out, tmp_path / 'in.json',
                    tmp_path / 'not there.json'], check=True, timeout=60)
    written = json.loads((out / 'compile_commands.json').read_text())
    units = [out / 'src/core/unit_1.cpp', out / 'unit_2.c', wire / 'alone.cpp', core / 'e.cpp']
    assert [(entry['file'], entry['command']) for entry in written] == [
        (str(unit), f'c++ -O2 -c {unit}') for unit in units]
    assert units[0].read_text() == f'#include "{core}/a.cpp"\n#include "{core}/b.cpp"\n'
    assert units[1].read_text() == f'#include "{wire}/c.c"\n#include "{wire}/d.c"\n'
    assert (out / '.clang-tidy').exists() and (out / 'src/core/.clang-tidy').exists()
