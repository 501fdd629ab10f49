"""Runs launch descriptions: visits their entities, dispatches events, waits for what was begun, ends it."""

import asyncio
import contextlib
import signal
import sys
import threading
import traceback

from .actions.execute_local import HurryUp
from .event_handlers import OnIncludeLaunchDescription, OnShutdown
from .events import IncludeLaunchDescription, Shutdown
from .invalid_launch_file_error import InvalidLaunchFileError
from .launch_context import LaunchContext
from .logging import DEBUG, get_logger, launch_config
from .utilities import normalize_to_list_of_entities, visit_all_entities_and_collect_futures

_SIGNALS = {signal.SIGINT: 'ctrl-c (SIGINT)', signal.SIGTERM: 'SIGTERM', signal.SIGHUP: 'a closed terminal (SIGHUP)',
            signal.SIGQUIT: 'ctrl-\\ (SIGQUIT)'}


class LaunchService:
    """Takes any number of launch descriptions, before or while it runs."""

    def __init__(self, *, argv=None, noninteractive=False, debug=False):
        self.context = LaunchContext(argv=argv, noninteractive=noninteractive)
        self.event_loop = None
        self.task = None
        self._debug = debug
        self._logger = get_logger('launch')
        if debug:
            launch_config.level = DEBUG
        self._futures = []
        self._shutting_down = False
        self._returncode = 0
        self._changed = None
        self.context.register_event_handler(OnIncludeLaunchDescription())
        self.context.register_event_handler(OnShutdown(on_shutdown=self._on_shutdown))

    def include_launch_description(self, launch_description):
        """Thread-safe."""
        self.emit_event(IncludeLaunchDescription(launch_description))

    def emit_event(self, event):
        """Thread-safe."""
        loop = self.event_loop
        if loop is None or threading.current_thread() is threading.main_thread():
            self.context.emit_event_sync(event)
        else:
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits for events any more
                loop.call_soon_threadsafe(self.context.emit_event_sync, event)

    def shutdown(self, force_sync=False):
        """Ends everything that goes on, and then run(). Thread-safe."""
        self.emit_event(Shutdown(reason='LaunchService.shutdown() called', due_to_sigint=False))

    def run(self, *, shutdown_when_idle=True):
        """Until nothing is left to do, or until it was told to shut down. From the main thread only.

        \\return 0, or 1 if something in the description went wrong; how processes end does not matter.
        """
        loop = asyncio.new_event_loop()
        asyncio.set_event_loop(loop)
        try:
            return loop.run_until_complete(self.run_async(shutdown_when_idle=shutdown_when_idle))
        finally:
            asyncio.set_event_loop(None)
            loop.close()

    async def run_async(self, *, shutdown_when_idle=True):
        """As run(), in a loop that runs already."""
        if self.event_loop is not None:
            raise RuntimeError('this LaunchService runs already')
        if threading.current_thread() is not threading.main_thread():
            raise RuntimeError('a LaunchService has to run in the main thread, where signals arrive')
        self._prepare()
        try:
            while True:
                self._dispatch_all()
                if self._is_idle():
                    if self._shutting_down:
                        return self._returncode
                    if shutdown_when_idle:
                        self._begin_shutdown('idle')
                        continue
                await self._changed.wait()
                self._changed.clear()
        finally:
            self._end()

    def _prepare(self):
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(self._on_loop_exception)
        self.event_loop = self.context.asyncio_loop = loop
        self.task = asyncio.current_task()
        self._changed = asyncio.Event()
        self.context.on_change = self._changed.set
        self._signals_before = {number: signal.getsignal(number) for number in _SIGNALS}
        for number in _SIGNALS:
            loop.add_signal_handler(number, self._on_signal, number)
        self._logger.info(f'All log files can be found below {launch_config.log_dir}')
        self._logger.info(f'Default logging verbosity is set to {"DEBUG" if self._debug else "INFO"}')

    def _end(self):
        for number, handler in self._signals_before.items():
            self.event_loop.remove_signal_handler(number)
            signal.signal(number, handler)
        self.event_loop = self.context.asyncio_loop = self.context.on_change = self.task = None
        self._shutting_down = self.context.is_shutdown = False
        sys.stdout.flush()

    # Events

    def _dispatch_all(self):
        while self.context.events:
            event = self.context.events.popleft()
            for handler in self.context.event_handlers:
                try:
                    self._dispatch(handler, event)
                except Exception as error:
                    self._on_error(error)

    def _dispatch(self, handler, event):
        if not handler.matches(event):
            return
        self._logger.debug(f"processing event: '{event.name}' ✓ '{type(handler).__name__}'")
        with self.context.fresh_locals(), self.context.in_scope(getattr(handler, '_scope', None)):
            entities = handler.handle(event, self.context)
            for entity in [] if entities is None else normalize_to_list_of_entities(entities):
                self._watch(visit_all_entities_and_collect_futures(entity, self.context))

    def _watch(self, pairs):
        for _, future in pairs:
            self._futures.append(future)
            future.add_done_callback(self._on_done)

    def _on_done(self, future):
        self._changed.set()
        if not future.cancelled() and future.exception() is not None:
            self._on_error(future.exception())

    def _is_idle(self):
        self._futures = [future for future in self._futures if not future.done()]
        return not self._futures and not self.context.completion_futures() and not self.context.events

    # Ends

    def _on_error(self, error):
        """Something in the launch file is wrong: says where, and ends what was begun."""
        self._returncode = 1
        location = getattr(error, 'launch_location', None)
        where = f'{location}: ' if location and not isinstance(error, InvalidLaunchFileError) else ''
        kind = f'{type(error).__name__}: ' if not isinstance(error, (RuntimeError, ValueError)) and where else ''
        self._logger.debug(''.join(traceback.format_exception(error)))
        self._logger.error(f'Caught exception in launch (see debug for traceback): {where}{kind}{error}')
        self._begin_shutdown(str(error))

    def _on_loop_exception(self, loop, details):
        self._on_error(details.get('exception') or RuntimeError(details['message']))

    def _begin_shutdown(self, reason, due_to_sigint=False):
        if not self._shutting_down:
            self._shutting_down = self.context.is_shutdown = True
            self.context.emit_event_sync(Shutdown(reason=reason, due_to_sigint=due_to_sigint))

    def _on_shutdown(self, event, context):
        self._shutting_down = context.is_shutdown = True

    def _on_signal(self, number):
        """The first one ends everything; each further one makes it quicker."""
        if number == signal.SIGINT:
            self._logger.warning('user interrupted with ctrl-c (SIGINT)')
        else:
            self._logger.warning(f'ending because of {_SIGNALS[number]}')
        if self._shutting_down:
            self.emit_event(HurryUp())
        else:
            self._begin_shutdown(_SIGNALS[number], due_to_sigint=number == signal.SIGINT)
