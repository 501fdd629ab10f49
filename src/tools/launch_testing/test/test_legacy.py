"""Scripts that run their tests with launch_testing.legacy."""

import re
import sys

import pytest

SCRIPT = """
    from launch import LaunchService
    from launch_testing.legacy import LaunchTestService

    description = LaunchDescription()
    tests = LaunchTestService()
    {}
    service = LaunchService()
    service.include_launch_description(description)
    sys.exit(tests.run(service))
"""
FAILS_WHEN_STOPPED = """sh('trap "exit 5" INT; while :; do sleep 0.05; done')"""
SHUTDOWN = 'description.add_action(TimerAction(period=0.5, actions=[Shutdown()]))'


def run(runner, *lines):
    return runner.run_command([sys.executable, str(runner.file(SCRIPT.format('; '.join(lines))))])


def added_test(process):
    return f'tests.add_test_action(description, {process})'


def added_fixture(process):
    return f'tests.add_fixture_action(description, {process})'


@pytest.mark.parametrize('lines', [
    [added_test("sh('exit 0')"), added_fixture('sh(WAITING)')],
    [added_test("sh('sleep 0.5')"), added_fixture("sh('exit 2'), exit_allowed=[2]")],
    [added_test("sh('sleep 0.5')"), added_fixture("sh('exit 2'), exit_allowed=True")],
])
def test_they_pass(runner, lines):
    results = run(runner, *lines)
    assert results.status == 0, results.output


@pytest.mark.parametrize('lines, said', [
    ([added_test("sh('exit 3', name='bad')")], r"the test 'bad-\d+' ended with status 3"),
    ([added_test('sh(WAITING)'), added_fixture("sh('exit 2', name='base')")],
     r"'base-\d+', which tests need, ended with status 2"),
    ([added_test(FAILS_WHEN_STOPPED), SHUTDOWN], r"the test 'sh-\d+' ended with status 5"),
    ([added_test("LogInfo(msg='hi')")], 'an ExecuteProcess is needed'),
])
def test_they_fail_and_say_why(runner, lines, said):
    results = run(runner, *lines)
    assert results.status == 1
    assert re.search(said, results.output), results.output


def test_one_that_fails_keeps_no_other_from_ending(runner):
    results = run(runner, added_test("sh('exit 3')"), added_test("sh('sleep 1; touch ended')"))
    assert results.status == 1
    assert (runner.folder / 'ended').exists()
