"""The way of callbacks from a thread that waits into an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
import contextvars
from functools import partial
import threading
from types import CoroutineType
from typing import Any, TYPE_CHECKING

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    from rclpy.experimental.async_entity import AsyncServed
    from rclpy.experimental.async_node import AsyncNode


class AsyncBridge:
    """Serve a node in an event loop.

    A thread waits in C++ for all entities of the node, and hands over what it takes: one item of an entity, and the
    next one when the callback has ended, or, if callbacks may run at the same time, has begun. Coroutines become tasks
    of a group, which ends with the first error of a callback.
    """

    def __init__(self, node: AsyncNode, tasks: asyncio.TaskGroup, on_shutdown: Callable[[], None]):
        """Begin to serve a node in the loop that runs.

        :param on_shutdown: called in the loop after shutdown of the context
        """
        self._tasks = tasks
        self._on_shutdown = on_shutdown
        self._loop = asyncio.get_running_loop()
        self._variables = contextvars.copy_context()
        self._context = node.context
        self._is_stopped = False
        with self._context.handle:
            self._native = _rclpy.Executor(self._context.handle)
        self._native.add_node(node.handle)
        # Not waited for at the end of the interpreter if the loop has ended before the node.
        self._thread = threading.Thread(target=self._wait, name=f'asyncio of {node.get_name()}', daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Call back no more."""
        if not self._is_stopped:
            self._is_stopped = True
            self._native.wake()

    def join(self) -> None:
        """Stop, and wait for the end of the thread, which only has to wake up."""
        self.stop()
        self._thread.join()

    # ---- in the thread that waits -----------------------------------------------------------------------------------

    def _wait(self) -> None:
        try:
            while not self._is_stopped:
                if not self._take():
                    break
        except _rclpy.InvalidHandle:
            pass  # the interpreter ends
        except Exception as error:
            self._post(self._fail, error)
        finally:
            self._native.destroy_when_not_in_use()

    def _take(self) -> bool:
        """Hand over one item. Return whether there may be more."""
        found = self._native.next(-1)
        if found is not None:
            return self._post(self._deliver, *found)
        return self._context.ok() or not self._post(self._on_shutdown)

    def _post(self, function: Callable[..., None], *args: Any) -> bool:
        """Have the loop call something. Return False if it is closed."""
        try:
            self._loop.call_soon_threadsafe(function, *args, context=self._variables)
        except RuntimeError:
            return False
        return True

    # ---- in the loop ------------------------------------------------------------------------------------------------

    def _deliver(self, entity: AsyncServed, data: Any, chosen: Any) -> None:
        """Call back. Nothing else of the entity is taken as long as somebody holds `chosen`."""
        if self._is_stopped or not entity._is_wanted():
            return
        try:
            result = entity._run(data)
        except Exception as error:
            self._fail(error)
            return
        if not isinstance(result, CoroutineType):
            self._complete(entity, data, result)
            return
        if self._is_stopped:  # the callback has destroyed its node
            result.close()
            return
        # No coroutine of ours around it: one that is cancelled before it has begun would not close the inner one.
        task = self._tasks.create_task(result)
        entity._tasks.add(task)
        task.add_done_callback(partial(self._on_end, entity, data, None if entity._concurrent else chosen))

    def _on_end(self, entity: AsyncServed, data: Any, chosen: Any, task: asyncio.Task) -> None:
        entity._tasks.discard(task)
        if task.cancelled():
            return
        if task.exception() is not None:
            self.stop()  # the group raises it
        else:
            self._complete(entity, data, task.result())

    def _complete(self, entity: AsyncServed, data: Any, result: Any) -> None:
        try:
            entity._complete(data, result)
        except Exception as error:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        """Have the group of tasks raise an error, unless it ends already."""
        if not self._is_stopped:
            self.stop()
            self._tasks.create_task(_raise(error))


async def _raise(error: Exception) -> None:
    raise error
