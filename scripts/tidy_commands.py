#!/usr/bin/python3
"""Writes the compile commands that clang-tidy reads: tidy_commands.py TO FROM...

A FROM that is not there is left out. Files of a unity build become the sources that they include, so that each is
checked by itself and under its own name; one that several targets compile is checked as the first of them does it.
Precompiled headers are left out: Clang does not read GCC's.
"""

import json
import os
import re
import sys
from pathlib import Path


def sources(entry):
    """The files that an entry compiles."""
    path = Path(entry['directory'], entry['file'])
    if path.parent.name != 'Unity':
        return [entry['file']]
    return re.findall(r'^#include "(.+)"', path.read_text(), re.MULTILINE)


def main():
    commands = {}
    files = [path for path in map(Path, sys.argv[2:]) if path.exists()]
    for entry in [entry for path in files for entry in json.loads(path.read_text())]:
        command = re.sub(r' -Winvalid-pch| -include \S*cmake_pch\.hxx', '', entry['command'])
        for source in sources(entry):
            path = os.path.normpath(Path(entry['directory'], source))
            commands.setdefault(path, {**entry, 'file': source, 'command': command.replace(entry['file'], source)})
    Path(sys.argv[1]).write_text(json.dumps(list(commands.values()), indent=1))


if __name__ == '__main__':
    main()
