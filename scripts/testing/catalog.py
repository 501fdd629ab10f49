"""The tests that CTest knows in build folders."""

import json
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Test:
    """One test of CTest: a program with its arguments."""

    name: str  # its folder's and its own, as rclcpp/services
    command: list
    folder: str
    properties: dict = field(default_factory=dict)  # as CTest has them

    @property
    def environment(self):
        """What its program finds besides the environment of the run."""
        return dict(entry.split('=', 1) for entry in self.properties.get('ENVIRONMENT', []) if entry)

    def timeout(self, default):
        """Seconds."""
        return float(self.properties.get('TIMEOUT', default))

    def results(self):
        """The files of results (JUnit's XML) that the command says it writes."""
        words = (re.sub(r'^--[\w-]+=(xml:)?', '', word) for word in self.command)
        return list(dict.fromkeys(word for word in words if re.search(r'/test_results/.*\.xml$', word)))


def tests_of(folder, label, torture):
    """The tests of one build folder, named LABEL/TEST: the long ones (CTest's label torture), or the others."""
    listed = subprocess.run(['ctest', '--test-dir', str(folder), '-L' if torture else '-LE', '^torture$',
                             '--show-only=json-v1'], capture_output=True, text=True, check=True).stdout
    tests = []
    for test in json.loads(listed)['tests']:
        properties = {entry['name']: entry['value'] for entry in test.get('properties', [])}
        if not properties.get('DISABLED'):
            # One whose program is not built has no command: it cannot be run, and fails.
            tests.append(Test(f"{label}/{test['name']}", test.get('command', []),
                              properties.pop('WORKING_DIRECTORY', str(folder)), properties))
    return tests


def packages(build):
    """Build folders of the workspace's packages; not of others that lie there, nor of packages that are gone."""
    found = []
    for test_file in sorted(build.glob('*/CTestTestfile.cmake')):
        cache = test_file.parent / 'CMakeCache.txt'
        if (test_file.parent / 'colcon_build.rc').exists() and cache.exists():
            source = re.search(r'^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$', cache.read_text(), re.MULTILINE)
            if source and Path(source.group(1), 'package.xml').exists():
                found.append(test_file.parent)
    return found


def tests_of_all(folders, torture=False):
    """The tests of several build folders, given as (folder, label)."""
    with ThreadPoolExecutor(8) as pool:
        listed = pool.map(lambda entry: tests_of(*entry, torture), folders)
        return [test for tests in listed for test in tests]
