"""What all that an AsyncNode serves has in common."""

from __future__ import annotations

import asyncio
from typing import Any

from rclpy.callback_groups import MutuallyExclusiveCallbackGroup
from rclpy.impl.entity import Entity


class AsyncServed(Entity):
    """An entity whose callbacks run in the event loop of its node. It is destroyed in the thread of that loop."""

    def __init__(self, *args, concurrent: bool = False, **kwargs):
        """Wrap the native part.

        :param concurrent: whether coroutines of several callbacks may run at the same time
        """
        self._concurrent = concurrent
        self._tasks: set[asyncio.Task] = set()  # of coroutines of callbacks
        super().__init__(*args, **kwargs)

    @staticmethod
    def _own_group() -> MutuallyExclusiveCallbackGroup:
        """Return a group for one entity: what is taken of it is one item, until that is done with."""
        return MutuallyExclusiveCallbackGroup()

    def _is_wanted(self) -> bool:
        """Return whether what was taken before is still to be called back for."""
        return not self._destroyed

    def _complete(self, data: Any, result: Any) -> None:
        """Do what follows a callback that has ended."""

    def _destroy(self) -> None:
        """Cancel callbacks that wait for something, but not the one that asks for that."""
        try:
            current = asyncio.current_task()
        except RuntimeError:  # no loop runs here
            current = None
        for task in list(self._tasks):
            if task is not current:
                task.cancel()
        super()._destroy()
