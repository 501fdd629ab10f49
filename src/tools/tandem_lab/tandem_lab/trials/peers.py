"""What drivers and scenarios work with: a trial and its peers. See drivers/__init__.py and scenarios/__init__.py."""

import json
import selectors
import shlex
import subprocess

from tandem_lab import paths
from tandem_lab.inputs.experiment import PEER_FIELDS
from tandem_lab.results import figures
from tandem_lab.trials import attest, pinning
from tandem_lab.trials.processes import Failed, Interrupted, Process, Stop, TimedOut, Unsupported

UNSUPPORTED_STATUS = 3
LONGEST_LINE = 16 << 20  # `finished` holds an attestation
ATTEST_MESSAGES = 30  # of the attest pass, which is slow and not for time
ATTEST_LIMITS = {'count': ATTEST_MESSAGES, 'warm_up': 5, 'messages': ATTEST_MESSAGES}

__all__ = ['Failed', 'Interrupted', 'Peer', 'Process', 'Stop', 'TimedOut', 'Trial', 'Unsupported']


class Peer(Process):
    """A lab_peer; made by Trial.start()."""

    def __init__(self, crew, name, argv, spec):
        super().__init__(crew, name, argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.role = spec['role']
        self.spec = spec
        self.events = {}
        self.figures = None
        self.attestation = []
        self.may_die = bool(spec.get('die_at'))
        self.before_go = None  # called before it is told to begin
        self.is_silent = False  # its standard output has ended
        self._buffer = bytearray()
        self._is_garbled = ''

    def read(self):
        """Called when its standard output has something."""
        data = self.popen.stdout.read1(65536)
        if not data:
            self.is_silent = True
            self.crew.selector.unregister(self.popen.stdout)
            return
        self._buffer += data
        if b'\n' in data:
            *lines, self._buffer = self._buffer.split(b'\n')
            for line in lines:
                self._take(line)
        if len(self._buffer) > LONGEST_LINE:
            self._is_garbled = self._is_garbled or 'a line without an end'
            self._buffer.clear()

    def _take(self, line):
        try:
            event = json.loads(line)
            self.events.setdefault(event['event'], event)
        except (ValueError, TypeError, KeyError):
            self._is_garbled = self._is_garbled or repr(line[:80].decode(errors='replace'))
            return
        if event['event'] == 'finished':
            self.figures = event.get('figures') or {}
            self.attestation = event.get('attestation') or []

    @property
    def sent(self):
        """Messages that it has sent, once it has finished."""
        return self.figures.get('sent') or 0

    def seen(self, event):
        return self.events.get(event)

    def check(self):
        """Raises when it has failed; a peer that was killed on purpose has not."""
        if self._is_garbled:
            raise Failed('%s said something that is no event: %s' % (self.name, self._is_garbled))
        if not self.is_silent or not self.ended():
            return
        if self.status() == UNSUPPORTED_STATUS:
            raise Unsupported(self.last_words() or '%s says that this is not supported' % self.name)
        if self.may_die and self.status() < 0:
            return
        if self.status() != 0 or self.figures is None:
            raise self.failure('' if self.figures is not None else ' before it had finished')

    def last_words(self):
        lines = self.err.read_text(errors='replace').strip().splitlines()
        return lines[-1].strip() if lines else ''

    def is_gone(self):
        return self.is_silent and self.ended()

    def wait(self, event, timeout=None):  # pylint: disable=arguments-renamed
        """The event, as soon as it was said; None after `timeout` seconds."""
        in_time = self.crew.pump(lambda: event in self.events or self.is_gone() or self.crew.check(), timeout)
        if event in self.events:
            return self.events[event]
        if not in_time:
            return None
        self.check()
        raise Failed("%s ended without '%s'" % (self.name, event))

    def say(self, word):
        if word == 'go' and self.before_go:
            self.before_go()
        try:
            self.popen.stdin.write(word.encode() + b'\n')
            self.popen.stdin.flush()
        except (BrokenPipeError, ValueError):
            pass  # it has ended: whoever waits for it next is told why

    def stop(self):
        """Ends it properly; its `finished` event."""
        self.say('stop')
        event = self.wait('finished')
        self.crew.pump(self.is_gone)
        self.check()
        return event


class Trial:
    """One trial while it runs; made by the runner. `link_to`: the network between its peers, or None."""

    def __init__(self, item, crew, record, network=None):
        self.experiment = item.experiment
        self.contestant = item.contestant
        self.attest = item.attest
        self.point = self._limited(item.point)
        self.settings = self._limited(item.experiment.settings)
        self.crew = crew
        self.folder = crew.folder
        self.env = crew.env
        self.record = record
        self.network = network
        self.machine = None  # machine.Applied, when settings are allowed
        self.domain = int(crew.env['ROS_DOMAIN_ID'])
        self.peers = []
        crew.check = self.check
        if self.contestant.note:
            self.note(self.contestant.note)

    def _limited(self, values):
        """The attest pass takes few messages, whatever the experiment says."""
        if not self.attest:
            return dict(values)
        return {key: min(value, ATTEST_LIMITS[key]) if key in ATTEST_LIMITS and value else value
                for key, value in values.items()}

    def value(self, key, default=None):
        return self.point.get(key, self.settings.get(key, default))

    def remaining(self):
        return self.crew.remaining()

    def note(self, text):
        if text not in self.record['notes']:
            self.record['notes'].append(text)

    def figure(self, name, value):
        self.record['figures'][name] = value

    def check(self):
        """Raises for a peer that has failed while another one was waited for."""
        for peer in self.peers:
            peer.check()

    def start(self, role, name=None, side=None, **spec):
        """Starts a lab_peer; what is not given comes from the point, the settings, lab_peer's defaults."""
        taken = [peer.name for peer in self.peers]
        name = name or role
        count = sum(1 for other in taken if other == name or other.startswith(name + '-'))
        name = name if name not in taken else '%s-%d' % (name, count + 1)
        side = side if side is not None else 0 if role in ('publish', 'ping') else 1
        whole = {key: self.value(key) for key in sorted(PEER_FIELDS) if self.value(key) is not None}
        whole.update({'role': role, 'link': self.contestant.link, 'domain': self.domain,
                      'output': str(self.folder / name)})
        if self.value('pinned'):
            whole['cpus'] = pinning.processors(self, role)
        if self.attest:
            whole['attest'] = ATTEST_MESSAGES
            whole.setdefault('count', ATTEST_MESSAGES)
        if self.network:
            whole['hosts'] = self.network.hosts(side)
        whole.update(spec)
        path = self.folder / (name + '.json')
        path.write_text(json.dumps(whole, indent=1) + '\n', encoding='utf-8')
        argv = [*self._prefix(side, name), *paths.lab_peer(), str(path)]
        self.crew.stop.check()
        peer = Peer(self.crew, name, argv, whole)
        peer.before_go = self.network.mark if self.network else None
        self.crew.add(peer)
        self.crew.selector.register(peer.popen.stdout, selectors.EVENT_READ, peer.read)
        self.peers.append(peer)
        if self.machine:
            self.machine.join(peer.pid, 'publisher' if side == 0 else 'subscriber')
        self._note_command(argv)
        return peer

    def launch(self, name, argv, **popen):
        """Starts any other process."""
        process = self.crew.launch(name, [*self._prefix(0, name), *argv], **popen)
        self._note_command(process.argv)
        return process

    def run_command(self, name, argv, **popen):
        """Runs one to its end, which must be a good one."""
        process = self.launch(name, argv, **popen)
        if process.wait() != 0:
            raise process.failure()
        return process

    def _prefix(self, side, name):
        """What goes before a command: the namespace, and strace in the attest pass."""
        prefix = list(self.network.prefix(side)) if self.network else []
        if self.attest:
            prefix += attest.prefix(self.folder, name)
        return prefix

    def _note_command(self, argv):
        line = shlex.join(argv).replace(str(self.folder), self.record['folder'])
        if line not in self.record['commands']:
            self.record['commands'].append(line)

    def matched(self, peers):
        """Waits until all of them have said so."""
        for peer in peers:
            peer.wait('matched')

    def drain(self, receivers, sent):
        """Waits until each of these has received so many messages, or no more come."""
        for receiver in receivers:
            receiver.say('expect %d' % sent)
        for receiver in receivers:
            receiver.wait('done')

    def end(self, peers):
        """Ends the peers properly, but for those that were killed."""
        for peer in peers:
            peer.say('stop')
        for peer in peers:
            if not (peer.may_die and peer.is_gone()):
                peer.stop()

    def collect(self, peers=None):
        """Ends the peers and puts what they have measured into the record."""
        mine = self.peers if peers is None else peers
        if self.network:
            self.network.mark()
        self.end(mine)
        done = [peer for peer in mine if peer.figures is not None]
        figures.fill(self.record, self.folder, done, self.value('size'))
        if self.network:
            self.network.fill(self)
        if self.attest:
            attest.fill(self)
