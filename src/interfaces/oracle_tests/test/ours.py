"""What our type support makes of messages: the program type_support_oracle, asked line by line."""

import json
import os
import subprocess
from pathlib import Path


def find_program():
    for prefix in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep):
        program = Path(prefix, 'lib', 'tandem_type_support', 'type_support_oracle')
        if program.is_file():
            return str(program)
    raise FileNotFoundError('type_support_oracle is in no prefix of AMENT_PREFIX_PATH: build tandem_type_support first')


class Ours:
    def __init__(self):
        self.process = subprocess.Popen([find_program()], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, *request):
        """The answer to a request; an error of the program's fails the test."""
        line = ' '.join(map(str, request))
        self.process.stdin.write(line + '\n')
        self.process.stdin.flush()
        text = self.process.stdout.readline()
        assert text, f'type_support_oracle ended with {self.process.wait()} at: {line[:200]}'
        answer = json.loads(text)
        assert 'error' not in answer, f'{line[:200]}: {answer["error"]}'
        return answer

    def hash(self, name):
        return self.ask('hash', name)['hash']

    def random(self, name, seed, longest):
        """CDR of a message with random values."""
        return bytes.fromhex(self.ask('random', name, seed, longest)['cdr'])

    def default(self, name):
        """CDR of a message as it is constructed."""
        return bytes.fromhex(self.ask('yaml2cdr', name, json.dumps('{}'))['cdr'])

    def copy(self, name, cdr):
        """Reads CDR, and writes what was read."""
        return bytes.fromhex(self.ask('cdr2cdr', name, cdr.hex())['cdr'])

    def yaml(self, name, cdr):
        return self.ask('cdr2yaml', name, cdr.hex())['yaml']

    def close(self):
        self.process.stdin.close()
        self.process.wait()
