"""A child process that ends no later than this process, and what it writes.

It leads a process group of its own: what the terminal sends at ctrl-C reaches it only through the launch, once, and
signals reach what it has started as well. The kernel kills it (PR_SET_PDEATHSIG) however this process ends.
"""

import ctypes
import dataclasses
import os
import signal
import subprocess
import termios
import threading

_PR_SET_PDEATHSIG = 1
_prctl = ctypes.CDLL(None, use_errno=True).prctl
_CHUNK = 65536
_MAX_LAST_READS = 256  # of what is left in a pipe when its process has ended, should others go on writing to it


@dataclasses.dataclass
class Surroundings:
    """`tty`: the process shall see terminals as its standard output and error."""

    cwd: str = None
    env: dict = None
    shell: bool = False
    tty: bool = False


class Process:
    """Starts the command; from then on calls on_output(fd, bytes) with fd 1 or 2, and once on_exit(returncode), from
    the loop. Raises OSError if it cannot be started."""

    def __init__(self, loop, command, surroundings, *, on_output, on_exit):
        self._loop = loop
        self._on_output = on_output
        self._on_exit = on_exit
        self.returncode = None
        self.ends_with_group = False  # set once it was told to end: it is over when those that it started are, too
        self._has_exited = False
        self._streams = {}
        ends = [self._open_stream(fd, surroundings.tty) for fd in (1, 2)]
        try:
            self._popen = subprocess.Popen(
                ' '.join(command) if surroundings.shell else command, shell=surroundings.shell, cwd=surroundings.cwd,
                env=surroundings.env, stdin=subprocess.PIPE, stdout=ends[0], stderr=ends[1], bufsize=0,
                preexec_fn=_in_child(os.getpid()))
        except BaseException:
            for stream in list(self._streams):
                os.close(stream)
            raise
        finally:
            for end in ends:
                os.close(end)
        self.pid = self._popen.pid
        for stream in self._streams:
            loop.add_reader(stream, self._read, stream)
        self._watch()

    def signal(self, number):
        """To the process and what it has started. False if it has ended already."""
        if self.returncode is not None:
            return False
        try:
            os.killpg(self.pid, number)
            return True
        except (ProcessLookupError, PermissionError):
            return False

    def write(self, data):
        """To its standard input. Raises OSError."""
        self._popen.stdin.write(data)

    def close(self):
        """Stops listening to those that hold the streams beyond the end of the process."""
        for stream in list(self._streams):
            self._end_stream(stream)

    def _open_stream(self, fd, tty):
        """Returns the end for the process."""
        ours, theirs = os.openpty() if tty else os.pipe()
        if tty:
            settings = termios.tcgetattr(theirs)
            settings[1] &= ~termios.OPOST  # lines end in \n only
            termios.tcsetattr(theirs, termios.TCSANOW, settings)
        os.set_blocking(ours, False)
        self._streams[ours] = fd
        return theirs

    def _watch(self):
        try:
            self._pidfd = os.pidfd_open(self.pid)
        except (AttributeError, OSError):  # an old kernel
            threading.Thread(target=self._wait, daemon=True).start()
        else:
            self._loop.add_reader(self._pidfd, self._end_watch)

    def _end_watch(self):
        self._loop.remove_reader(self._pidfd)
        os.close(self._pidfd)
        self._ended()

    def _wait(self):
        os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        self._loop.call_soon_threadsafe(self._ended)

    def _read(self, stream):
        """False when there is nothing left for now."""
        try:
            data = os.read(stream, _CHUNK)
        except BlockingIOError:
            return False
        except OSError:  # of a terminal that was closed
            data = b''
        if not data:
            self._end_stream(stream)
            return False
        self._on_output(self._streams[stream], data)
        return True

    def _end_stream(self, stream):
        self._loop.remove_reader(stream)
        os.close(stream)
        del self._streams[stream]
        if self._has_exited and self.returncode is None and not self._streams:
            self._finish()

    def _ended(self):
        for stream in list(self._streams):
            for _ in range(_MAX_LAST_READS):
                if stream not in self._streams or not self._read(stream):
                    break
        self._has_exited = True
        if not self._streams or not self.ends_with_group:
            self._finish()

    def _finish(self):
        if self.ends_with_group:
            self.signal(signal.SIGKILL)  # those that keep no stream open; the number is ours until wait() below
        self._popen.stdin.close()
        self.returncode = self._popen.wait()
        self._on_exit(self.returncode)


def _in_child(parent):
    def run():
        os.setpgid(0, 0)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)
    return run
