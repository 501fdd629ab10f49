"""For tests: lab_peer as a process that is spoken to."""

import json
import os
import selectors
import subprocess
import time

PATIENCE = 60  # s: a loaded machine is ten times as slow
LAB_PEER = os.environ.get('LAB_PEER', 'lab_peer')


class PeerProcess:
    """One lab_peer in a folder of its own; to be ended by end()."""

    def __init__(self, folder, name, **spec):
        self.output = folder / name
        path = folder / (name + '.json')
        path.write_text(json.dumps({'output': str(self.output), **spec}))
        self.err = folder / (name + '.err')
        with open(self.err, 'wb') as err:
            self.popen = subprocess.Popen([LAB_PEER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=err, bufsize=0)
        self.events = []
        self._rest = b''
        self._selector = selectors.DefaultSelector()
        self._selector.register(self.popen.stdout, selectors.EVENT_READ)

    def until(self, name):
        """The first event of this name, read as far as needed."""
        deadline = time.monotonic() + PATIENCE
        while True:
            for event in self.events:
                if event['event'] == name:
                    return event
            assert self._selector.select(deadline - time.monotonic()), f'no {name}: {self.events} {self.errors()}'
            data = os.read(self.popen.stdout.fileno(), 1 << 16)
            assert data, f'ended without {name}: {self.events} {self.errors()}'
            *lines, self._rest = (self._rest + data).split(b'\n')
            self.events += [json.loads(line) for line in lines]

    def say(self, word):
        self.popen.stdin.write(word.encode() + b'\n')

    def finished(self):
        return self.until('finished')['figures']

    def status(self):
        return self.popen.wait(PATIENCE)

    def errors(self):
        return self.err.read_text(errors='replace')

    def rows(self):
        """The samples: the names of their columns, and each row as numbers."""
        header, *lines = (self.output.parent / (self.output.name + '.csv')).read_text().splitlines()
        return header.split(','), [[int(value) for value in line.split(',')] for line in lines]

    def end(self):
        if self.popen.poll() is None:
            self.popen.kill()
        self.popen.wait()
        self.popen.stdin.close()
        self.popen.stdout.close()
        self._selector.close()
