"""Recordings that go on while tests look at them."""

import threading


class ActiveHandler:
    """Access to a handler that is appended to by another thread; `condition` is notified of what is new."""

    def __init__(self, handler):
        self.condition = threading.Condition()
        self._handler = handler

    def append(self, event):
        with self.condition:
            self._handler.append(event)
            self.condition.notify_all()

    def __iter__(self):
        with self.condition:
            return iter(list(self._handler))

    def __getitem__(self, key):
        with self.condition:
            return self._handler[key]

    def processes(self):
        """The actions of the processes of which something is recorded."""
        with self.condition:
            return list(self._handler.processes())

    def process_names(self):
        with self.condition:
            return list(self._handler.process_names())
