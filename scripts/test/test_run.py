"""Running tests: each in a world of its own, and again when it may have been bad luck."""

import os
import signal
import subprocess
import sys

import pytest
from conftest import SCRIPTS, make_package

XML = '<testsuite><testcase classname="Ring" name="A"><failure message="{}"/></testcase></testsuite>'
# Fails the first time, passes from then on.
ONCE = 'test -e "$0.ran" && exit 0; touch "$0.ran"; '


@pytest.fixture
def run(root):
    """Runs the tests of a workspace; returns exit status and output of the runner, and the last lines of the report."""

    def run_tests(tests, properties=''):
        make_package(root, tests, properties)
        install = root / 'install'
        install.mkdir(exist_ok=True)
        (install / 'local_setup.bash').write_text('export SOURCED=yes\n')
        logs = root / 'log/test'
        logs.mkdir(parents=True, exist_ok=True)
        environment = {**os.environ, 'TANDEM_ROOT': str(root), 'TANDEM_LINT_FAILED': '0'}
        done = subprocess.run([sys.executable, '-B', SCRIPTS / 'testing/run.py', 'packages'], cwd=root, env=environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100)
        (logs / 'tests.started').touch()
        (logs / 'stages.tsv').write_text(f'tests\t1\t1\t{done.returncode}\n')
        report = subprocess.run([sys.executable, '-B', SCRIPTS / 'testing/report.py', 'log/test'], cwd=root,
                                env=environment, stdout=subprocess.PIPE, text=True, timeout=100)
        return done.returncode, done.stdout, report.stdout

    return run_tests


def summary(report):
    return report.splitlines()[-1]


def test_a_test_finds_its_environment_and_a_world_of_its_own(run):
    status, output, report = run(
        {'a': '[ "$SOURCED$SCALE" = yes10 ] && [ -z "$(ls /dev/shm)" ] && [ "$(ip -o link | wc -l)" = 1 ]'},
        'ENVIRONMENT "SCALE=10"')
    assert status == 0, output + report
    assert summary(report) == '1 passed, 0 failed'


def test_signals_that_a_shell_has_ignored_work_in_a_test_that_is_run_again(run):
    before = [(number, signal.signal(number, signal.SIG_IGN)) for number in (signal.SIGINT, signal.SIGHUP)]
    try:
        is_ended = ' && '.join(f"! sh -c 'kill -{int(number)} $$'" for number, _ in before)
        status, output, report = run({'a': f'if test -e "$0.ran"; then {is_ended}; exit; fi; touch "$0.ran"; exit 1'})
    finally:
        for number, handler in before:
            signal.signal(number, handler)
    assert status == 0 and 'UNSTABLE some_package/a' in report, output + report


def test_one_that_fails_once_is_unstable_and_the_run_passes(run):
    status, output, report = run({'unlucky': ONCE + 'echo seed 4711; exit 1', 'good': 'true'})
    assert status == 0 and 'once more, alone' in output
    assert summary(report) == '2 passed, 0 failed'
    assert 'UNSTABLE some_package/unlucky (seed 4711)' in report


def test_one_that_fails_each_time_fails(run):
    status, output, report = run({'bad': 'exit 1', 'good': 'true'})
    assert status == 1 and output.count('once more, alone') == 3
    assert summary(report) == '1 passed, 1 failed'


@pytest.mark.parametrize('fault, command', [
    ('crash', ONCE + 'kill -SEGV $$'),
    ('sanitizer', ONCE + 'echo "WARNING: ThreadSanitizer: data race"; exit 66'),
    ('cleanup', ONCE + 'touch /dev/shm/left; exit 1'),
    ('lost', ONCE + f'mkdir -p "${{1%/*}}"; echo \'{XML.format("2 messages were lost")}\' >"$1"; exit 1'),
    ('hang', ONCE + f'mkdir -p "${{1%/*}}"; echo \'{XML.format("no answer within 120 s")}\' >"$1"; exit 1')])
def test_a_fault_is_never_bad_luck(run, fault, command):
    status, output, report = run({'faulty': command, 'good': 'true'})
    assert status == 1 and 'once more' not in output, output
    assert summary(report) == '1 passed, 1 failed'


def test_a_known_crash_of_a_middleware_is_bad_luck(run):
    status, _, report = run({'a': ONCE + 'echo "Interprocess mutex timeout when locking. Possible deadlock: owner died '
                                         'without unlocking?"; kill -ABRT $$'})
    assert status == 0 and 'UNSTABLE some_package/a' in report


def test_one_that_does_not_end_is_ended_with_all_that_it_started(run):
    status, output, report = run({'hangs': 'sleep 1234.5 & sleep 1234.5'}, 'TIMEOUT 1')
    assert status == 1 and 'once more' not in output
    assert summary(report) == '0 passed, 1 failed' and 'hung' in report
    assert subprocess.run(['pgrep', '-f', 'sleep 1234.5'], stdout=subprocess.DEVNULL, check=False).returncode == 1


def test_where_many_fail_none_is_run_again(run):
    status, output, _ = run({f'bad_{number}': 'exit 1' for number in range(9)})
    assert status == 1 and 'once more' not in output and 'none of them is run again' in output


def test_what_waited_the_last_time_takes_half_the_room(run, root):
    for _ in range(2):
        assert run({'waits': 'sleep 1', 'works': 'timeout 1 sh -c "while :; do :; done"; true'})[0] == 0
    entries = (root / 'log/test/tests/CTestTestfile.cmake').read_text().splitlines()
    halves = {name: entry.split('PROCESSORS [==[')[1][0] for entry in entries for name in ('waits', 'works')
              if entry.startswith('set_tests_properties') and name in entry}
    assert halves == {'waits': '1', 'works': '2'}


def test_results_of_an_earlier_run_do_not_count(run, root):
    folder = make_package(root, {})
    (folder / 'test_results').mkdir()
    (folder / 'test_results/a.xml').write_text('<testsuite><testcase classname="Ring" name="A"/></testsuite>')
    assert summary(run({'a': 'exit 1'})[2]) == '0 passed, 1 failed'


def test_a_program_that_is_not_built_fails(run):
    status, output, report = run({'missing': None, 'good': 'true'})
    assert status == 1 and summary(report) == '1 passed, 1 failed'
    assert 'FAILED some_package/missing' in report
