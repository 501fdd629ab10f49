"""An executor that is told what is ready, as all executors here are."""

from rclpy.executors import ExternalShutdownException, SingleThreadedExecutor


class EventsExecutor(SingleThreadedExecutor):
    """Run callbacks in the thread that spins; a spin ends by ExternalShutdownException at shutdown."""

    def _enter_spin(self):
        with self._spin_lock:
            if self._is_spinning:
                raise RuntimeError('Attempt to spin an already-spinning Executor')
            self._is_spinning = True

    def _exit_spin(self):
        super()._exit_spin()
        if not self._context.ok():
            raise ExternalShutdownException()
