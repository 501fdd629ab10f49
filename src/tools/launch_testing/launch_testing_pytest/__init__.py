"""Runs files whose generate_test_description has the mark `launch_test` (or `rostest`, which means the same) as launch
tests: one item for each file.

pytest loads this package whenever the workspace is sourced, so it imports launch_testing only where it is needed.
"""

import pytest

MARKS = ('launch_test', 'rostest')


class LaunchTestFailure(Exception):
    """Some tests have failed."""

    def __init__(self, results):
        super().__init__('some test cases have failed')
        self.results = results

    def report(self):
        failed = [report for result in self.results.values() for report in [*result.errors, *result.failures]]
        return '\n\n'.join(f'FAIL: {case.id()}\n{text}' for case, text in failed)


class LaunchTestItem(pytest.Item):
    """All launches of a file."""

    module = None

    def runtest(self):
        from launch_testing.loader import LoadTestsFromPythonModule
        from launch_testing.test_runner import LaunchTestRunner
        words = [word for some in self.config.getoption('--launch-args') for word in some]
        runner = LaunchTestRunner(LoadTestsFromPythonModule(self.module, name=self.module.__name__), words,
                                  debug=self.config.getoption('verbose') > 1)
        runner.validate()
        results = runner.run()
        if not all(result.wasSuccessful() for result in results.values()):
            raise LaunchTestFailure(results)

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, LaunchTestFailure):
            return excinfo.value.report()
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f'launch tests: {self.name}'


class LaunchTestModule(pytest.File):
    """A file of launch tests."""

    module = None

    def collect(self):
        item = LaunchTestItem.from_parent(self, name=self.module.__name__)
        item.module = self.module
        yield item


def pytest_pycollect_makemodule(module_path, parent):
    if 'generate_test_description' not in module_path.read_text(errors='replace'):
        return None
    module = pytest.Module.from_parent(parent, path=module_path).obj
    marks = getattr(getattr(module, 'generate_test_description', None), 'pytestmark', [])
    if not any(mark.name in MARKS for mark in marks):
        return None
    made = LaunchTestModule.from_parent(parent, path=module_path)
    made.module = module
    for mark in marks:
        made.add_marker(getattr(pytest.mark, mark.name).with_args(*mark.args, **mark.kwargs))
    return made


def pytest_addoption(parser):
    parser.addoption('--launch-args', action='append', nargs='*', default=[], help='arguments of launch tests')


def pytest_configure(config):
    for name in MARKS:
        config.addinivalue_line('markers', f'{name}: the function generate_test_description of a launch test')
