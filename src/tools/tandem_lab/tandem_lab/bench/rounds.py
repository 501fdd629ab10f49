"""Rounds of bursts: each plays one burst of every contest, in an order shuffled anew, alone on the machine.

A team is the processes of one suite; those of other suites sleep meanwhile. The one that keeps the time is on the first
processor, all others on the second. What they are told and answer is in tandem_benchmark/src/main.cpp.
"""

import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import time

from tandem_lab import paths
from tandem_lab.trials.progress import Progress

PATIENCE = 60.0  # seconds without a word before a worker is given up
# Blocking means blocking, whatever the shell has set; domain 0 is the core's suites'.
ENVIRONMENT = {'TANDEM_SPIN_US': '0', 'ROS_DOMAIN_ID': '1'}


class Failed(Exception):
    """What went wrong, for people."""


class Interrupted(BaseException):
    """The user wants an end."""


class Interrupts:
    """Signals that end a run. They are let in while a worker is waited for, so that none is started and not ended."""

    NUMBERS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

    def __init__(self):
        self._number = 0
        self._is_waiting = False

    def catch(self):
        for number in self.NUMBERS:
            signal.signal(number, self._handle)

    def _handle(self, number, _frame):
        self._number = number
        if self._is_waiting:
            self._end()

    def _end(self):
        """Nothing disturbs the rest of the way out."""
        for number in self.NUMBERS:
            signal.signal(number, signal.SIG_IGN)
        raise Interrupted(self._number)

    def wait_for(self, file, seconds):
        """Whether there is something to be read, before the time is over."""
        self._is_waiting = True
        try:
            if self._number:
                self._end()
            return bool(select.select([file], [], [], max(seconds, 0))[0])
        finally:
            self._is_waiting = False


INTERRUPTS = Interrupts()


class Worker:
    """A process that is spoken to by lines. It ends with this one, however that ends."""

    def __init__(self, name, argv, env):
        self.name = name
        guard = ['setpriv', '--pdeathsig', 'KILL', '--'] if shutil.which('setpriv') else []
        # In a group of its own: Ctrl-C is for this process alone, which then ends its workers.
        self.popen = subprocess.Popen(guard + argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                      process_group=0)
        self._buffer = b''

    def say(self, line):
        try:
            self.popen.stdin.write(line.encode() + b'\n')
            self.popen.stdin.flush()
        except BrokenPipeError as error:
            raise Failed('worker %s has ended' % self.name) from error

    def hear(self):
        """The next line."""
        end = time.monotonic() + PATIENCE
        while b'\n' not in self._buffer:
            if not INTERRUPTS.wait_for(self.popen.stdout, end - time.monotonic()):
                raise Failed('worker %s is silent' % self.name)
            data = os.read(self.popen.stdout.fileno(), 65536)
            if not data:
                raise Failed('worker %s has ended' % self.name)
            self._buffer += data
        line, _, self._buffer = self._buffer.partition(b'\n')
        if line.startswith(b'error '):
            raise Failed('worker %s: %s' % (self.name, line[6:].decode(errors='replace')))
        return line.decode()

    def close(self):
        self.popen.kill()
        self.popen.wait()
        self.popen.stdin.close()
        self.popen.stdout.close()


class Team:
    """The processes of a suite."""

    def __init__(self, program, suite, options, folder):
        env = {**suite.get('environment', {**os.environ, **paths.environment()}), **ENVIRONMENT,
               'TANDEM_SHM_DIR': folder}
        env.setdefault('TANDEM_ICEORYX_ROUDI', 'start')
        self.workers = []
        for number in range(suite['processes']):
            side, cpu = ('ping', options.cpus[0]) if number == 0 else ('pong', options.cpus[1])
            command = suite.get('command', [program])
            argv = [*command, 'play', suite['name'], side, str(max(number - 1, 0)), str(cpu), folder]
            argv += ['quick'] if options.quick else []
            self.workers.append(Worker('%s/%s' % (suite['name'], side), argv, env))

    def connect(self):
        for worker in self.workers:
            worker.say('connect')
        for worker in self.workers:
            worker.hear()

    def play(self, contest):
        """{series: {'samples', 'p50', …}} of one burst."""
        ping, *pongs = self.workers
        for worker in pongs:
            worker.say('go ' + contest)
            worker.hear()  # ready
        ping.say('go ' + contest)
        summaries = json.loads(ping.hear())
        for worker in pongs:
            worker.hear()  # done
        return summaries

    def close(self):
        for worker in self.workers:
            worker.close()


def make_teams(program, suites, options, folder, stack):
    """{suite: Team}, closed by `stack`; and {suite: why} of those that cannot play here."""
    teams, left_out = {}, {}
    for suite in suites:
        team = Team(program, suite, options, folder)
        stack.callback(team.close)
        try:
            team.connect()
            teams[suite['name']] = team
        except Failed as error:
            if not suite['optional']:
                raise
            print('left out: %s' % error, file=sys.stderr)
            left_out[suite['name']] = str(error)
            team.close()
    return teams, left_out


def play(suites, teams, rounds):
    """{series: [summary of each round]}."""
    programme = [(suite['name'], contest) for suite in suites if suite['name'] in teams
                 for contest in suite['contests']]
    order = random.Random(1)
    progress = Progress(rounds * len(programme))
    bursts = {}
    began = time.monotonic()
    try:
        for number in range(rounds):
            order.shuffle(programme)
            for suite, contest in programme:
                spent = time.monotonic() - began
                left = spent / progress.done * (progress.total - progress.done) if progress.done else 0
                progress.step('round %d/%d  %s' % (number + 1, rounds, contest), left)
                for series, summary in teams[suite].play(contest).items():
                    bursts.setdefault(series, []).append(summary)
                progress.done += 1
    finally:
        progress.close()
    return bursts
