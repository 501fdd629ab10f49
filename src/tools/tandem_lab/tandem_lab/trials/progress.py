"""The progress of a run: one line that is drawn anew on a terminal, else a plain line now and then."""

import shutil
import sys
import time

PLAIN_EVERY = 30.0  # seconds
BAR = 24


def duration(seconds):
    """'12 s', '3 min 05 s', '2 h 10 min'."""
    seconds = max(0, round(seconds))
    if seconds < 60:
        return '%d s' % seconds
    if seconds < 3600:
        return '%d min %02d s' % divmod(seconds, 60)
    return '%d h %02d min' % divmod(seconds // 60, 60)


class Progress:
    """Call step() when a trial begins and note() for a line that stays; close() at the end."""

    def __init__(self, total, out=None, quiet=False):
        self.total = total
        self.done = 0
        self.counts = {}
        self._out = out or sys.stderr
        self._quiet = quiet
        self._is_terminal = self._out.isatty()
        self._drawn = False
        self._last = -PLAIN_EVERY

    def step(self, title, seconds_left):
        text = self.line(title, seconds_left)
        if self._quiet:
            return
        if self._is_terminal:
            width = max(20, shutil.get_terminal_size().columns - 1)
            self._print('\r\x1b[K' + text[:width])
            self._drawn = True
        elif time.monotonic() - self._last >= PLAIN_EVERY:
            self._last = time.monotonic()
            self._print(text + '\n')

    def count(self, status):
        self.done += 1
        self.counts[status] = self.counts.get(status, 0) + 1

    def line(self, title, seconds_left):
        filled = BAR * self.done // self.total if self.total else BAR
        counts = ', '.join('%d %s' % (number, status) for status, number in sorted(self.counts.items(), key=_order))
        left = '%s left' % duration(seconds_left)
        return '[%s%s] %d/%d  %s  %s%s' % ('#' * filled, '.' * (BAR - filled), self.done, self.total, left,
                                           counts + '  ' if counts else '', title)

    def note(self, text):
        """A line that stays, above the bar."""
        if self._quiet:
            return
        self.close()
        self._print(text + '\n')

    def close(self):
        if self._drawn:
            self._print('\r\x1b[K')
            self._drawn = False

    def _print(self, text):
        try:
            self._out.write(text)
            self._out.flush()
        except OSError:
            self._quiet = True  # nobody reads it any more: no reason to end a run


def _order(entry):
    return ['ok', 'unsupported', 'failed', 'timeout'].index(entry[0])
