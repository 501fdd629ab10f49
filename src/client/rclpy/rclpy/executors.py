"""What runs callbacks.

An executor waits in C++, without the GIL, for all entities of its nodes. Each step gives one of them, with its message
or whatever its callback is called for. Nothing is asked that nothing has happened to: idle entities cost nothing.
Waitables that programs derive are an exception: they are asked before each wait.
"""

from __future__ import annotations

from collections import deque
import os
import threading
import time
from types import CoroutineType
import warnings

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy
from rclpy.task import Future, Task
from rclpy.utilities import get_default_context, timeout_sec_to_nsec

_WAITABLE_TIMER_INTERVAL = 5_000_000  # ns, how often waitables with timers are asked


class TimeoutException(Exception):
    """The time is over, and nothing was ready."""


class ShutdownException(Exception):
    """The executor was shut down."""


class ExternalShutdownException(Exception):
    """The context was shut down, by a signal or another thread."""

    def __init__(self, *args):
        """Say what has happened."""
        super().__init__(*(args or ('The context was shut down',)))


class ConditionReachedException(Exception):
    """What was waited for has come true."""


async def await_or_execute(callback, *args):
    """Call a function, or await a coroutine function."""
    result = callback(*args)
    return await result if isinstance(result, CoroutineType) else result


def _never():
    return False


def _pop(tasks):
    try:
        return tasks.popleft()
    except IndexError:
        return None


class _Work:
    """A callback that is to be called: of an entity, whose group counts as busy until the end of it."""

    __slots__ = ('entity', 'data', 'chosen')  # as long as `chosen` lives, no other of the group is chosen

    def __init__(self, entity, data, chosen):
        self.entity = entity
        self.data = data
        self.chosen = chosen

    def begin(self):
        """Ask the rules of the group. Return False if the callback has to wait."""
        group = self.entity.callback_group
        if not group.beginning_execution(self.entity):
            return False
        if group._kind == 'own':
            self.chosen = None  # its rules alone decide what else may run
        return True

    def end(self):
        """Let others of the group run."""
        self.entity.callback_group.ending_execution(self.entity)
        self.chosen = None


class Executor:
    """Base of executors, and of those that programs write: spin_once() is theirs."""

    _coroutines_hold_groups = True  # whether the group of a coroutine is busy while that waits

    def __init__(self, *, context=None):
        """Make one without nodes."""
        self._context = get_default_context() if context is None else context
        self._nodes = ()  # replaced, not changed: who waits iterates
        self._nodes_lock = threading.RLock()
        self._ready_tasks = deque()
        self._polling_tasks = deque()  # those whose coroutines ask again and again
        self._deferred = deque()  # chosen, but their groups refused
        self._polling_had_turn = False
        self._active = {}  # callbacks that run, by thread
        self._active_changed = threading.Condition()
        self._is_shutdown = False
        self._is_spinning = False
        self._spin_lock = threading.Lock()
        with self._context.handle:
            self._native = _rclpy.Executor(self._context.handle)
        self._context.on_shutdown(self.wake)

    # ---- nodes and tasks --------------------------------------------------------------------------------------------

    @property
    def context(self):
        """Return the context."""
        return self._context

    @property
    def is_spinning(self) -> bool:
        """Return whether some thread spins it."""
        return self._is_spinning

    def create_task(self, callback, *args, **kwargs) -> Task:
        """Have a function or a coroutine run in a later spin; its result is that of the task."""
        task = Task(callback, args, kwargs, executor=self)
        self._call_task_in_next_spin(task)
        return task

    def create_future(self) -> Future:
        """Return a future whose done callbacks are called by this executor."""
        return Future(executor=self)

    def _call_task_in_next_spin(self, task, polls=False):
        (self._polling_tasks if polls else self._ready_tasks).append(task)
        self.wake()

    def add_node(self, node) -> bool:
        """Serve a node, which leaves the executor that it was in. Return False if it was in this one."""
        with self._nodes_lock:
            if node in self._nodes:
                return False
            self._nodes = (*self._nodes, node)
            node.executor = self
            self._native.add_node(node.handle)
        self.wake()
        return True

    def remove_node(self, node):
        """Serve a node no more."""
        with self._nodes_lock:
            if node not in self._nodes:
                return
            self._nodes = tuple(other for other in self._nodes if other is not node)
            try:
                self._native.remove_node(node.handle)
            except (_rclpy.InvalidHandle, RuntimeError):
                pass  # the node or the executor was destroyed
        self.wake()

    def get_nodes(self):
        """Return the nodes."""
        return list(self._nodes)

    def wake(self):
        """End the present or the next wait."""
        if not self._is_shutdown:
            self._native.wake()

    def shutdown(self, timeout_sec: float = None) -> bool:
        """End spins, and wait for callbacks that run in other threads. Return False when the time is over."""
        if not self._is_shutdown:
            self._native.wake()
            self._is_shutdown = True
            self._native.wake()
        if not self._wait_for_callbacks(timeout_sec):
            return False
        for node in self.get_nodes():
            self.remove_node(node)
        self._deferred.clear()
        self._native.destroy_when_not_in_use()
        return True

    def _wait_for_callbacks(self, timeout_sec):
        def others_run():
            return any(thread != threading.get_ident() for thread in list(self._active))

        with self._active_changed:
            return self._active_changed.wait_for(lambda: not others_run(), timeout_sec)

    def __del__(self):
        """Shut down what is left."""
        if not getattr(self, '_is_shutdown', True):
            self._is_shutdown = True
            self._native.destroy_when_not_in_use()

    def __enter__(self):
        """Return it."""
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        """Shut it down."""
        self.shutdown()

    # ---- spinning ---------------------------------------------------------------------------------------------------

    def _enter_spin(self):
        with self._spin_lock:
            if self._is_spinning:
                raise RuntimeError('Executor is already spinning')
            self._is_spinning = True

    def _exit_spin(self):
        self._is_spinning = False

    def spin(self):
        """Run callbacks until shutdown."""
        self._enter_spin()
        try:
            while self._context.ok() and not self._is_shutdown:
                self._spin_once_impl()
        finally:
            self._exit_spin()

    def spin_until_future_complete(self, future, timeout_sec: float = None):
        """Run callbacks until the future has ended; None or a negative time waits for ever."""
        self._enter_spin()
        try:
            future.add_done_callback(lambda _: self.wake())
            end = None if timeout_sec is None or timeout_sec < 0 else time.monotonic() + timeout_sec
            rest = timeout_sec
            while self._context.ok() and not self._is_shutdown and future._pending():
                self._spin_once_until_future_complete(future, rest)
                if end is not None:
                    rest = end - time.monotonic()
                    if rest < 0:
                        break
        finally:
            self._exit_spin()

    def spin_once(self, timeout_sec: float = None):
        """Wait for one callback, and run it; None or a negative time waits for ever."""
        self._enter_spin()
        try:
            self._spin_once_impl(timeout_sec)
        finally:
            self._exit_spin()

    def spin_once_until_future_complete(self, future, timeout_sec: float = None):
        """Wait for one callback, and run it, unless the future ends before."""
        self._enter_spin()
        try:
            future.add_done_callback(lambda _: self.wake())
            self._spin_once_until_future_complete(future, timeout_sec)
        finally:
            self._exit_spin()

    def _spin_once_until_future_complete(self, future, timeout_sec=None):
        self._spin_once_impl(timeout_sec, lambda: not future._pending())

    def _spin_once_impl(self, timeout_sec=None, wait_condition=_never):
        self._is_spinning = False  # classes that have spin_once() only
        self.spin_once(timeout_sec)
        self._is_spinning = True

    # ---- choosing ---------------------------------------------------------------------------------------------------

    def can_execute(self, entity) -> bool:
        """Return whether the entity's callback may run now."""
        return not entity._executor_event and entity.callback_group.can_execute(entity)

    def _next(self, timeout_sec, condition):
        """Return the next task or _Work, whose group is busy from now on. Raise what ends the wait."""
        timeout = timeout_sec_to_nsec(timeout_sec)
        end = time.monotonic_ns() + timeout if timeout > 0 else None
        while True:
            if self._is_shutdown:
                raise ShutdownException()
            if not self._context.ok():
                raise ExternalShutdownException()
            if condition is not _never and condition():
                raise ConditionReachedException()
            if self._ready_tasks or self._polling_tasks or self._deferred:
                found = self._ready_now()
                if found is not None:
                    return found
            rest = timeout if end is None else max(end - time.monotonic_ns(), 0)
            longest, found = self._ask_waitables(rest)
            if found is not None:
                return found
            found = self._take(longest)
            if found is not None:
                return found
            if timeout == 0 or (end is not None and time.monotonic_ns() >= end):
                found = self._ready_now()
                if found is not None:
                    return found
                raise TimeoutException()

    def _ready_now(self):
        """Return what is ready without a look at entities, or None; tasks that poll take turns with those."""
        for _ in range(len(self._deferred)):
            work = self._deferred.popleft()
            if work.begin():
                return work
            self._deferred.append(work)
        task = _pop(self._ready_tasks)
        if task is None and self._polling_tasks:
            if self._polling_had_turn:
                self._polling_had_turn = False
                found = self._take(0)
                if found is not None:
                    return found
            task = _pop(self._polling_tasks)
            self._polling_had_turn = True
        return task

    def _take(self, timeout):
        """Wait for an entity, at most for `timeout` (ns). Return its work, or None."""
        try:
            chosen = self._native.next(timeout)
        except _rclpy.InvalidHandle:
            raise ShutdownException()
        if chosen is None:
            return None
        work = _Work(*chosen)
        if work.begin():
            return work
        self._deferred.append(work)
        return None

    def _ask_waitables(self, timeout):
        """Ask what programs derive. Return how long to wait at most, and the work of one that is ready."""
        for waitable in [waitable for node in self._nodes for waitable in node._polled_waitables]:
            if waitable._executor_event or not waitable.callback_group.can_execute(waitable):
                continue
            wait_set = _rclpy.WaitSet(0, 0, 0, 0, 0, 0, self._context.handle)
            with waitable:
                waitable.add_to_wait_set(wait_set)
                for handle in wait_set.entities():
                    self._native.watch(handle)
                if waitable.is_ready(wait_set):
                    work = _Work(waitable, waitable.take_data(), None)
                    if work.begin():
                        return timeout, work
            if wait_set.has_timers():
                timeout = _WAITABLE_TIMER_INTERVAL if timeout < 0 else min(timeout, _WAITABLE_TIMER_INTERVAL)
        return timeout, None

    # ---- running ----------------------------------------------------------------------------------------------------

    def _run(self, found):
        """Run a task or a callback. Raise what it raises."""
        thread, active = threading.get_ident(), self._active
        active[thread] = active.get(thread, 0) + 1
        try:
            if isinstance(found, _Work):
                self._run_work(found)
            else:
                found()
                if found.done() and found.exception() is not None:
                    raise found.exception()
        finally:
            active[thread] -= 1
            if not active[thread]:
                del active[thread]
            if self._is_shutdown:
                with self._active_changed:
                    self._active_changed.notify_all()

    def _run_work(self, work):
        try:
            result = work.entity._run(work.data)
        except BaseException:
            self._end(work)
            raise
        is_coroutine = isinstance(result, CoroutineType)
        if not (is_coroutine and self._coroutines_hold_groups):
            self._end(work)
        if not is_coroutine:
            return
        if self._coroutines_hold_groups:
            result = self._finish(work, result)
        task = Task(result, executor=self)
        task()
        if task.done() and task.exception() is not None:
            raise task.exception()

    async def _finish(self, work, coroutine):
        try:
            await coroutine
        finally:
            self._end(work)

    def _end(self, work):
        work.end()
        if self._deferred:
            self.wake()

    def wait_for_ready_callbacks(self, timeout_sec=None, nodes=None, condition=_never):
        """Return (task, entity, node) of the next callback; the task is to be called.

        Raise TimeoutException, ShutdownException, ExternalShutdownException or ConditionReachedException.
        """
        found = self._next(timeout_sec, condition)
        if isinstance(found, Task):
            return found, None, None
        entity = found.entity
        return Task(self._run_work, (found,), executor=self), entity, entity._source_node()

    def _wait_for_ready_callbacks(self, timeout_sec=None, nodes=None, condition=_never):
        while True:
            yield self.wait_for_ready_callbacks(timeout_sec, nodes, condition)


class SingleThreadedExecutor(Executor):
    """Run callbacks in the thread that spins."""

    def _spin_once_impl(self, timeout_sec=None, wait_condition=_never):
        try:
            found = self._next(timeout_sec, wait_condition)
        except (ShutdownException, TimeoutException, ConditionReachedException):
            return
        self._run(found)


class MultiThreadedExecutor(Executor):
    """Run callbacks in a pool of threads."""

    def __init__(self, num_threads: int = None, *, context=None):
        """Take the number of threads, by default that of processors."""
        super().__init__(context=context)
        from concurrent.futures import ThreadPoolExecutor
        if num_threads is None:
            num_threads = len(os.sched_getaffinity(0)) or 2
        if num_threads == 1:
            warnings.warn(
                'MultiThreadedExecutor is used with a single thread.\n'
                'Use the SingleThreadedExecutor instead.')
        self._executor = ThreadPoolExecutor(num_threads)
        self._futures = {}  # those of the pool, with what they run

    def _spin_once_impl(self, timeout_sec=None, wait_condition=_never):
        try:
            found = self._next(timeout_sec, wait_condition)
        except (ExternalShutdownException, ShutdownException, TimeoutException, ConditionReachedException):
            pass
        else:
            self._submit(found)
        ended = [running for running in self._futures if running.done()]
        for running in ended:
            del self._futures[running]
        for running in ended:
            running.result()  # raises what the callback has raised

    def _submit(self, found):
        try:
            running = self._executor.submit(self._run, found)
        except RuntimeError:  # the pool has ended, with the interpreter
            self._is_shutdown = True
            return
        except BaseException:  # Ctrl-C; a thread that has just been started may be unknown to the pool
            self._executor.shutdown(wait=False)
            raise
        self._futures[running] = found
        running.add_done_callback(self._on_end)

    def _on_end(self, running):
        if running.exception() is not None:
            self.wake()  # who spins raises it

    def spin_until_future_complete(self, future, timeout_sec: float = None):
        """Run callbacks until the future has ended; None or a negative time waits for ever."""
        super().spin_until_future_complete(future, timeout_sec)
        if future.done():
            for running in [running for running, found in self._futures.items() if found is future]:
                del self._futures[running]
                running.result()  # its thread may be just about to end

    def shutdown(self, timeout_sec: float = None, wait_for_threads: bool = False) -> bool:
        """End spins, and wait for callbacks that run in other threads. Return False when the time is over."""
        is_done = super().shutdown(timeout_sec)
        self._executor.shutdown(wait=wait_for_threads)
        return is_done
