"""What rclpy.init() sets up, and rclpy.shutdown() ends."""

from __future__ import annotations

from collections.abc import Callable
import sys
import threading
import weakref

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy


class Context:
    """Arguments, domain and middleware of nodes. Thread-safe."""

    def __init__(self):
        """Make one that is not initialized."""
        self._lock = threading.RLock()
        self._callbacks = []
        self.__context = None

    @property
    def handle(self):
        """Return the native part, None before init()."""
        return self.__context

    def destroy(self):
        """Let go of the native part."""
        if self.__context is not None:
            self.__context.destroy_when_not_in_use()

    def init(self, args: list[str] | None = None, *, initialize_logging: bool = True, domain_id: int | None = None):
        """Initialize it, once.

        :param args: arguments, by default those of the process
        :param initialize_logging: whether the arguments set levels of loggers
        :param domain_id: by default that of ROS_DOMAIN_ID
        """
        if domain_id is not None and domain_id < 0:
            raise RuntimeError(f'Domain id ({domain_id}) should not be lower than zero.')
        with self._lock:
            if self.__context is not None:
                raise RuntimeError('Context.init() must only be called once')
            self.__context = _rclpy.Context(
                list(sys.argv if args is None else args),
                _rclpy.RCL_DEFAULT_DOMAIN_ID if domain_id is None else domain_id)
            if initialize_logging:
                _rclpy.rclpy_logging_configure(self.__context)

    def ok(self) -> bool:
        """Return whether it is initialized and not shut down."""
        context = self.__context
        if context is None:
            return False
        with context:
            return context.ok()

    def shutdown(self):
        """Shut it down; RuntimeError if it is not initialized or shut down already."""
        if self.__context is None:
            raise RuntimeError('Context must be initialized before it can be shutdown')
        with self.__context:
            self.__context.shutdown()
        self._call_on_shutdown_callbacks()

    def try_shutdown(self):
        """Shut it down, if it is not."""
        if self.__context is None:
            return
        with self.__context, self._lock:
            if self.__context.ok():
                self.__context.shutdown()
        self._call_on_shutdown_callbacks()

    def on_shutdown(self, callback: Callable[[], None]):
        """Call back at shutdown, or now if that is over. The objects of bound methods are held weakly."""
        if not callable(callback):
            raise TypeError(f'callback should be a callable, got {type(callback)}')
        if self.__context is not None and not self.ok():
            callback()
            return
        with self._lock:
            if hasattr(callback, '__self__'):
                self._callbacks.append(weakref.WeakMethod(callback, self._remove_callback))
            else:
                self._callbacks.append(lambda: callback)

    def _call_on_shutdown_callbacks(self):
        with self._lock:
            callbacks, self._callbacks = self._callbacks, []
        for weak in callbacks:
            callback = weak()
            if callback is not None:
                callback()

    def _remove_callback(self, weak_method):
        with self._lock:
            if weak_method in self._callbacks:
                self._callbacks.remove(weak_method)

    def get_domain_id(self) -> int:
        """Return the number of the domain."""
        if self.__context is None:
            raise RuntimeError('Context must be initialized before it can have a domain id')
        with self.__context:
            return self.__context.get_domain_id()

    def __enter__(self) -> Context:
        """Initialize it."""
        self.init()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        """Shut it down, if it is not."""
        self.try_shutdown()
