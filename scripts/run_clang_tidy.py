#!/usr/bin/python3
"""Runs clang-tidy with the rules of .clang-tidy over the libraries' and tools' own sources, two at a time.

Reads build/compile_commands.json; tests, fixtures and generated code are left out.
"""

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LEFT_OUT = re.compile(r'/(test|tests|fixtures)/|_conformance/|/interface_tests/')


def sources():
    """Every compiled source below src/, once."""
    database = ROOT / 'build' / 'compile_commands.json'
    if not database.is_file():
        sys.exit(f'{database} is missing: the build wrote no compile commands')
    files = {str((Path(e['directory']) / e['file']).resolve()) for e in json.loads(database.read_text())}
    below = str(ROOT / 'src') + '/'
    return sorted(f for f in files if f.startswith(below) and not LEFT_OUT.search(f))


def check(file):
    command = ['clang-tidy-14', '-p', str(ROOT / 'build'), '--quiet', '--extra-arg=-Wno-unknown-warning-option',
               '--extra-arg=-Wthread-safety', file]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return file, done.returncode, done.stdout + ('' if done.returncode == 0 else done.stderr)


def main():
    files = sources()
    failed = 0
    with ThreadPoolExecutor(2) as pool:
        for file, status, output in pool.map(check, files):
            if status != 0:
                failed += 1
                print(f'{Path(file).relative_to(ROOT)}:\n{output}')
    print(f'clang-tidy: {len(files)} files, {failed} with findings')
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
