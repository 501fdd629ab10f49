"""Results that are there later, and what computes them in an executor."""

from __future__ import annotations

from enum import Enum
import inspect
import sys
import threading
from types import GenericAlias
import warnings
import weakref


def _no_executor():
    return None


def _runs_in_asyncio():
    asyncio_events = sys.modules.get('asyncio.events')
    return asyncio_events is not None and asyncio_events._get_running_loop() is not None


class FutureState(Enum):
    """Where a future is."""

    PENDING = 'PENDING'
    CANCELLED = 'CANCELLED'
    FINISHED = 'FINISHED'


class Future:
    """Hold a result or an exception once it is there. Thread-safe."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, *, executor=None):
        """Make one that is pending; `executor` calls the done callbacks, else whoever ends the future does."""
        self._state = FutureState.PENDING
        self._result = None
        self._exception = None
        self._exception_fetched = False
        self._callbacks = []
        self._lock = threading.Lock()
        self._executor = _no_executor
        self._set_executor(executor)

    def __del__(self):
        """Tell of an exception that nobody has asked for."""
        if self._exception is not None and not self._exception_fetched:
            print(f'The following exception was never retrieved: {self._exception}', file=sys.stderr)

    def __await__(self):
        """Wait in a coroutine."""
        while self._pending():
            # An event loop of asyncio takes no futures of others: it asks again.
            yield None if _runs_in_asyncio() else self
        return self.result()

    def _pending(self) -> bool:
        return self._state is FutureState.PENDING

    def cancel(self):
        """Cancel it, unless it is done."""
        with self._lock:
            if not self._pending():
                return
            self._state = FutureState.CANCELLED
        self._schedule_or_invoke_done_callbacks()

    def cancelled(self) -> bool:
        """Return whether it was cancelled."""
        return self._state is FutureState.CANCELLED

    def done(self) -> bool:
        """Return whether there is a result or an exception."""
        return self._state is FutureState.FINISHED

    def result(self):
        """Return the result, or None if it is not done; raise the exception if there is one."""
        if self._exception is not None:
            raise self.exception()
        return self._result

    def exception(self):
        """Return the exception, or None."""
        self._exception_fetched = True
        return self._exception

    def set_result(self, result):
        """End it with a result. If it has ended already, only what result() returns changes."""
        self._finish(result, self._exception)

    def set_exception(self, exception):
        """End it with an exception. If it has ended already, only what exception() returns changes."""
        self._finish(self._result, exception)

    def _finish(self, result, exception):
        with self._lock:
            self._result = result
            self._exception = exception
            self._exception_fetched = False
            self._state = FutureState.FINISHED
        self._schedule_or_invoke_done_callbacks()

    def _schedule_or_invoke_done_callbacks(self):
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
        for callback in callbacks:
            self._schedule_or_invoke(callback)

    def _schedule_or_invoke(self, callback):
        executor = self._executor()
        if isinstance(callback, _Resume):
            callback(self)
        elif executor is not None:
            executor.create_task(callback, self)
        else:
            try:
                callback(self)
            except Exception as error:
                warnings.warn(f'Unhandled exception in done callback: {error}')

    def _set_executor(self, executor):
        self._executor = _no_executor if executor is None else weakref.ref(executor)

    def add_done_callback(self, callback):
        """Call back with the future when it has ended, at once if it has."""
        with self._lock:
            if self._pending():
                self._callbacks.append(callback)
                return
        self._schedule_or_invoke(callback)

    def remove_done_callback(self, callback) -> bool:
        """Forget a callback. Return whether it was there."""
        with self._lock:
            before = len(self._callbacks)
            self._callbacks = [kept for kept in self._callbacks if kept != callback]
            return len(self._callbacks) < before


class _Resume:
    """A done callback that goes on with a task: without a task of its own."""

    def __init__(self, task, executor):
        self._task = task
        self._executor = executor

    def __call__(self, future):
        self._executor._call_task_in_next_spin(self._task)


class Task(Future):
    """Run a function or a coroutine, whose result it has then. Each call goes on until the coroutine waits."""

    def __init__(self, handler, args=None, kwargs=None, executor=None):
        """Take what is to be called, or a coroutine that has been made."""
        super().__init__(executor=executor)
        self._handler = handler
        self._args = () if args is None else args
        self._kwargs = {} if kwargs is None else kwargs
        self._is_coroutine = inspect.iscoroutine(handler)
        if not self._is_coroutine and inspect.iscoroutinefunction(handler):
            self._handler = handler(*self._args, **self._kwargs)
            self._is_coroutine = True
            self._args = self._kwargs = None
        self._executing = False
        self._task_lock = threading.Lock()

    def __call__(self):
        """Run it, unless it has ended or another thread runs it."""
        if not self._pending() or self._executing or not self._task_lock.acquire(blocking=False):
            return
        try:
            if not self._pending():
                return
            self._executing = True
            if self._is_coroutine:
                self._step()
            else:
                self._call()
        finally:
            self._executing = False
            self._task_lock.release()

    def _call(self):
        try:
            result = self._handler(*self._args, **self._kwargs)
        except Exception as error:
            self._handler = self._args = self._kwargs = None
            self.set_exception(error)
            return
        self._args = self._kwargs = None
        if inspect.iscoroutine(result):
            self._handler, self._is_coroutine = result, True
            self._step()
        else:
            self._handler = None
            self.set_result(result)

    def _step(self):
        try:
            waits_for = self._handler.send(None)
        except StopIteration as end:
            self._handler = None
            self.set_result(end.value)
            return
        except Exception as error:
            self._handler = None
            self.set_exception(error)
            return
        self._go_on_after(waits_for)

    def _go_on_after(self, waits_for):
        executor = self._executor()
        if waits_for is None:
            if executor is not None:
                executor._call_task_in_next_spin(self, polls=True)
        elif isinstance(waits_for, Future):
            other = waits_for._executor()
            if executor is None:
                return
            if other is not None and other is not executor:
                self._fail(RuntimeError('A task can only await futures associated with the same executor'))
                return
            waits_for.add_done_callback(_Resume(self, executor))
        else:
            self._fail(TypeError(f'Expected coroutine to yield a Future or None, got: {type(waits_for)}'))

    def _fail(self, error):
        self._handler.close()
        self._handler = None
        self.set_exception(error)

    def executing(self) -> bool:
        """Return whether a thread runs it now."""
        return self._executing

    def cancel(self):
        """Cancel it: a coroutine that waits does not go on."""
        if self._pending() and self._is_coroutine and not self._executing and self._handler is not None:
            self._handler.close()
        super().cancel()
