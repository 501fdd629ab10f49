"""What native type support makes of messages: the program type_support_oracle, asked line by line."""

import json
import subprocess

from peers import PREFIX


class Ours:
    def __init__(self):
        self.process = subprocess.Popen([PREFIX / 'lib/tandem_type_support/type_support_oracle'], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def ask(self, *request):
        self.process.stdin.write(' '.join(map(str, request)) + '\n')
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert 'error' not in answer, f'{request}: {answer["error"]}'
        return answer

    def hash(self, name):
        return self.ask('hash', name)['hash']

    def random(self, name, seed, longest):
        """CDR of a message with random values."""
        return bytes.fromhex(self.ask('random', name, seed, longest)['cdr'])

    def close(self):
        self.process.stdin.close()
        self.process.wait()
