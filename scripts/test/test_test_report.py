"""The count at the end of `make test`: what fails must never look like a pass."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

REPORT = Path(__file__).resolve().parent.parent / 'test_report.py'

GTEST = """<testsuites><testsuite name="Ring">
  <testcase name="A" classname="Ring" status="run"/>
  <testcase name="B" classname="Ring" status="run">{}</testcase>
  <testcase name="C" classname="Ring" status="run"><skipped/></testcase>
</testsuite></testsuites>"""


def ctest(name, status, completion='Completed', command='', output=None):
    return (f'<Test Status="{status}"><Name>{name}</Name><FullCommandLine>{command}</FullCommandLine><Results>'
            f'<NamedMeasurement name="Completion Status"><Value>{completion}</Value></NamedMeasurement>'
            f'<Measurement><Value>{output or "output of " + name}</Value></Measurement></Results></Test>')


class Workspace:
    """A made-up build folder of one package, and the log folder of `make test`."""

    def __init__(self, root):
        self.root = root
        self.results = root / 'build/pkg/test_results/pkg'
        self.results.mkdir(parents=True)
        (root / 'log').mkdir()
        self.stage('packages', 0)

    def stage(self, name, result):
        (self.root / f'log/{name}.started').touch()
        (self.root / f'log/{name}.log').write_text(f'log of {name}\n')
        with (self.root / 'log/stages.tsv').open('a') as table:
            table.write(f'{name}\t60\t{result}\n')

    def programs(self, *tests):
        folder = self.root / 'build/pkg/Testing/now'
        folder.mkdir(parents=True)
        (folder.parent / 'TAG').write_text('now\n')
        (folder / 'Test.xml').write_text(f'<Site><Testing>{"".join(tests)}</Testing></Site>')

    def report(self, **environment):
        done = subprocess.run([sys.executable, '-B', REPORT, 'log'], cwd=self.root, stdout=subprocess.PIPE, text=True,
                              env={**os.environ, 'TANDEM_LINT_FAILED': '0', **environment}, timeout=60)
        assert (self.root / 'log/summary.txt').read_text() == done.stdout.splitlines()[-1] + '\n'
        return done.stdout.splitlines()[-1], done.returncode, done.stdout


@pytest.fixture
def workspace(tmp_path):
    return Workspace(tmp_path)


def test_cases_of_a_program_are_counted_once(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format(''))
    workspace.programs(ctest('ring', 'passed'), ctest('other', 'passed'))
    assert workspace.report()[:2] == ('3 passed, 0 failed, 1 skipped', 0)


def test_result_file_is_found_by_the_command_line(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format(''))
    workspace.programs(ctest('rings_over_shm', 'passed', command='test --gtest_output=xml:results/ring.gtest.xml'))
    assert workspace.report()[:2] == ('2 passed, 0 failed, 1 skipped', 0)


def test_failed_case_is_named_with_its_output(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format('<failure message="2 is not 3"/>'))
    workspace.programs(ctest('ring', 'failed'))
    summary, status, text = workspace.report()
    assert (summary, status) == ('1 passed, 1 failed, 1 skipped', 1)
    assert 'FAILED pkg/ring: Ring.B' in text and '2 is not 3' in text and 'output of ring' in text


def test_what_failed_is_shown_however_much_the_program_printed(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format('<failure message="2 is not 3"/>'))
    workspace.programs(ctest('ring', 'failed', output='line\n' * 1000 + 'the end'))
    text = workspace.report()[2]
    assert '2 is not 3' in text and 'the end' in text and text.count('line\n') < 100


def test_program_that_dies_after_its_cases_passed(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format(''))
    workspace.programs(ctest('ring', 'failed'))
    assert workspace.report()[:2] == ('2 passed, 1 failed, 1 skipped', 1)


def test_program_that_cannot_be_run_failed(workspace):
    workspace.programs(ctest('a', 'notrun', 'Unable to find executable'), ctest('b', 'notrun', 'SKIP_RETURN_CODE=77'))
    assert workspace.report()[:2] == ('0 passed, 1 failed, 1 skipped', 1)


def test_damaged_or_old_results_are_no_passes(workspace):
    (workspace.results / 'ring.gtest.xml').write_text(GTEST.format('')[:-20])
    (workspace.results / 'old.gtest.xml').write_text(GTEST.format(''))
    os.utime(workspace.results / 'old.gtest.xml', (1, 1))
    workspace.programs(ctest('ring', 'failed'), ctest('old', 'failed'))
    assert workspace.report()[:2] == ('0 passed, 2 failed', 1)


@pytest.mark.parametrize('folder', ['core-tsan', 'client-tsan/rclcpp'])
def test_stages_of_other_folders_are_counted(workspace, folder):
    build = workspace.root / 'build' / folder
    (build / 'test_results').mkdir(parents=True)
    workspace.programs(ctest('a', 'passed'))
    workspace.stage(folder.split('/')[0], 1)
    (build / 'test_results/ring.gtest.xml').write_text(GTEST.format(''))
    # Its cases passed; what a sanitizer found makes the program fail.
    (build / 'ctest.xml').write_text('<testsuite><testcase name="ring" status="fail">'
                                     '<system-out>data race</system-out></testcase></testsuite>')
    summary, status, text = workspace.report()
    assert (summary, status) == ('3 passed, 1 failed, 1 skipped', 1)
    assert f'FAILED {folder}/ring\n    data race' in text


def test_failed_stage_and_failed_lint_count(workspace):
    workspace.programs(ctest('a', 'passed'))
    workspace.stage('build', 1)
    summary, status, text = workspace.report()
    assert (summary, status) == ('1 passed, 1 failed', 1)
    assert 'log of build' in text
    assert workspace.report(TANDEM_LINT_FAILED='1')[:2] == ('1 passed, 2 failed', 1)
