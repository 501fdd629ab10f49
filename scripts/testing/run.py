#!/usr/bin/python3
"""Runs the tests that are built, side by side; those that may have failed by bad luck once more.

Usage: run.py GROUP...

A group is 'packages' (the workspace) or a build folder of the sanitizers or of arm64, as 'core-asan'. CTest runs the
tests of all groups, as many at once as processors and memory allow, each by one_test.py; two that mostly waited the
last time run in the place of one. A test that failed without a fault (judge.py) is run again, alone, up to three times;
when it passes then, it is unstable. log/test/tests/N.json, N.txt and N.result keep what was run, what it printed and
what came of it, for report.py. The exit status says whether all passed in the end.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import catalog
import one_test
import report

ROOT = Path(os.environ['TANDEM_ROOT'])
BUILD = ROOT / 'build'
COSTS = ROOT / 'log/test/costs.json'  # seconds, and seconds of processor, that each test took in the run before
DEFAULT_TIMEOUT = 300  # seconds, for a test that sets none itself
GIB_PER_TEST = 2  # of memory: as many tests run at once as there is room for
TESTS_PER_PROCESSOR = 3  # most of them wait more than they work
WAITING = 0.2  # of its time: a test that took less of the processor stands for half a test
TRIES = 3
MOST_UNLUCKY = 8  # where more tests fail, none is run again


@dataclass
class Group:
    """Tests that are built and run alike."""

    folders: list  # (build folder, label)
    prefix: Path = None  # whose environment they need
    environment: dict = field(default_factory=dict)
    left_out: str = '^$'  # names of tests, as a regular expression
    slowness: int = 1  # times the timeout of each test

    def base_environment(self):
        if self.prefix is None:
            return {**os.environ, **self.environment}
        raw = subprocess.run(['bash', '-c', f'source "{self.prefix}/local_setup.bash" >&2 && env -0'],
                             stdout=subprocess.PIPE, check=True).stdout
        return {**dict(entry.split('=', 1) for entry in raw.decode().split('\0') if entry), **self.environment}


def group_of(name):
    """The group of that name; its folders are those that are there."""
    if name == 'packages':
        return Group([(folder, folder.name) for folder in catalog.packages(BUILD)], ROOT / 'install')
    if name == 'client-tsan':
        # Not over middlewares, which are not instrumented; without the test that replaces malloc, as the sanitizer
        # does, and the one that reads from hundreds of processes in turn. One test ends with SIGSEGV, as it should.
        return Group([(folder, f'{name}/{folder.name}') for folder in catalog.packages(BUILD / name)],
                     BUILD / name / 'install', {'TSAN_OPTIONS': 'handle_segv=0'},
                     '/rclcpp_components/|_over_|/conformance_(?!rmw_tandem_cpp$)|/transport_table$|'
                     'steady_state|fuzz', slowness=2)
    return Group([(BUILD / name, name)] if (BUILD / name / 'CTestTestfile.cmake').exists() else [], slowness=2)


def write_tests(names, folder):
    """What one_test.py and CTest need of the tests of these groups. Returns how many there are."""
    costs = json.loads(COSTS.read_text()) if COSTS.exists() else {}
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = []
    for name in names:
        group = group_of(name)
        base = group.base_environment()
        for test in catalog.tests_of_all(group.folders):
            if re.search(group.left_out, test.name):
                continue
            number = len(lines) + 1
            timeout = test.timeout(DEFAULT_TIMEOUT) * group.slowness
            (folder / f'{number}.json').write_text(json.dumps({
                'name': test.name, 'group': name, 'command': test.command, 'folder': test.folder,
                'results': test.results(), 'timeout': timeout,
                'skip_status': test.properties.get('SKIP_RETURN_CODE', one_test.SKIPPED),
                'environment': {**base, **test.environment}}))
            lines.append(ctest_entry(test, folder, number, timeout, *costs.get(test.name, (timeout, timeout))))
    (folder / 'CTestTestfile.cmake').write_text('\n'.join(lines) + '\n')
    return len(lines)


def ctest_entry(test, folder, number, timeout, seconds, processor):
    """How CTest runs a test, with what its package says of running it beside others. Those that took longest begin.
    CTest counts in halves of a test."""
    properties = {name: test.properties[name] for name in ('RUN_SERIAL', 'RESOURCE_LOCK') if name in test.properties}
    halves = 2 * int(test.properties.get('PROCESSORS', 1)) if processor > WAITING * seconds else 1
    properties.update(COST=seconds, PROCESSORS=halves, SKIP_RETURN_CODE=one_test.SKIPPED, TIMEOUT=timeout + 60)
    words = ' '.join(f'{name} [==[{";".join(value) if isinstance(value, list) else value}]==]'
                     for name, value in properties.items())
    return (f'add_test([==[{test.name}]==] /usr/bin/python3 -B [==[{Path(one_test.__file__).resolve()}]==] '
            f'[==[{folder}]==] {number})\nset_tests_properties([==[{test.name}]==] PROPERTIES {words})')


def tests_at_once():
    memory = os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') >> 30
    return max(1, min(TESTS_PER_PROCESSOR * len(os.sched_getaffinity(0)), memory // GIB_PER_TEST))


def try_again(folder, test):
    """Runs a test alone until it passes, a fault shows, or it has had its tries."""
    number = test.number
    os.replace(folder / f'{number}.txt', folder / f'{number}.first.txt')
    for attempt in range(1, TRIES + 1):
        print(f'{test.name} failed; once more, alone ({attempt} of {TRIES})', flush=True)
        # In a process of its own, which then knows what this test took and not what all did.
        subprocess.run([sys.executable, '-B', one_test.__file__, str(folder), str(number)], check=False)
        outcome = json.loads((folder / f'{number}.result').read_text())
        again = report.read_test(folder / f'{number}.json')
        if outcome['result'] == 'passed':
            outcome['unstable'] = test.problems
            (folder / f'{number}.result').write_text(json.dumps(outcome))
        if outcome['result'] == 'passed' or again.fault:
            break


def run_again(folder, tests):
    """Gives those that failed without a fault another chance. Returns whether all have passed in the end."""
    failed = [test for test in tests if test.failed]
    unlucky = [test for test in failed if test.fault is None]
    if len(unlucky) > MOST_UNLUCKY:
        print(f'{len(unlucky)} tests failed: none of them is run again', flush=True)
        return False
    for test in unlucky:
        try_again(folder, test)
    return not any(test.failed for test in report.read_tests(folder))


def main():
    folder = ROOT / 'log/test/tests'
    count = write_tests(sys.argv[1:], folder)
    at_once = tests_at_once()
    print(f'{count} test programs, {at_once} at once; what they print is in {folder.relative_to(ROOT)}', flush=True)
    subprocess.run(['ctest', '--test-dir', str(folder), '--parallel', str(2 * at_once), '--no-tests=error'],
                   check=False)
    tests = report.read_tests(folder)
    COSTS.write_text(json.dumps({test.name: [test.outcome['seconds'], test.outcome['processor']] for test in tests},
                                indent=1))
    return 0 if run_again(folder, tests) else 1


if __name__ == '__main__':
    sys.exit(main())
