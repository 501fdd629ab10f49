"""How processes began and ended. (PYTEST_DONT_REWRITE)"""

from launch.events.process import ProcessExited

from .active import ActiveHandler
from .util import NoMatchingProcessException, resolveProcesses


class ProcInfoHandler:
    """The last event of each process, ProcessStarted or ProcessExited. handler[process] has that of one process, which
    is given by its action or a part of its name; KeyError if it was not started."""

    def __init__(self):
        self._events = {}

    def append(self, process_info):
        self._events[process_info.action] = process_info

    def __iter__(self):
        return iter(self._events.values())

    def __getitem__(self, key):
        if not isinstance(key, str):
            return self._events[key]
        for event in self._events.values():
            if key in event.process_name:
                return event
        raise KeyError(key)

    def processes(self):
        """The actions of the processes."""
        return self._events.keys()

    def process_names(self):
        return [event.process_name for event in self._events.values()]


class ActiveProcInfoHandler(ActiveHandler):
    """As ProcInfoHandler, while the processes run. Thread-safe; `proc_event` is the condition that starts and ends
    notify."""

    def __init__(self):
        self._proc_info_handler = ProcInfoHandler()
        super().__init__(self._proc_info_handler)

    @property
    def proc_event(self):
        return self.condition

    def _wait_for(self, condition, process, cmd_args, timeout):
        def is_met():
            try:
                action, *_ = resolveProcesses(self._proc_info_handler, process=process, cmd_args=cmd_args)
            except NoMatchingProcessException:
                return False
            return condition(self._proc_info_handler[action])
        with self.condition:
            return self.condition.wait_for(is_met, timeout)

    def wait_for_all_to_end(self, timeout):
        """Whether all processes that were started have ended within so many seconds."""
        with self.condition:
            return self.condition.wait_for(
                lambda: all(isinstance(event, ProcessExited) for event in self._proc_info_handler), timeout)

    def assertWaitForStartup(self, process, cmd_args=None, *, timeout=10):
        """The process is started within so many seconds."""
        assert self._wait_for(lambda event: True, process, cmd_args, timeout), \
            f"Timed out waiting for process '{process}' to start"

    def assertWaitForShutdown(self, process, cmd_args=None, *, timeout=10):
        """The process ends within so many seconds."""
        assert self._wait_for(lambda event: isinstance(event, ProcessExited), process, cmd_args, timeout), \
            f"Timed out waiting for process '{process}' to finish"
