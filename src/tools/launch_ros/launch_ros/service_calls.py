"""Calls of services of nodes from a launch. `ros2 service call` makes them, so a launch needs no client library."""

import ast
import asyncio
import shutil
import signal

import launch.logging
import yaml
from launch.event_handlers import OnShutdown
from launch.process import Process, Surroundings

_PATIENCE = 10  # seconds until it is told what is waited for


class ServiceCaller:
    """Calls in the environment that the launch has now."""

    def __init__(self, context):
        self._context = context
        self._environment = dict(context.environment)
        self._logger = launch.logging.get_logger('launch_ros')

    async def call(self, service, service_type, request, give_up=None):
        """The response as a dict. Waits for the server as long as it takes; None if the launch ends before there is
        a response, or the future `give_up` is done. `request` is a dict. Raises RuntimeError if it cannot be sent."""
        if self._context.is_shutdown or (give_up is not None and give_up.done()):
            return None
        loop = self._context.asyncio_loop
        output = {1: bytearray(), 2: bytearray()}
        exited = loop.create_future()
        process = Process(loop, [self._program(), 'service', 'call', '--stdin', service, service_type],
                          Surroundings(env=self._environment), on_exit=exited.set_result,
                          on_output=lambda fd, data: output[fd].extend(data))

        def interrupt(event, context):
            process.signal(signal.SIGINT)
        on_shutdown = OnShutdown(on_shutdown=interrupt)
        self._context.register_event_handler(on_shutdown)
        reminder = loop.call_later(_PATIENCE, self._logger.warning, f"still waiting for service '{service}'")
        try:
            process.write(yaml.safe_dump(request, default_flow_style=True, allow_unicode=True).encode())
            process.end_input()
            await asyncio.wait({exited} if give_up is None else {exited, give_up}, return_when=asyncio.FIRST_COMPLETED)
            process.signal(signal.SIGINT)
            status = await exited
        finally:
            reminder.cancel()
            self._context.unregister_event_handler(on_shutdown)
            process.close()
        if status == 0:
            return _response(output[1].decode())
        if self._context.is_shutdown or (give_up is not None and give_up.done()):
            return None
        raise RuntimeError(f"cannot call service '{service}': {output[2].decode().strip() or status}")

    def _program(self):
        program = shutil.which('ros2', path=self._environment.get('PATH'))
        if program is None:
            raise RuntimeError("services cannot be called, because the program 'ros2' is not in PATH; "
                               'was the setup.bash of the workspace sourced?')
        return program


def _response(output):
    """Of "response:" and a line as in pkg.srv.Type_Response(success=True, message='')."""
    fields = ast.parse(output.rpartition('\nresponse:\n')[2].strip(), mode='eval').body.keywords
    return {field.arg: _value(field.value) for field in fields}


def _value(node):
    if isinstance(node, ast.Call):
        return {field.arg: _value(field.value) for field in node.keywords}
    if isinstance(node, ast.List):
        return [_value(element) for element in node.elts]
    return ast.literal_eval(node)
