"""What programs derive to be served by executors in a way of their own."""

from __future__ import annotations

from types import GenericAlias


class NumberOfEntities:
    """How many entities of each kind something waits for."""

    __slots__ = ['num_subscriptions', 'num_guard_conditions', 'num_timers', 'num_clients', 'num_services', 'num_events']

    def __init__(self, num_subs=0, num_gcs=0, num_timers=0, num_clients=0, num_services=0, num_events=0):
        """Take the numbers."""
        self.num_subscriptions = num_subs
        self.num_guard_conditions = num_gcs
        self.num_timers = num_timers
        self.num_clients = num_clients
        self.num_services = num_services
        self.num_events = num_events

    def __add__(self, other: NumberOfEntities) -> NumberOfEntities:
        """Return the sums."""
        return NumberOfEntities(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    def __repr__(self) -> str:
        """Return all numbers."""
        return f"<{type(self).__name__}({', '.join(str(getattr(self, name)) for name in self.__slots__)})>"


class Waitable:
    """Something that tells by itself whether it is ready.

    Before an executor waits, it calls add_to_wait_set() and is_ready(); if that is so, take_data() and execute()
    follow.
    """

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, callback_group):
        """Take the group in which execute() runs."""
        self.callback_group = callback_group
        self._executor_event = False
        self._futures = []

    def __enter__(self):
        """Keep what it waits for alive."""

    def __exit__(self, t, v, tb):
        """Let go of what was kept."""

    def add_future(self, future):
        """Note a future that execute() ends."""
        self._futures.append(future)

    def remove_future(self, future):
        """Forget a future."""
        self._futures.remove(future)

    def is_ready(self, wait_set) -> bool:
        """Return whether what add_to_wait_set() added is ready."""
        raise NotImplementedError('Must be implemented by subclass')

    def take_data(self):
        """Return what execute() gets, so that it is no longer ready."""
        raise NotImplementedError('Must be implemented by subclass')

    async def execute(self, taken_data):
        """Do the work."""
        raise NotImplementedError('Must be implemented by subclass')

    def get_num_entities(self) -> NumberOfEntities:
        """Return how many entities it waits for."""
        raise NotImplementedError('Must be implemented by subclass')

    def add_to_wait_set(self, wait_set):
        """Add the entities that it waits for."""
        raise NotImplementedError('Must be implemented by subclass')

    async def _run(self, taken_data):
        await self.execute(taken_data)
