"""What launches ask of nodes: calls of services, and messages of topics. `ros2 __talk`, a process beside the launch,
has the node that does this; it begins with the first question and ends at shutdown."""

import json
import os
import shutil
import signal

import launch.logging
import yaml
from launch.event_handlers import OnShutdown
from launch.process import Process, Surroundings


_PATIENCE = 10  # seconds until it is told what is waited for


class CallError(RuntimeError):
    """A service was not called, or did not answer."""


class ROSAdapter:
    """Asks in the environment that the launch has now. To be used from the launch's loop only."""

    def __init__(self, context):
        self._context = context
        self._loop = context.asyncio_loop
        self._logger = launch.logging.get_logger('launch_ros')
        self._calls = {}
        self._count = 0
        self._callbacks = {}
        self._rest = b''
        self._ended = self._loop.create_future()
        self._ending = False
        environment = dict(context.environment)
        command = [_ros2(environment), '__talk', f'launch_ros_{os.getpid()}']
        self._process = Process(self._loop, command, Surroundings(env=environment), on_output=self._on_output,
                                on_exit=self._on_exit)

    def watch(self, topic, kind, callback):
        """Calls callback(message) for each message, a dict. The name is absolute."""
        self._callbacks.setdefault(topic, []).append(callback)
        if len(self._callbacks[topic]) == 1:
            self._send(watch=topic, type=kind)

    def call(self, service, kind, request, *, after=None, give_up=None):
        """Waits for the service, however long. With `after`, it also waits until that topic, which is watched, has a
        publisher, so that nothing is missed of what follows.

        \\return a future with the response, a dict; None at shutdown, or if the future `give_up` is done before;
        CallError if there will be none.
        """
        future = self._loop.create_future()
        if self._ending or (give_up is not None and give_up.done()):
            future.set_result(None)
            return future
        self._count += 1
        number = self._count
        self._calls[number] = future
        text = yaml.safe_dump(request, default_flow_style=True, allow_unicode=True)  # JSON has no infinity
        words = {'call': service, 'type': kind, 'id': number, 'request': text}
        self._send(**words, **({'after': after} if after else {}))
        reminder = self._loop.call_later(_PATIENCE, self._logger.warning, f"still waiting for service '{service}'")
        future.add_done_callback(lambda _: reminder.cancel())
        if give_up is not None:
            give_up.add_done_callback(lambda _: self._cancel(number))
        return future

    def shutdown(self, *_):
        """Abandons the calls."""
        if self._ending:
            return
        self._ending = True
        for future in self._take_calls():
            future.set_result(None)
        if self._process.returncode is None:
            self._context.add_completion_future(self._ended)
            self._process.signal(signal.SIGTERM)

    def _cancel(self, number):
        future = self._calls.pop(number, None)
        if future is not None:
            future.set_result(None)
            self._send(cancel=number)

    def _take_calls(self):
        """Those that wait."""
        calls, self._calls = self._calls, {}
        return calls.values()

    def _send(self, **order):
        try:
            self._process.write((json.dumps(order) + '\n').encode())
        except OSError as error:
            self._logger.error(f'cannot write to ros2 __talk: {error}')

    def _on_output(self, stream, data):
        if stream == 2:
            self._logger.error(data.decode(errors='replace').rstrip())
            return
        *lines, self._rest = (self._rest + data).split(b'\n')
        for line in lines:
            self._understand(json.loads(line))

    def _understand(self, line):
        if 'topic' in line:
            for callback in self._callbacks.get(line['topic'], []):
                callback(line['message'])
            return
        future = self._calls.pop(line.get('id'), None)
        if future is not None and 'response' in line:
            future.set_result(line['response'])
        elif future is not None:
            future.set_exception(CallError(line['error']))
        elif 'id' not in line:  # else it was given up
            self._logger.error(line['error'])

    def _on_exit(self, returncode):
        self._process.close()
        if not self._ending:
            self._logger.error(f'ros2 __talk ended with exit code {returncode}: no more is heard of nodes')
        self._ending = True
        for future in self._take_calls():
            future.set_exception(CallError('ros2 __talk has ended'))
        self._ended.set_result(None)


def get_ros_adapter(context):
    """That of this launch and of the environment that it has now. It is made when there is none."""
    adapters = context.get_locals_as_dict().get('ros_adapters', {})
    key = frozenset(context.environment.items())
    if key not in adapters:
        adapters[key] = ROSAdapter(context)
        context.extend_globals({'ros_adapters': adapters})
        context.register_event_handler(OnShutdown(on_shutdown=adapters[key].shutdown))
    return adapters[key]


def _ros2(environment):
    program = shutil.which('ros2', path=environment.get('PATH'))
    if program is None:
        raise RuntimeError("nodes cannot be asked anything, because the program 'ros2' is not in PATH; "
                           'was the setup.bash of the workspace sourced?')
    return program


__all__ = ['CallError', 'ROSAdapter', 'get_ros_adapter']
