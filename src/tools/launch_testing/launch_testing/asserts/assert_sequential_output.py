"""What a process wrote, in which order. (PYTEST_DONT_REWRITE)"""

import contextlib

from ..util import resolveProcesses

_LINES_AROUND = 2


class SequentialTextChecker:
    """Finds texts one after the other. `output` is a list of texts; one that is split over two of them is not
    found."""

    def __init__(self, output):
        self._output = list(output)
        self._chunk = 0  # where the search goes on
        self._position = 0

    def assertInStdout(self, msg):
        """The text comes somewhere behind the one found last."""
        position = self._position
        for number in range(self._chunk, len(self._output)):
            found = self._output[number].find(msg, position)
            if found >= 0:
                self._chunk, self._position = number, found + len(msg)
                return
            position = 0
        raise AssertionError(f"'{msg}' not found in sequence after the previous match; what was written around that "
                             f'is:\n{self.get_nearby_lines()}')

    assertInText = assertInStdout

    def get_nearby_lines(self):
        """The line where the search goes on, with two lines before and behind."""
        text = ''.join(self._output)
        place = sum(map(len, self._output[:self._chunk])) + self._position
        if text[place:place + 1] == '\n':
            place += 1  # the search goes on in the next line
        lines = text.splitlines()
        number = text.count('\n', 0, place)
        return '\n'.join(lines[max(number - _LINES_AROUND, 0):number + _LINES_AROUND + 1])


@contextlib.contextmanager
def assertSequentialStdout(proc_output, process, cmd_args=None):
    """A context whose assertInStdout(text) finds texts in what one process wrote, one after the other."""
    action, = resolveProcesses(proc_output, process=process, cmd_args=cmd_args, strict_proc_matching=True)
    yield SequentialTextChecker([event.text.decode(errors='replace') for event in proc_output[action]])
