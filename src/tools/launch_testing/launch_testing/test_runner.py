"""Launches, with tests that run meanwhile and afterwards."""

import inspect
import threading
import unittest

import launch
from launch.actions import IncludeLaunchDescription, RegisterEventHandler
from launch.event_handlers import OnProcessExit, OnProcessIO, OnProcessStart

from .io_handler import ActiveIoHandler
from .parse_arguments import parse_launch_arguments
from .proc_info_handler import ActiveProcInfoHandler
from .test_result import FailResult, SkipResult, TestResult


# Seconds for processes that end by themselves: a test that waits for their last line is over before they are.
GRACE = 0.5


class _LaunchEndedTooEarly(Exception):
    pass


def _run_tests(suite):
    return unittest.TextTestRunner(verbosity=2, resultclass=TestResult).run(suite)


class _RunnerWorker:
    """One launch. It has to run in the main thread, so the tests that run meanwhile have a thread of their own."""

    def __init__(self, test_run, preamble, launch_arguments, debug):
        self._test_run = test_run
        self._preamble = preamble
        self._launch_arguments = parse_launch_arguments(launch_arguments)
        self._service = launch.LaunchService(debug=debug)
        self._is_ready = threading.Event()
        self._has_ended = threading.Event()
        self._results = None
        self._failure = None
        self._proc_info = ActiveProcInfoHandler()
        self._proc_output = ActiveIoHandler()

    def run(self):
        """Results of all tests. Raises _LaunchEndedTooEarly, and SkipTest if the description does."""
        description, context = self._test_run.normalized_test_description(ready_fn=self._is_ready.set)
        self._bind(context)
        self._service.include_launch_description(self._with_handlers(description))
        thread = threading.Thread(target=self._run_test, name='tests', daemon=True)
        thread.start()
        self._service.run(shutdown_when_idle=not self._test_run.markers.get('keep_alive', False))
        self._has_ended.set()
        if self._results is None:
            self._is_ready.set()  # lets the thread go, should it still wait
            print(self._failure or 'Processes under test stopped before tests completed')
            self._print_failed_processes()
            raise _LaunchEndedTooEarly(self._failure or 'Launch stopped before the active tests finished.')
        self._results.append(_run_tests(self._test_run.post_shutdown_tests))
        return self._results

    def _bind(self, context):
        context = {**context, **self._test_run.param_args}
        known = {'test_args': dict(self._launch_arguments)}
        active = {**known, 'launch_service': self._service, 'proc_info': self._proc_info,
                  'proc_output': self._proc_output}
        ended = {**known, 'proc_info': self._proc_info._proc_info_handler,
                 'proc_output': self._proc_output._io_handler}
        self._test_run.bind(self._test_run.pre_shutdown_tests, active, {**context, **active})
        self._test_run.bind(self._test_run.post_shutdown_tests, ended, {**context, **ended})

    def _with_handlers(self, description):
        def on_start(event, context):
            self._proc_info.append(event)
            self._proc_output.track(event.process_name)

        return launch.LaunchDescription([
            *self._preamble,
            RegisterEventHandler(OnProcessStart(on_start=on_start)),
            RegisterEventHandler(OnProcessExit(on_exit=lambda event, context: self._proc_info.append(event))),
            RegisterEventHandler(OnProcessIO(on_stdout=self._proc_output.append, on_stderr=self._proc_output.append)),
            IncludeLaunchDescription(launch.LaunchDescriptionSource(description),
                                     launch_arguments=self._launch_arguments)])

    def _run_test(self):
        if not self._is_ready.wait(self._test_run.timeout):
            self._failure = f'Timed out waiting for processes to start up ({self._test_run.timeout} s)'
        elif not self._has_ended.is_set():
            try:
                self._results = _run_tests(self._test_run.pre_shutdown_tests)
            except BaseException as error:  # of unittest itself, such as an interrupted test
                self._failure = f'the tests were interrupted: {error!r}'
            self._proc_info.wait_for_all_to_end(GRACE)
        self._service.shutdown()

    def _print_failed_processes(self):
        for event in self._proc_info:
            if getattr(event, 'returncode', 0) == 0:
                continue
            head = f"##### '{event.process_name}' output #####"
            print(f"Process '{event.process_name}' exited with {event.returncode}\n{head}")
            for output in self._proc_output[event.action]:
                print(output.text.decode(errors='replace'))
            print('#' * len(head))


class LaunchTestRunner:
    """Runs the tests of several launches, one after the other."""

    def __init__(self, test_runs, launch_file_arguments=(), debug=False):
        self._test_runs = test_runs
        self._launch_file_arguments = launch_file_arguments
        self._debug = debug

    def generate_preamble(self):
        """Actions before those of each description; for derived classes."""
        return []

    def run(self):
        """A dict of results by run. The runs that follow one whose launch has ended too early are left out: most
        likely the user interrupted it."""
        results = {}
        for run in self._test_runs:
            if len(self._test_runs) > 1:
                print(f'\nStarting test run {run}')
            worker = _RunnerWorker(run, self.generate_preamble(), self._launch_file_arguments, self._debug)
            try:
                results[run] = worker.run()
            except unittest.SkipTest as skip:
                print(f'{run} is skipped: {skip}')
                results[run] = SkipResult(run, str(skip))
            except _LaunchEndedTooEarly as error:
                results[run] = FailResult(run, str(error))
                break
        return results

    def validate(self):
        """Raises an exception if arguments of a description do not fit what it is called with."""
        for run in self._test_runs:
            signature = inspect.signature(inspect.unwrap(run._test_description_function))
            for name in run.param_args.keys() - signature.parameters.keys():
                raise Exception('Could not find an argument in generate_test_description for the parameter '
                                f"'{name}'")
            for name, parameter in signature.parameters.items():
                if name not in run.param_args and parameter.default is parameter.empty:
                    raise Exception(f"generate_test_description has unexpected extra argument '{name}'")
