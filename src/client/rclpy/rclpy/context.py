"""Contexts: what nodes, executors and clocks of one domain share between init() and shutdown()."""

from __future__ import annotations

from collections.abc import Callable
import sys
import threading
from types import MethodType
from typing import TYPE_CHECKING
import weakref

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    from types import TracebackType

ContextHandle = _rclpy.Context

g_logging_configure_lock = threading.Lock()
g_logging_ref_count = 0


class Context:
    """One life of ROS in a process, from init() to shutdown(). Thread-safe.

    As a context manager, it is initialized at the begin and shut down at the end.
    """

    def __init__(self) -> None:
        """Make a context that is not initialized."""
        self._lock = threading.RLock()
        self._callbacks: list[Callable[[], None] | weakref.WeakMethod] = []
        self._logging_initialized = False
        self.__context: ContextHandle | None = None

    @property
    def handle(self) -> ContextHandle | None:
        """Return the native part; None before init()."""
        return self.__context

    def destroy(self) -> None:
        """Destroy the native part once nobody uses it."""
        if self.__context is not None:
            self.__context.destroy_when_not_in_use()

    def init(self, args: list[str] | None = None, *, initialize_logging: bool = True,
             domain_id: int | None = None) -> None:
        """Begin, once.

        :param args: arguments of the command line, by default those of this process
        :param initialize_logging: whether arguments may change the levels of loggers and where lines go
        :param domain_id: by default that of the environment (ROS_DOMAIN_ID)
        :raises RuntimeError: the domain is negative, arguments are wrong, or it was initialized before
        """
        if domain_id is None:
            domain_id = _rclpy.RCL_DEFAULT_DOMAIN_ID
        elif domain_id < 0:
            raise RuntimeError(f'Domain id ({domain_id}) should not be lower than zero.')
        with self._lock:
            if self.__context is not None:
                raise RuntimeError('Context.init() must only be called once')
            context = _rclpy.Context(list(sys.argv if args is None else args), domain_id)
            if initialize_logging:
                self._logging_configure(context)
            self.__context = context

    def ok(self) -> bool:
        """Return whether it is initialized and not shut down."""
        context = self.__context
        return context is not None and context.ok()

    def shutdown(self) -> None:
        """End it. RuntimeError if it is not initialized, or has ended already."""
        if self.__context is None:
            raise RuntimeError('Context must be initialized before it can be shutdown')
        try:
            with self.__context, self._lock:
                self.__context.shutdown()
        finally:
            self._after_shutdown()

    def try_shutdown(self) -> None:
        """End it unless that has happened already."""
        if self.__context is None:
            return
        with self._lock:
            if self.__context.ok():
                self.__context.shutdown()
        self._after_shutdown()

    def on_shutdown(self, callback: Callable[[], None]) -> None:
        """Call a function at the shutdown, or now if that is past.

        A method is forgotten when its object dies.
        """
        if not callable(callback):
            raise TypeError(f'callback should be a callable, got {type(callback)}')
        with self._lock:
            if self.__context is None or self.__context.ok():
                self._callbacks = [held for held in self._callbacks if _alive(held) is not None]
                self._callbacks.append(weakref.WeakMethod(callback) if isinstance(callback, MethodType) else callback)
                return
        callback()

    def get_domain_id(self) -> int:
        """Return the domain. RuntimeError before init()."""
        if self.__context is None:
            raise RuntimeError('Context must be initialized before it can have a domain id')
        with self.__context:
            return self.__context.get_domain_id()

    def _after_shutdown(self) -> None:
        self._call_on_shutdown_callbacks()
        self._logging_fini()

    def _call_on_shutdown_callbacks(self) -> None:
        """Call each callback once, without the lock: they may use the context."""
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
        for held in callbacks:
            callback = _alive(held)
            if callback is not None:
                callback()

    def _logging_configure(self, context: ContextHandle) -> None:
        """Configure logging, which the first of several contexts does."""
        global g_logging_ref_count
        with g_logging_configure_lock:
            if g_logging_ref_count == 0:
                _rclpy.rclpy_logging_configure(context)
            g_logging_ref_count += 1
            self._logging_initialized = True

    def _logging_fini(self) -> None:
        """End logging, which the last of several contexts does."""
        global g_logging_ref_count
        with g_logging_configure_lock:
            if not self._logging_initialized:
                return
            self._logging_initialized = False
            g_logging_ref_count -= 1
            if g_logging_ref_count == 0:
                _rclpy.rclpy_logging_fini()

    def __enter__(self) -> Context:
        """Initialize it with the arguments of this process, unless it is initialized."""
        if not self.ok():
            self.init()
        return self

    def __exit__(self, exc_type: type[BaseException] | None, exc_val: BaseException | None,
                 exc_tb: TracebackType | None) -> None:
        """Shut it down."""
        self.try_shutdown()


def _alive(held: Callable[[], None] | weakref.WeakMethod) -> Callable[[], None] | None:
    """Return the callback itself; None if its object has died."""
    return held() if isinstance(held, weakref.WeakMethod) else held
