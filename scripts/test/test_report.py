"""The count at the end of `make test`: what fails must never look like a pass."""

import json
import os
import subprocess
import sys

import pytest
from conftest import SCRIPTS

GTEST = """<testsuites><testsuite name="Ring">
  <testcase name="A" classname="Ring" status="run"/>
  <testcase name="B" classname="Ring" status="run">{}</testcase>
  <testcase name="C" classname="Ring" status="run"><skipped/></testcase>
</testsuite></testsuites>"""


class Run:
    """A made-up log folder of `make test`."""

    def __init__(self, root):
        self.root = root
        self.logs = root / 'log'
        (self.logs / 'tests').mkdir(parents=True)
        (root / 'build').mkdir()
        self._count = 0

    def stage(self, name, result=0):
        (self.logs / f'{name}.started').touch()
        (self.logs / f'{name}.log').write_text(f'log of {name}\n')
        with (self.logs / 'stages.tsv').open('a') as table:
            table.write(f'{name}\t60.1\t90.5\t{result}\n')

    def test(self, name, result='passed', status=0, results=None, output=None, group='packages', **outcome):
        self._count += 1
        file = self.logs / 'tests' / f'{self._count}.json'
        xml = self.root / f'{self._count}.xml'
        if results:
            xml.write_text(results)
        file.write_text(json.dumps({'name': name, 'group': group, 'results': [str(xml)]}))
        if result:
            file.with_suffix('.result').write_text(json.dumps({
                'name': name, 'result': result, 'status': status, 'seconds': 2.5, 'processor': 1.5, 'memory': 20,
                **outcome}))
        file.with_suffix('.txt').write_text(output or f'output of {name}\n')
        return file

    def report(self, **environment):
        done = subprocess.run([sys.executable, '-B', SCRIPTS / 'testing/report.py', 'log'], cwd=self.root,
                              stdout=subprocess.PIPE, text=True, timeout=60,
                              env={**os.environ, 'TANDEM_LINT_FAILED': '0', **environment})
        assert (self.logs / 'summary.txt').read_text() == done.stdout.splitlines()[-1] + '\n'
        return done.stdout.splitlines()[-1], done.returncode, done.stdout


@pytest.fixture
def run(tmp_path):
    return Run(tmp_path)


def test_cases_of_a_program_are_counted_once(run):
    run.test('pkg/ring', results=GTEST.format(''))
    run.test('pkg/other')
    run.stage('tests')
    assert run.report()[:2] == ('3 passed, 0 failed, 1 skipped', 0)


def test_failed_case_is_named_with_its_output(run):
    run.test('pkg/ring', 'failed', 1, GTEST.format('<failure message="2 is not 3"/>'))
    run.stage('tests', 1)
    summary, status, text = run.report()
    assert (summary, status) == ('1 passed, 1 failed, 1 skipped', 1)
    assert 'FAILED pkg/ring: Ring.B' in text and '2 is not 3' in text and 'output of pkg/ring' in text


def test_reasons_are_told_once_more_before_the_count(run):
    run.stage('tests', 1)
    failure = 'def test(party):\n>   wait()\nE   AssertionError: no node\n\nline_process.py:20: AssertionError'
    run.test('wire/graph', 'failed', 1, GTEST.format(f'<failure>{failure}</failure>'))
    unstable = run.test('core/ring', unstable=['Ring.C\nExpected: 3\nActual: 4'])
    unstable.with_suffix('.first.txt').write_text('')
    end = run.report()[2].splitlines()[-3:-1]
    assert end == ['failed: wire/graph: Ring.B: AssertionError: no node', 'unstable: core/ring: Actual: 4']


def test_what_failed_is_shown_however_much_the_program_printed(run):
    run.test('pkg/ring', 'failed', 1, GTEST.format('<failure message="2 is not 3"/>'), 'line\n' * 1000 + 'the end')
    run.stage('tests', 1)
    text = run.report()[2]
    assert '2 is not 3' in text and 'the end' in text and text.count('line\n') < 100


def test_program_that_dies_after_its_cases_passed(run):
    run.test('pkg/ring', 'failed', 139, GTEST.format(''))
    run.stage('tests', 1)
    summary, status, text = run.report()
    assert (summary, status) == ('2 passed, 1 failed, 1 skipped', 1)
    assert 'exit status 139' in text


def test_program_that_fails_though_it_says_that_it_passed(run):
    run.test('pkg/ring', 'passed', 0, GTEST.format('<failure message="2 is not 3"/>'))
    run.stage('tests', 0)
    assert run.report()[:2] == ('1 passed, 1 failed, 1 skipped', 1)


def test_program_that_was_not_run_or_skipped_itself(run):
    run.test('pkg/a', None)
    run.test('pkg/b', 'skipped', 77)
    run.stage('tests', 1)
    assert run.report()[:2] == ('0 passed, 1 failed, 1 skipped', 1)


def test_damaged_results_are_no_passes(run):
    run.test('pkg/ring', 'failed', 1, GTEST.format('')[:-20])
    run.stage('tests', 1)
    assert run.report()[:2] == ('0 passed, 1 failed', 1)


def test_each_group_of_tests_has_its_row(run):
    run.test('pkg/ring')
    run.test('core-tsan/ring', 'failed', 66, GTEST.format(''), 'data race', group='core-tsan')
    run.stage('tests', 1)
    summary, _, text = run.report()
    assert summary == '3 passed, 1 failed, 1 skipped'
    assert 'FAILED core-tsan/ring' in text and 'data race' in text
    rows = [line.split() for line in text.splitlines() if line.startswith('core-tsan')]
    assert rows == [['core-tsan', '2', '1', '1']]


def test_failed_stage_and_failed_lint_count(run):
    run.test('pkg/a')
    run.stage('build', 1)
    run.stage('tests')
    summary, status, text = run.report()
    assert (summary, status) == ('1 passed, 1 failed', 1)
    assert 'log of build' in text
    assert run.report(TANDEM_LINT_FAILED='1')[:2] == ('1 passed, 2 failed', 1)


def test_a_run_without_a_stage_is_no_pass(run):
    assert run.report()[:2] == ('0 passed, 1 failed', 1)


def test_unstable_tests_are_told_and_kept_and_more_than_three_fail(run):
    def unstable(number):
        file = run.test(f'pkg/unlucky_{number}', unstable=['3 is not 4'])
        file.with_suffix('.first.txt').write_text('seed 4711\nfirst output\n')

    for number in range(3):
        unstable(number)
    run.stage('tests')
    summary, status, text = run.report()
    assert (summary, status) == ('3 passed, 0 failed', 0)
    assert 'UNSTABLE pkg/unlucky_0 (seed 4711)' in text and 'first output' in text and '3 unstable' in text
    assert len((run.logs / 'unstable.txt').read_text().splitlines()) == 3
    unstable(3)
    assert run.report()[:2] == ('4 passed, 1 failed', 1)
    assert 'pkg/unlucky_3  3 is not 4' in (run.logs / 'unstable.txt').read_text()


def test_times_are_kept(run):
    run.test('pkg/ring')
    run.stage('tests')
    folder = run.root / 'build/pkg'
    folder.mkdir()
    (folder / '.ninja_log').write_text(
        '# ninja log v5\n0\t2500\t9000000000000000000\tCMakeFiles/ring.dir/a.cpp.o\tabc\n')
    run.report()
    page = (run.logs / 'times.txt').read_text()
    assert 'tests' in page and 'pkg/ring' in page and 'pkg/ring/a.cpp' in page and '2.5' in page
