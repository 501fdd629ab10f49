"""The results of goals that have ended."""

from __future__ import annotations

from collections import deque
import threading
from typing import Any, Callable, TYPE_CHECKING

from rclpy.constants import S_TO_NS

if TYPE_CHECKING:
    from .entities import ActionEntities
    from rclpy.clock import Clock
    from rclpy.timer import Timer


class ResultStore:
    """Keep results for a while, and give them to whoever asks, now or once they are there. Thread-safe.

    A key stands for a goal.
    """

    def __init__(self, entities: ActionEntities, clock: Clock, timeout_sec: float,
                 on_expired: Callable[[list[bytes]], None]) -> None:
        """Keep results for a time by the clock; a negative one is without end. `on_expired` is called with keys."""
        self._entities = entities
        self._clock = clock
        self._timeout_ns = int(timeout_sec * S_TO_NS)
        self._on_expired = on_expired
        self._lock = threading.Lock()
        self._results: dict[bytes, Any] = {}
        self._waiting: dict[bytes, list[Callable[[Any], None]]] = {}  # those of goals without a result
        self._ends: deque[tuple[int, bytes]] = deque()  # when results expire, the next one first
        self._timer: Timer | None = None  # there is one while a result can expire

    def open(self, key: bytes) -> None:
        """Begin to wait for the result of a new goal."""
        with self._lock:
            self._waiting[key] = []

    def give(self, key: bytes, respond: Callable[[Any], None]) -> bool:
        """Call a function with the result of a goal, now or later. Return False if there is none any more, or ever."""
        with self._lock:
            if key in self._waiting:
                self._waiting[key].append(respond)
                return True
            result = self._results.get(key)
        if result is None:
            return False
        respond(result)
        return True

    def set(self, key: bytes, result: Any) -> None:
        """Set the result of a goal that has none."""
        with self._lock:
            if key not in self._waiting:
                return
            waiting = self._waiting.pop(key)
            self._results[key] = result
            if self._timeout_ns >= 0:
                self._ends.append((self._clock.now().nanoseconds + self._timeout_ns, key))
                if self._timer is None:
                    self._timer = self._new_timer()
        for respond in waiting:
            respond(result)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._results.clear()
            self._waiting.clear()
            self._ends.clear()
            timer, self._timer = self._timer, None
        if timer is not None:
            self._entities.remove(timer)

    def _new_timer(self) -> Timer:
        """Return a timer until the next result expires."""
        wait = self._ends[0][0] - self._clock.now().nanoseconds
        return self._entities.timer(max(wait, 1), self._expire)

    def _expire(self) -> None:
        expired = []
        with self._lock:
            now = self._clock.now().nanoseconds
            while self._ends and self._ends[0][0] <= now:
                key = self._ends.popleft()[1]
                del self._results[key]
                expired.append(key)
            timer, self._timer = self._timer, self._new_timer() if self._ends else None
        if timer is not None:
            self._entities.remove(timer)
        if expired:
            self._on_expired(expired)
