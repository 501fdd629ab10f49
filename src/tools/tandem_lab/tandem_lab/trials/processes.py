"""Processes of a trial: each in a group of its own, none outlives its trial or the laboratory.

Three things see to that: PR_SET_PDEATHSIG for a laboratory that is killed, the process group for children of a process,
and PR_SET_CHILD_SUBREAPER for what has left its group: a daemon becomes our child when its parent ends, and is ended.
"""

import ctypes
import os
import selectors
import shutil
import signal
import subprocess
import time

GRACE = 2.0  # seconds between SIGTERM and SIGKILL
TAIL = 600  # characters of standard error that a failure quotes
_PR_SET_CHILD_SUBREAPER = 36


class Failed(Exception):
    """A trial that went wrong; what() is for people."""


class Unsupported(Exception):
    """This contestant cannot do this."""


class TimedOut(Exception):
    """The trial's time is over."""


class Interrupted(BaseException):
    """The user wants an end. Not an Exception: no trial may take it for a failure."""


class Stop:
    """What signals say. With the first, the current trial ends; with the second, without grace."""

    def __init__(self):
        self.requested = False
        self.hurry = False
        self.signal = None

    def handle(self, number, _frame):
        self.hurry = self.requested
        self.requested = True
        self.signal = number

    def check(self):
        if self.requested:
            raise Interrupted()


def adopt_orphans():
    """Makes this process the parent of its descendants' orphans."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def children():
    """Process ids of our children, zombies included."""
    found = []
    for entry in os.listdir('/proc'):
        if entry.isdigit():
            try:
                with open('/proc/%s/stat' % entry, encoding='utf-8', errors='replace') as file:
                    if int(file.read().rpartition(')')[2].split()[1]) == os.getpid():
                        found.append(int(entry))
            except (OSError, IndexError, ValueError):
                continue
    return found


def tail(path):
    """The end of what a process said, for an error message; '' when it said nothing."""
    try:
        with open(path, 'rb') as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - TAIL))
            text = file.read().decode(errors='replace').strip()
    except OSError:
        return ''
    return '\n'.join(text.splitlines()[-5:])


def describe_status(status):
    """What an exit status means, in words."""
    if status < 0:
        try:
            return 'was killed by %s' % signal.Signals(-status).name
        except ValueError:
            return 'was killed by signal %d' % -status
    return 'ended with status %d' % status


class Process:
    """A process whose output goes to NAME.out and NAME.err in `folder`. Made by Crew.launch()."""

    def __init__(self, crew, name, argv, **popen):
        self.crew = crew
        self.name = name
        self.argv = [str(word) for word in argv]
        self.out = crew.folder / (name + '.out')
        self.err = crew.folder / (name + '.err')
        self.may_die = False
        guard = ['setpriv', '--pdeathsig', 'KILL', '--'] if shutil.which('setpriv') else []
        options = {'stdin': subprocess.DEVNULL, 'env': crew.env, 'cwd': crew.folder, 'process_group': 0, **popen}
        with open(self.out, 'wb') as out, open(self.err, 'wb') as err:
            options = {'stdout': out, 'stderr': err, **options}
            try:
                self.popen = subprocess.Popen(guard + self.argv, **options)
            except OSError as error:
                raise Failed('%s cannot be started: %s: %s' % (name, self.argv[0], error.strerror)) from error
        self.pid = self.popen.pid
        self.watch = os.pidfd_open(self.pid)

    def ended(self):
        return self.popen.poll() is not None

    def status(self):
        """Exit status, negative for a signal; None while it runs."""
        return self.popen.poll()

    def alive(self):
        return not self.ended()

    def wait(self, timeout=None):
        """Its exit status; None after `timeout` seconds. TimedOut when the trial's time is over."""
        return self.status() if self.crew.pump(self.ended, timeout) else None

    def text(self):
        """What it printed so far."""
        return self.out.read_text(errors='replace')

    def failure(self, doing=''):
        """An exception that tells how it ended."""
        said = tail(self.err)
        return Failed('%s %s%s%s' % (self.name, describe_status(self.status()), doing, ': ' + said if said else ''))

    def signal(self, number):
        try:
            os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

    def kill(self):
        """SIGKILL to it and its group; it is not missed."""
        self.may_die = True
        self.signal(signal.SIGKILL)

    def close(self):
        """After its end: frees what it took here."""
        self.popen.wait()
        if self.watch is not None:
            os.close(self.watch)
            self.watch = None
        for pipe in (self.popen.stdin, self.popen.stdout):
            if pipe:
                try:
                    pipe.close()
                except OSError:
                    pass


class Crew:
    """All processes of one trial. `deadline`: time.monotonic(); `stop`: a Stop."""

    def __init__(self, folder, env, deadline, stop):
        self.folder = folder
        self.env = env
        self.deadline = deadline
        self.stop = stop
        self.processes = []
        self.selector = selectors.DefaultSelector()
        self.before = set(children())
        self.check = lambda: None  # called while waiting; raises when some other process has failed

    def remaining(self):
        """Seconds until the deadline."""
        return max(0.0, self.deadline - time.monotonic())

    def launch(self, name, argv, **popen):
        self.stop.check()
        process = Process(self, name, argv, **popen)
        self.add(process)
        return process

    def add(self, process):
        self.processes.append(process)
        self.selector.register(process.watch, selectors.EVENT_READ, lambda: self.selector.unregister(process.watch))

    def pump(self, done, timeout=None):
        """Serves the processes until done(). False after `timeout` seconds, TimedOut after the deadline."""
        end = self.deadline if timeout is None else min(self.deadline, time.monotonic() + timeout)
        while not done():
            self.stop.check()
            left = end - time.monotonic()
            if left <= 0:
                if time.monotonic() >= self.deadline:
                    raise TimedOut()
                return False
            # Signals only set a flag, so it is looked at now and then.
            for key, _ in self.selector.select(min(left, 0.2)):
                key.data()
        return True

    def end(self):
        """Ends whatever is still there: asks first, unless in a hurry, then kills. Never raises."""
        for process in self.processes:
            if process.alive():
                process.signal(signal.SIGTERM)
        self._wait_for_end(0 if self.stop.hurry else GRACE)
        for process in self.processes:
            process.signal(signal.SIGKILL)
            process.popen.wait()
        self._end_orphans()

    def close(self):
        """Frees what it took; after end()."""
        for process in self.processes:
            process.close()
        self.selector.close()

    def _wait_for_end(self, seconds):
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.stop.hurry and any(process.alive() for process in self.processes):
            time.sleep(0.01)

    def _end_orphans(self):
        """Daemons: those that became our children during this trial, and then their children."""
        until = time.monotonic() + (0 if self.stop.hurry else GRACE)
        asked = set()
        for _ in range(1000):
            orphans = set(children()) - self.before
            for pid in orphans:
                _signal(pid, signal.SIGKILL if pid in asked and time.monotonic() >= until else
                        signal.SIGTERM if pid not in asked else 0)
                asked.add(pid)
                _reap(pid)
            if not orphans:
                return
            time.sleep(0.01)


def _signal(pid, number):
    try:
        os.kill(pid, number)
    except (ProcessLookupError, PermissionError):
        pass


def _reap(pid):
    try:
        os.waitpid(pid, os.WNOHANG)
    except ChildProcessError:
        pass
