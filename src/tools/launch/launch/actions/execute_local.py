"""A process: started, listened to, started again, ended."""

import io
import os
import signal

from ..action import ProcessAction
from ..conditions import evaluate_condition_expression
from ..event_handler import BaseEventHandler
from ..event_handlers import OnProcessExit
from ..events import Shutdown
from ..events.process import ProcessExited, ProcessIO, ProcessStarted, ProcessStderr, ProcessStdin, ProcessStdout
from ..events.process import ShutdownProcess, SignalProcess
from ..event import Event
from ..launch_description_entity import LaunchDescriptionEntity
from ..logging import get_logger, get_output_loggers
from ..process import Process, Surroundings
from ..substitutions import LaunchConfiguration
from ..utilities import normalize_to_list_of_entities, normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution


class HurryUp(Event):
    """Somebody does not want to wait for processes that were told to end."""

    name = 'launch.events.HurryUp'


class ExecuteLocal(ProcessAction):
    """Runs what a process description says.

    At shutdown the process gets SIGINT, SIGTERM after `sigterm_timeout` seconds, and SIGKILL after another
    `sigkill_timeout`. It is started once the launch file was visited as far as it goes by then, so that one that is
    broken starts nothing.
    """

    def __init__(self, *, process_description, shell=False,
                 sigterm_timeout=LaunchConfiguration('sigterm_timeout', default=5),
                 sigkill_timeout=LaunchConfiguration('sigkill_timeout', default=5), emulate_tty=False, output='log',
                 output_format='[{this.process_description.final_name}] {line}', cached_output=False, log_cmd=False,
                 on_exit=None, respawn=False, respawn_delay=None, respawn_max_retries=-1, **kwargs):
        super().__init__(**kwargs)
        self.process_description = process_description
        self.shell = shell
        self.sigterm_timeout = normalize_to_list_of_substitutions(sigterm_timeout)
        self.sigkill_timeout = normalize_to_list_of_substitutions(sigkill_timeout)
        self.emulate_tty = emulate_tty
        output = os.environ.get('OVERRIDE_LAUNCH_PROCESS_OUTPUT', output)
        self.output = output if isinstance(output, dict) else normalize_to_list_of_substitutions(output)
        self._output_format = output_format
        self._cache = {1: io.StringIO(), 2: io.StringIO()} if cached_output else None
        self._log_cmd = log_cmd
        self._on_exit = on_exit
        self._respawn = normalize_typed_substitution(respawn, bool)
        self._respawn_delay = float(respawn_delay or 0)
        self._respawns_left = respawn_max_retries
        self.process_details = None
        self._executed = False
        self._process = None
        self._returncode = None
        self._future = None
        self._context = None
        self._ending = False
        self._timer = None
        self._last_signal = None
        self._partial = {1: '', 2: ''}

    def get_sub_entities(self):
        if self._on_exit is None or not isinstance(self._on_exit, (LaunchDescriptionEntity, list, tuple)):
            return []
        return normalize_to_list_of_entities(self._on_exit)

    def describe_sub_entities(self):
        return self.get_sub_entities()

    def describe_conditional_sub_entities(self):
        return []

    def get_asyncio_future(self):
        return self._future

    @property
    def return_code(self):
        """None while the process runs; negative if a signal ended it."""
        return self._returncode

    def get_stdout(self):
        return self._cached(1)

    def get_stderr(self):
        return self._cached(2)

    def _cached(self, fd):
        if self._cache is None:
            raise RuntimeError('what the process writes is only kept with cached_output=True')
        return self._cache[fd].getvalue()

    def prepare(self, context):
        """Evaluates what the process is made of."""
        description = self.process_description
        description.prepare(context, self)
        self.process_details = {'action': self, 'name': description.final_name, 'cmd': description.final_cmd,
                                'cwd': description.final_cwd, 'env': description.final_env}

    def execute(self, context):
        if self._executed:
            raise RuntimeError(f'{self.describe()} is executed a second time; make an action for each process')
        self.prepare(context)
        self._executed = True
        if context.is_shutdown:
            return None
        name = self.process_details['name']
        self._context = context
        self._logger = get_logger(name)
        output = self.output if isinstance(self.output, dict) else perform_substitutions(context, self.output)
        self._stream_loggers = dict(zip((1, 2), get_output_loggers(name, output)))
        self._respawn = perform_typed_substitution(context, self._respawn, bool)
        self._tty = self._wants_tty(context)
        self._timeouts = [self._seconds(context, what, subs) for what, subs in (
            ('sigterm_timeout', self.sigterm_timeout), ('sigkill_timeout', self.sigkill_timeout))]
        handlers = [_ProcessHandler(self)]
        if self._on_exit is not None:
            handlers.append(OnProcessExit(target_action=self, on_exit=self._on_exit))
        for handler in handlers:
            handler._scope = context.scope()
            context.register_event_handler(handler)
        self._future = context.asyncio_loop.create_future()
        context.asyncio_loop.call_soon(self._start)
        return None

    def _wants_tty(self, context):
        wish = context.launch_configurations.get('emulate_tty')
        if wish is not None:
            return evaluate_condition_expression(context, normalize_to_list_of_substitutions(wish))
        return perform_typed_substitution(context, normalize_typed_substitution(self.emulate_tty, bool), bool)

    @staticmethod
    def _seconds(context, what, subs):
        text = perform_substitutions(context, subs)
        try:
            return float(text)
        except ValueError:
            raise ValueError(f"{what} is a number of seconds, not '{text}'") from None

    # Life of the process

    def _start(self):
        self._timer = None
        if self._ending or self._context.is_shutdown:
            self._finish()
            return
        details = self.process_details
        if self._log_cmd:
            self._logger.info(f"process details: cmd='{' '.join(details['cmd'])}', cwd='{details['cwd']}', "
                              f"custom_env?={self.process_description.env is not None}")
        surroundings = Surroundings(cwd=details['cwd'], env=details['env'], shell=self.shell, tty=self._tty)
        try:
            self._process = Process(self._context.asyncio_loop, details['cmd'], surroundings,
                                    on_output=self._on_output, on_exit=self._on_process_exit)
        except (OSError, ValueError) as error:
            self._logger.error(f"cannot start '{' '.join(details['cmd'])}': {error}")
            self._finish()
            return
        details['pid'] = self._process.pid
        self._logger.info(f'process started with pid [{self._process.pid}]')
        self._context.emit_event_sync(ProcessStarted(**details))

    def _on_output(self, fd, data):
        kind = ProcessStdout if fd == 1 else ProcessStderr
        self._context.emit_event_sync(kind(text=data, **self.process_details))
        text = data.decode(errors='replace')
        if self._cache is not None:
            self._cache[fd].write(text)
        *lines, self._partial[fd] = (self._partial[fd] + text).split('\n')
        for line in lines:
            self._log_line(fd, line)

    def _log_line(self, fd, line):
        self._stream_loggers[fd].info('%s', self._output_format.format(line=line.removesuffix('\r'), this=self))

    def _on_process_exit(self, returncode):
        for fd in (1, 2):
            if self._partial[fd]:
                self._log_line(fd, self._partial[fd])
                self._partial[fd] = ''
        details = self.process_details
        self._returncode = returncode
        if self._timer is not None:
            self._timer.cancel()
        if returncode == 0:
            self._logger.info(f'process has finished cleanly [pid {details["pid"]}]')
        else:
            words = ' '.join(word for word in details['cmd'] if word.strip())
            self._logger.error(f"process has died [pid {details['pid']}, exit code {returncode}, cmd '{words}'].")
        self._context.emit_event_sync(ProcessExited(returncode=returncode, **details))
        if self._respawn and self._respawns_left != 0 and not self._ending and not self._context.is_shutdown:
            self._respawns_left -= 1
            self._process.close()
            self._process = None
            self._timer = self._context.asyncio_loop.call_later(self._respawn_delay, self._start)
        else:
            self._finish()

    def _finish(self):
        if self._process is not None:
            self._process.close()
        if not self._future.done():
            self._future.set_result(None)

    @property
    def is_running(self):
        return self._process is not None and self._process.returncode is None

    # What is asked of it

    def _shut_down(self):
        if self._ending:
            return
        self._ending = True
        if self._process is not None:
            self._process.ends_with_group = True
            self._send_and_wait(signal.SIGINT)
        elif self._timer is not None:  # between two lives
            self._timer.cancel()
            self._finish()

    def _send_and_wait(self, number):
        """Sends a signal; the next harder one follows."""
        if not self.is_running:
            return
        self._last_signal = number
        self._signal(number)
        if number == signal.SIGKILL:
            return
        seconds = self._timeouts[0 if number == signal.SIGINT else 1]
        self._timer = self._context.asyncio_loop.call_later(seconds, self._escalate, f"'{seconds:g}' seconds")

    def _escalate(self, after):
        if not self.is_running:
            return
        harder = signal.SIGTERM if self._last_signal == signal.SIGINT else signal.SIGKILL
        self._logger.error(f"process[{self.process_details['name']}] failed to terminate {after} after receiving "
                           f"'{self._last_signal.name}', escalating to '{harder.name}'")
        self._send_and_wait(harder)

    def _hurry(self):
        if self._ending and self.is_running and self._last_signal != signal.SIGKILL:
            self._timer.cancel()
            self._escalate('at once')

    def _signal(self, number):
        if self.is_running:
            self._logger.info(f"sending signal '{number.name}' to process[{self.process_details['name']}]")
            self._process.signal(number)

    def _write(self, data):
        if self.is_running:
            try:
                self._process.write(data)
            except OSError as error:
                self._logger.warning(f'cannot write to its standard input: {error}')


class _ProcessHandler(BaseEventHandler):
    """Passes on to one process what is asked of it."""

    def __init__(self, action):
        super().__init__(matcher=self._is_for_this)
        self._action = action

    def _is_for_this(self, event):
        if isinstance(event, (Shutdown, HurryUp)):
            return True
        if isinstance(event, (ShutdownProcess, SignalProcess)):
            return event.process_matcher(self._action)
        return isinstance(event, ProcessIO) and event.from_stdin and event.action is self._action

    def handle(self, event, context):
        super().handle(event, context)
        if isinstance(event, (Shutdown, ShutdownProcess)):
            self._action._shut_down()
        elif isinstance(event, HurryUp):
            self._action._hurry()
        elif isinstance(event, SignalProcess):
            self._action._signal(event.signal)
        elif isinstance(event, ProcessStdin):
            self._action._write(event.text)
