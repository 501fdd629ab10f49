"""An executor that is told what is ready, as all executors here are."""

from rclpy.executors import ConditionReachedException
from rclpy.executors import ExternalShutdownException
from rclpy.executors import ShutdownException
from rclpy.executors import SingleThreadedExecutor
from rclpy.executors import TimeoutException


class EventsExecutor(SingleThreadedExecutor):
    """Run callbacks in the thread that spins, whatever their groups: coroutines that wait hold up no others.

    A spin ends by ExternalShutdownException after shutdown of the context. One with a timeout runs all that is ready.
    """

    _coroutines_hold_groups = False

    def _enter_spin(self):
        with self._spin_lock:
            if self._is_spinning:
                raise RuntimeError('Attempt to spin an already-spinning Executor')
            self._is_spinning = True

    def _exit_spin(self):
        super()._exit_spin()
        if not self._context.ok():
            raise ExternalShutdownException()

    def spin_until_future_complete(self, future, timeout_sec: float = None):
        """Run callbacks until the future has ended; then, or when the time is over, what is ready still."""
        super().spin_until_future_complete(future, timeout_sec)
        self._enter_spin()
        try:
            while future._pending():
                self._run(self._next(0, lambda: not future._pending()))
        except (ConditionReachedException, ShutdownException, TimeoutException):
            pass
        finally:
            self._exit_spin()
