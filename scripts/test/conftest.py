"""A made-up workspace whose packages have tests of CTest."""

from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1]


def make_package(root, tests, properties=''):
    """A build folder of a package with the given tests: {name: shell command, or None for a program
    that is not built}; all get the properties. Returns the folder."""
    folder = root / 'build' / 'some_package'
    folder.mkdir(parents=True, exist_ok=True)
    (root / 'package.xml').touch()
    (folder / 'colcon_build.rc').write_text('0\n')
    (folder / 'CMakeCache.txt').write_text(f'CMAKE_HOME_DIRECTORY:INTERNAL={root}\n')
    lines = ['add_test(short_one "/bin/false")'] if 'LABELS' in properties else []
    for name, command in tests.items():
        script = folder / f'{name}.sh'
        script.write_text(f'{command}\n')
        program = '/bin/sh' if command else f'{folder}/nowhere'
        lines.append(f'add_test({name} "{program}" "{script}" "{folder}/test_results/{name}.xml")')
        if properties:
            lines.append(f'set_tests_properties({name} PROPERTIES {properties})')
    (folder / 'CTestTestfile.cmake').write_text('\n'.join(lines) + '\n')
    return folder


@pytest.fixture
def root(tmp_path):
    """A folder for a workspace."""
    return tmp_path
