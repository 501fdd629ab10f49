"""Several things that have to be ready before the tests begin."""

import threading


class ReadyAggregator:
    """Calls `ready_fn` when its own ready_fn() was called `num_to_aggregate` times. Thread-safe."""

    def __init__(self, ready_fn, num_to_aggregate):
        self._ready_fn = ready_fn
        self._missing = num_to_aggregate
        self._lock = threading.Lock()

    def ready_fn(self):
        with self._lock:
            self._missing -= 1
            is_last = self._missing == 0
        if is_last:
            self._ready_fn()
