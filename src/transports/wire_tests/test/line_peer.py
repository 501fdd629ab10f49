"""What peers have in common that tests speak to in lines: `wait TOPIC COUNT`, and taking messages meanwhile.

An endpoint has matched(), can_take and take().
"""

import os
import select


class LinePeer:
    """A participant with `endpoints`, by topic. `say` prints an answer; obey(line) does what a line asks for."""

    def __init__(self, endpoints, say):
        self.endpoints = endpoints
        self.say = say
        self._awaited = None

    def obey(self, line):
        word, _, rest = line.partition(' ')
        if word == 'wait':
            topic, count = rest.split()
            self._awaited = topic, int(count)
        else:
            self.do(word, rest)

    def do(self, word, rest):
        raise NotImplementedError

    def look(self):
        """Whatever else is to be done now and then."""

    def _answer_wait(self):
        topic, count = self._awaited
        if self.endpoints[topic].matched() >= count:
            self._awaited = None
            self.say('matched', topic)

    def run(self):
        """Until its input ends."""
        self.say('ready')
        text = b''
        while True:
            readable, _, _ = select.select([0], [], [], 0.005)
            if readable:
                chunk = os.read(0, 1 << 20)
                if not chunk:
                    return
                text += chunk
            # A message must not overtake a `wait` before it.
            while b'\n' in text and not self._awaited:
                line, _, text = text.partition(b'\n')
                self.obey(line.decode())
                if self._awaited:
                    self._answer_wait()
            if self._awaited:
                self._answer_wait()
            for one in self.endpoints.values():
                if one.can_take:
                    one.take()
            self.look()
