"""Events of processes: what happened to them, and what is to happen to them."""

import os
import signal as signals

from ..event import Event
from ..utilities import alias_modules


class RunningProcessEvent(Event):
    """Something that happened to a process."""

    name = 'launch.events.process.RunningProcessEvent'

    def __init__(self, *, action, name, cmd, cwd, env, pid):
        self.action = action
        self.process_name = name
        self.cmd = cmd
        self.cwd = cwd
        self.env = env
        self.pid = pid

    @property
    def execute_process_action(self):
        return self.action


class ProcessStarted(RunningProcessEvent):
    name = 'launch.events.process.ProcessStarted'


class ProcessExited(RunningProcessEvent):
    """`returncode` is negative for a process that a signal ended."""

    name = 'launch.events.process.ProcessExited'

    def __init__(self, *, returncode, **kwargs):
        super().__init__(**kwargs)
        self.returncode = returncode


class ProcessIO(RunningProcessEvent):
    """Bytes of a process's standard input (fd 0), output (1) or error (2)."""

    name = 'launch.events.process.ProcessIO'

    def __init__(self, *, text, fd, **kwargs):
        super().__init__(**kwargs)
        self.text = text
        self.fd = fd
        self.from_stdin = fd == 0
        self.from_stdout = fd == 1
        self.from_stderr = fd == 2


class ProcessStdout(ProcessIO):
    name = 'launch.events.process.ProcessStdout'

    def __init__(self, *, text, **kwargs):
        super().__init__(text=text, fd=1, **kwargs)


class ProcessStderr(ProcessIO):
    name = 'launch.events.process.ProcessStderr'

    def __init__(self, *, text, **kwargs):
        super().__init__(text=text, fd=2, **kwargs)


class ProcessStdin(ProcessIO):
    """Writes to the standard input of the process."""

    name = 'launch.events.process.ProcessStdin'

    def __init__(self, *, text, **kwargs):
        super().__init__(text=text, fd=0, **kwargs)


class ProcessTargetedEvent(Event):
    """Something that is to happen to the processes that a function of their actions chooses."""

    name = 'launch.events.process.ProcessTargetedEvent'

    def __init__(self, *, process_matcher):
        self.process_matcher = process_matcher


class ShutdownProcess(ProcessTargetedEvent):
    """Ends processes: SIGINT, later SIGTERM, later SIGKILL."""

    name = 'launch.events.process.ShutdownProcess'


class SignalProcess(ProcessTargetedEvent):
    """Sends a signal, given by number or by name."""

    name = 'launch.events.process.SignalProcess'

    def __init__(self, *, signal_number, process_matcher):
        super().__init__(process_matcher=process_matcher)
        by_name = isinstance(signal_number, str)
        self.signal = signals.Signals[signal_number] if by_name else signals.Signals(signal_number)

    @property
    def signal_name(self):
        return self.signal.name


def matches_pid(pid):
    """A matcher of the process with this number."""
    return lambda action: action.process_details is not None and action.process_details.get('pid') == pid


def matches_name(name):
    """A matcher of processes by their name, with or without the number at its end."""
    def matches(action):
        details = action.process_details
        return details is not None and name in (details['name'], details['name'].rpartition('-')[0])
    return matches


def matches_executable(executable):
    """A matcher of processes by the file that they run, with or without its folder."""
    def matches(action):
        command = (action.process_details or {}).get('cmd') or ['']
        return executable in (command[0], os.path.basename(command[0]))
    return matches


__all__ = ['ProcessExited', 'ProcessIO', 'ProcessStarted', 'ProcessStderr', 'ProcessStdin', 'ProcessStdout',
           'ProcessTargetedEvent', 'RunningProcessEvent', 'ShutdownProcess', 'SignalProcess', 'matches_executable',
           'matches_name', 'matches_pid']
alias_modules(__name__, __all__)
