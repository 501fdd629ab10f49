"""Nodes in processes of their own: of the stock ROS 2 over Tandem or over Fast DDS, and native ones."""

import itertools
import json
import os
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from line_process import PATIENCE, LineProcess, wait_for

HERE = Path(__file__).resolve().parent
STOCK = Path(os.environ['STOCK'])
PREFIX = Path(os.environ['INSTALL_PREFIX'])
NUMBERS = itertools.count(1)


class Process(LineProcess):
    """Of a test's own world."""

    def await_line(self, condition, since=0):
        """The first line that meets the condition."""
        return self.wait_for_lines(
            lambda: next((line for line in self.lines[since:] if condition(line)), None),
            lambda: f'such a line of {self.name}, but {self.lines[-5:]}; {self.errors()[-2000:]}')

    def kill(self):
        self.process.kill()
        self.process.wait()


class Stock(Process):
    """stock_node.py, whose docstring says what it is told."""

    def _answer(self, request):
        since = len(self.lines)
        self.send_line(json.dumps(request))
        answer = json.loads(self.await_line(lambda line: line.startswith('{'), since))
        assert 'error' not in answer, f'{self.name}: {request}: {answer["error"]}'
        return answer.get('value')

    def do(self, statements):
        self._answer({'do': statements})

    def ask(self, expression):
        return self._answer({'ask': expression})

    def wait(self, expression, what=None):
        """The first true value of the expression."""
        return wait_for(lambda: self.ask(expression),
                        lambda: f'{what or expression} at {self.name}; {self.errors()[-2000:]}')


class World:
    """A domain and a folder of shared memory of its own, and who is in it."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix='rmw_tests.', dir='/dev/shm'))
        clean = ('LD_LIBRARY_PATH', 'LD_PRELOAD', 'PYTHONPATH', '_ROS_WHEELS_BOOTSTRAP_COMPLETE', 'RMW_IMPLEMENTATION')
        self.env = {name: value for name, value in os.environ.items() if name not in clean}
        self.env |= {'TANDEM_SHM_DIR': str(self.folder), 'ROS_DOMAIN_ID': str(next(NUMBERS)),
                     'PYTHONDONTWRITEBYTECODE': '1',
                     'ROS_LOG_DIR': str(self.folder / 'log'), 'RCUTILS_COLORIZED_OUTPUT': '0'}
        self.peers = []

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        statuses = self.end()
        left = self.left()
        shutil.rmtree(self.folder)
        if kind is None:
            wrong = [f'{peer.name} ended with {status}: {peer.errors()[-3000:]}'
                     for peer, status in statuses if status not in (0, -signal.SIGKILL)]
            assert not wrong, '\n'.join(wrong)
            assert not left, f'left in shared memory: {left}'

    def left(self):
        """What of messages and processes lies in shared memory."""
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob('*')
                      if path.is_file() and 'log' not in path.parts)

    def _start(self, kind, name, command, **env):
        peer = kind(name, command, {**self.env, **env})
        self.peers.append(peer)
        return peer

    def stock(self, name, *arguments, rmw='rmw_tandem_cpp', **env):
        """A stock node; on Fast DDS with rmw=''."""
        peer = self._start(Stock, name, [STOCK / 'bin/python', HERE / 'stock_node.py', name, *arguments],
                           RMW_IMPLEMENTATION=rmw, **env)
        expected = rmw or 'rmw_fastrtps_cpp'
        assert peer.ask('rclpy.get_rmw_implementation_identifier()') == expected
        return peer

    def native(self, rmw='', **env):
        """native_peer, whose comment says what it is told."""
        peer = self._start(Process, 'native_peer', [os.environ['NATIVE_PEER']], RMW_IMPLEMENTATION=rmw, **env)
        self.tell(peer, 'hello')
        return peer

    @staticmethod
    def tell(peer, line):
        """Says it, and waits until it is done."""
        since = len(peer.lines)
        peer.send_line(line)
        peer.await_line(lambda text: text.startswith('ready'), since)

    def command(self, *arguments, rmw='', **env):
        """A native command that goes on."""
        return self._start(Process, ' '.join(arguments), [PREFIX / 'bin' / arguments[0], *arguments[1:]],
                           RMW_IMPLEMENTATION=rmw, **env)

    def ros2(self, *arguments, rmw='', **options):
        """The output of a native `ros2` command that ends by itself."""
        done = subprocess.run([PREFIX / 'bin/ros2', *arguments], env={**self.env, 'RMW_IMPLEMENTATION': rmw},
                              capture_output=True, text=True, timeout=PATIENCE, **options)
        assert done.returncode == 0, f'ros2 {" ".join(arguments)}: {done.stdout}{done.stderr}'
        return done.stdout

    def eventually(self, *arguments, holds, **options):
        """The same, as soon as it holds."""
        outputs = ['']

        def done():
            outputs.append(self.ros2(*arguments, **options))
            return holds(outputs[-1])
        wait_for(done, lambda: f'such output of ros2 {" ".join(arguments)}: {outputs[-1]}')
        return outputs[-1]

    def end(self):
        for peer in self.peers:
            if peer.process.poll() is None and not peer.process.stdin.closed:
                if peer.process.args[0] == PREFIX / 'bin/ros2' or 'gateway' in str(peer.process.args[0]):
                    peer.process.terminate()
                peer.process.stdin.close()
        return [(peer, peer.end()) for peer in self.peers]
