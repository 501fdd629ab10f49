"""Processes that tests start themselves."""

import contextlib

import launch
from launch.utilities import ensure_argument_type

from ..io_handler import ActiveIoHandler
from ..proc_info_handler import ActiveProcInfoHandler


class _Waited:
    """The outcome of a wait, with what had been written: both show up when an assertion on it fails."""

    def __init__(self, outcome, output):
        self._outcome = outcome
        self._output = output

    def __bool__(self):
        return bool(self._outcome)

    def __repr__(self):
        return f'<{bool(self._outcome)}, output: {self._output!r}>'


class ProcessProxy:
    """What is known of a process. Its output goes through `output_filter`, if there is one."""

    def __init__(self, process_action, proc_info, proc_output, *, output_filter=None):
        ensure_argument_type(process_action, launch.actions.ExecuteProcess, 'process_action', 'ProcessProxy')
        ensure_argument_type(proc_info, ActiveProcInfoHandler, 'proc_info', 'ProcessProxy')
        ensure_argument_type(proc_output, ActiveIoHandler, 'proc_output', 'ProcessProxy')
        if output_filter is not None and not callable(output_filter):
            raise TypeError(f"Expected 'output_filter' to be callable, not {output_filter!r}")
        self._action = process_action
        self._proc_info = proc_info
        self._proc_output = proc_output
        self._output_filter = output_filter or (lambda text: text)

    @property
    def target_process_action(self):
        return self._action

    def wait_for_shutdown(self, timeout=None):
        """Whether it has ended within so many seconds; for ever if None."""
        with self._proc_info.proc_event:
            return self._proc_info.proc_event.wait_for(lambda: self.terminated, timeout)

    def wait_for_output(self, condition=None, timeout=None):
        """Whether it was started and condition(output) has become true within so many seconds; for ever if None.
        Without a condition, whether it was started."""
        if condition is not None and not callable(condition):
            raise TypeError(f"Expected 'condition' to be callable, not {condition!r}")
        output = None

        def is_met():
            nonlocal output
            if self._action not in self._proc_info.processes():
                return False
            output = self.output
            return condition is None or condition(output)
        with self._proc_output.io_event:
            return _Waited(self._proc_output.io_event.wait_for(is_met, timeout), output)

    def _text(self, wanted):
        data = b''.join(event.text for event in self._proc_output[self._action] if wanted(event))
        return self._output_filter(data.decode(errors='replace'))

    @property
    def stdout(self):
        return self._text(lambda event: event.from_stdout)

    @property
    def stderr(self):
        return self._text(lambda event: event.from_stderr)

    @property
    def output(self):
        return self._text(lambda event: True)

    def _last_event_is_a(self, event_class):
        return self._action in self._proc_info.processes() and isinstance(self._proc_info[self._action], event_class)

    @property
    def running(self):
        return self._last_event_is_a(launch.events.process.ProcessStarted)

    @property
    def terminated(self):
        return self._last_event_is_a(launch.events.process.ProcessExited)

    @property
    def exit_code(self):
        return self._proc_info[self._action].returncode


@contextlib.contextmanager
def launch_process(launch_service, process_action, proc_info, proc_output, **kwargs):
    """Within the context the process runs; as ProcessProxy, whose further arguments may be given."""
    proxy = ProcessProxy(process_action, proc_info, proc_output, **kwargs)
    launch_service.include_launch_description(launch.LaunchDescription([process_action]))
    try:
        yield proxy
    finally:
        if not proxy.terminated:
            launch_service.emit_event(launch.events.process.ShutdownProcess(
                process_matcher=launch.events.matches_action(process_action)))
