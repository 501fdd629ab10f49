"""What processes write. (PYTEST_DONT_REWRITE)"""

from .active import ActiveHandler
from .asserts import assertInStream
from .util import NoMatchingProcessException, resolveProcesses


class IoHandler:
    """The events of output, in the order in which they came. handler[process] has those of one process, which is given
    by its action or its whole name; KeyError if it was not started."""

    def __init__(self):
        self._events = []
        self._by_name = {}

    def track(self, process_name):
        """The process was started."""
        self._by_name.setdefault(process_name, [])

    def append(self, process_io):
        self._events.append(process_io)
        self._by_name.setdefault(process_io.process_name, []).append(process_io)

    def __iter__(self):
        return iter(self._events)

    def __getitem__(self, key):
        return list(self._by_name[key if isinstance(key, str) else key.process_details['name']])

    def processes(self):
        """The actions of the processes that have written something."""
        return [events[0].action for events in self._by_name.values() if events]

    def process_names(self):
        """The names of the processes that were started."""
        return self._by_name.keys()


class ActiveIoHandler(ActiveHandler):
    """As IoHandler, while the processes run. Thread-safe; `io_event` is the condition that new output notifies."""

    def __init__(self):
        self._io_handler = IoHandler()
        super().__init__(self._io_handler)

    @property
    def io_event(self):
        return self.condition

    def track(self, process_name):
        with self.condition:
            self._io_handler.track(process_name)
            self.condition.notify_all()

    def waitFor(self, expected_output, process=None, cmd_args=None, *, timeout=10, **kwargs):
        """Whether assertInStream(), which takes the same arguments, comes true within so many seconds. Any process if
        none is given. Raises Exception if such a process has written nothing at all by then."""
        def is_there():
            try:
                assertInStream(self._io_handler, expected_output, process, cmd_args, **kwargs)
            except (AssertionError, NoMatchingProcessException):
                return False
            return True
        with self.condition:
            if self.condition.wait_for(is_there, timeout):
                return True
        try:
            resolveProcesses(self, process=process, cmd_args=cmd_args, strict_proc_matching=False)
        except NoMatchingProcessException as error:
            raise Exception(f'after {timeout} s, {error}') from None
        return False

    def assertWaitFor(self, *args, **kwargs):
        """waitFor() is true."""
        assert self.waitFor(*args, **kwargs), 'Waiting for output timed out'
