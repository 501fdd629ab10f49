"""Two network namespaces joined by a virtual cable of 1 Gbit/s each way.

    with network.open_network(item) as cable:       # what the contestant needs to use it goes into the prefix
        subprocess.run([*cable.prefix(0), 'lab_peer', 'ping.json'])

A namespace is a network of its own, not a host: /dev/shm and the clocks are shared. So time stamps of both sides can be
compared, and systems that prefer shared memory must be kept from it, or nothing would cross the cable
(network_settings.py does that; the cable's counters show it). Needs root and iproute2. Namespaces are removed
afterwards; those of a killed run by the next one, which knows them by the process number in their names.
"""

import contextlib
import itertools
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from tandem_lab.machine import start_time
from tandem_lab.trials import network_settings
from tandem_lab.trials.processes import Unsupported

INTERFACE = 'net0'
RATE = '1gbit'
# As much as 1 Gbit/s carries in 131 us: less than timers are late, and small beside a message that fills the cable.
BURST = '16k'
CAVEAT = ('the cable lets bursts of 16 KiB pass at once: a message up to that size is up to 131 us earlier than over a '
          'real 1 Gbit/s')
FOLDER = Path('/run/netns')
NAME = re.compile(r'tandem-lab-(\d+)-(\d+)-\d+-[ab]')
_numbers = itertools.count()


def run(*words, check=True):
    """Output of ip or tc. Unsupported when it fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    except subprocess.TimeoutExpired:
        raise Unsupported(f'no virtual cable: {" ".join(words)} does not end') from None
    except OSError:
        raise Unsupported(f"a virtual cable needs '{words[0]}': apt-get install iproute2") from None
    if check and done.returncode != 0:
        raise Unsupported(f'no virtual cable: {" ".join(words)}: {done.stderr.strip() or done.stdout.strip()}')
    return done.stdout


class Cable:
    """The namespaces, side 0 and side 1. `environment`: variables that programs on either side need."""

    def __init__(self, environment=None):
        number = next(_numbers)
        own = f'tandem-lab-{os.getpid()}-{start_time(os.getpid())}-{number}'
        self.names = (f'{own}-a', f'{own}-b')
        self.variables = dict(environment or {})
        self.marks = []
        self.files = []  # that the variables name: kept with the trial by fill()

    def prefix(self, side):
        """What goes before a command to run it there. It becomes the command, so the process number stays."""
        variables = [f'{key}={value}' for key, value in sorted(self.variables.items())]
        return ['ip', 'netns', 'exec', self.names[side], *(['env', *variables] if variables else [])]

    def address(self, side):
        return network_settings.ADDRESSES[side]

    def hosts(self, side):
        """Addresses of the other side."""
        return [self.address(1 - side)]

    def counters(self):
        """{'bytes', 'packets'} that have gone into the cable at both ends.

        As an Ethernet card would send them: a large piece that the kernel hands down counts as many packets.
        """
        total = {'bytes': 0, 'packets': 0}
        for name in self.names:
            shaper = json.loads(run('tc', '-n', name, '-s', '-j', 'qdisc', 'show', 'dev', INTERFACE))[0]
            for key in total:
                total[key] += shaper[key]
        return total

    def mark(self):
        """Remembers the counters; see fill()."""
        self.marks.append(self.counters())

    def fill(self, trial):
        """Between the first mark and the last: bytes and packets for each message, into the trial's figures.

        Messages of the warm-up count, as do replies.
        """
        messages = sum(messages_of(peer) for peer in trial.peers if peer.figures is not None)
        if len(self.marks) >= 2 and messages:
            first, last = self.marks[0], self.marks[-1]
            for key in ('bytes', 'packets'):
                trial.figure(f'wire_{key}_per_msg', (last[key] - first[key]) / messages)
        trial.note(CAVEAT)
        for file in self.files:
            shutil.copy(file, trial.folder)

    def _make(self):
        for name in self.names:
            run('ip', 'netns', 'add', name)
        first, second = self.names
        run('ip', 'link', 'add', INTERFACE, 'netns', first, 'type', 'veth', 'peer', 'name', INTERFACE, 'netns', second)
        for side, name in enumerate(self.names):
            run('ip', '-n', name, 'link', 'set', 'lo', 'up')
            # Without an IPv6 address, which would be talked about on the cable.
            run('ip', '-n', name, 'link', 'set', INTERFACE, 'addrgenmode', 'none', 'multicast', 'on', 'up')
            run('ip', '-n', name, 'address', 'add', f'{self.address(side)}/24', 'dev', INTERFACE)
            run('ip', '-n', name, 'route', 'add', '224.0.0.0/4', 'dev', INTERFACE)
            run('tc', '-n', name, 'qdisc', 'add', 'dev', INTERFACE, 'root', 'tbf', 'rate', RATE, 'burst', BURST,
                'latency', '50ms')

    def _remove(self):
        for name in self.names:
            remove(name)


def messages_of(peer):
    """What a peer has sent, with its warm-up; the replies to a ping's warm-up are counted with it."""
    warm_up = {'publish': 1, 'ping': 2}.get(peer.role, 0) * int(peer.spec.get('warm_up') or 0)
    return (peer.figures.get('sent') or 0) + warm_up


def remove(name):
    """A namespace, and what still runs in it."""
    for pid in run('ip', 'netns', 'pids', name, check=False).split():
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(int(pid), signal.SIGKILL)
    # The interfaces go with the namespace only when the last socket in it has: not before somebody looks again.
    run('ip', '-n', name, 'link', 'delete', INTERFACE, check=False)
    run('ip', 'netns', 'delete', name, check=False)


def remove_leftovers():
    """Namespaces of labs that were killed. Names of what was removed."""
    found = []
    for path in sorted(FOLDER.glob('tandem-lab-*')):
        match = NAME.fullmatch(path.name)
        if match and start_time(match.group(1)) != match.group(2):
            with contextlib.suppress(Unsupported):
                remove(path.name)
                found.append(path.name)
    return found


@contextlib.contextmanager
def veth(environment=None):
    """Yields a Cable. Unsupported where there can be none, with the reason."""
    if os.geteuid() != 0:
        raise Unsupported('a virtual cable between two namespaces needs root')
    remove_leftovers()
    cable = Cable(environment)
    try:
        cable._make()
        yield cable
    finally:
        with contextlib.suppress(Unsupported):
            cable._remove()


@contextlib.contextmanager
def open_network(item):
    """The Cable of a trial: its contestant is told to use it, in the `mode` of its point, unicast or multicast."""
    mode = item.point.get('mode', item.experiment.settings.get('mode', 'unicast'))
    with tempfile.TemporaryDirectory(prefix='tandem-lab-network-') as folder:
        environment = network_settings.environment(item.contestant, mode, Path(folder))
        with veth(environment) as cable:
            cable.files = list(Path(folder).iterdir())
            yield cable
