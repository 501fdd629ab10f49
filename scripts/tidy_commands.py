#!/usr/bin/python3
"""Writes the compile commands that clang-tidy reads: tidy_commands.py FOLDER FROM...

FOLDER/compile_commands.json has the sources of libraries and tools; tests, fixtures and generated code are left out,
and a FROM that is not there. Sources of a unity build are checked together, as they are compiled, which is three times
as fast; .clang-tidy asks for warnings in what such a unit includes. A source that several targets compile is checked
as the first of them does it. Precompiled headers are left out: Clang does not read GCC's.
"""

import json
import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHECKED = re.compile(r'(src|ros2)/(?!.*(/(test|tests|fixtures)/|_conformance/|/interface_tests/|/rmw_tests/))')


def sources_of(entry):
    """The files that an entry compiles, relative to the root, as far as they are checked."""
    path = Path(entry['directory'], entry['file'])
    files = [path]
    if path.parent.name == 'Unity':
        files = [path.parent / name for name in re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE)]
    files = [os.path.relpath(os.path.normpath(file), ROOT) for file in files]
    return [file for file in files if CHECKED.match(file)]


def settings_of(source):
    """The folder whose .clang-tidy a source has."""
    return next(folder for folder in Path(source).parents if (ROOT / folder / '.clang-tidy').exists())


class Units:
    """Files that include sources, in folders like those of the sources, with the same .clang-tidy files."""

    def __init__(self, folder):
        self.folder = folder
        for settings in [ROOT / '.clang-tidy', *ROOT.glob('src/*/.clang-tidy'), *ROOT.glob('ros2/.clang-tidy')]:
            target = folder / settings.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(settings, target)
        self.count = 0

    def make(self, sources):
        self.count += 1
        unit = self.folder / settings_of(sources[0]) / f'unit_{self.count}{Path(sources[0]).suffix}'
        unit.write_text(''.join(f'#include "{ROOT / source}"\n' for source in sources))
        return str(unit)


def main():
    folder = Path(sys.argv[1]).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    units = Units(folder)
    commands, known = [], set()
    files = [path for path in map(Path, sys.argv[2:]) if path.exists()]
    for entry in [entry for path in files for entry in json.loads(path.read_text())]:
        sources = [source for source in sources_of(entry) if source not in known]
        if not sources:
            continue
        known.update(sources)
        unit = units.make(sources) if len(sources) > 1 else str(ROOT / sources[0])
        command = re.sub(r' -Winvalid-pch| -include \S*cmake_pch\.hxx', '', entry['command'])
        commands.append({**entry, 'file': unit, 'command': command.replace(entry['file'], unit)})
    (folder / 'compile_commands.json').write_text(json.dumps(commands, indent=1))


if __name__ == '__main__':
    main()
