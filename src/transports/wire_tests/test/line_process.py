"""Programs that tests speak to in lines. rmw_tests uses this too."""

import os
import subprocess
import tempfile
import threading
import time

PATIENCE = float(os.environ.get('TEST_PATIENCE', 120))  # seconds, for a machine that is busy with other things


def wait_for(condition, what, patience=PATIENCE):
    """The first true value of the condition."""
    deadline = time.monotonic() + patience
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.01)
    raise AssertionError(f'within {patience} s there was no {what() if callable(what) else what}')


class LineProcess:
    """A running program whose output is read meanwhile. It ends with its input, so also when the test is killed."""

    def __init__(self, name, command, env):
        self.name = name
        self.errors_file = tempfile.TemporaryFile()
        self.lines = []
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.errors_file, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip('\n'))

    def errors(self):
        return os.pread(self.errors_file.fileno(), 1 << 20, 0).decode(errors='replace')

    def send_line(self, line):
        try:
            self.process.stdin.write(line + '\n')
            self.process.stdin.flush()
        except BrokenPipeError:
            self.process.wait()
            raise AssertionError(f'{self.name} has ended: {self.errors()}') from None

    def wait_for_lines(self, found, what):
        """The first true value of found(), which looks at the lines. One that has ended will not say it any more."""
        def met():
            has_ended = self.process.poll() is not None  # asked first: what it said last counts
            if has_ended:
                self._reader.join(PATIENCE)
            value = found()
            assert value or not has_ended, f'{self.name} has ended with {self.process.returncode}: {self.errors()}'
            return value
        return wait_for(met, what)

    def end(self):
        """The exit status; a text when it did not end and had to be killed."""
        if not self.process.stdin.closed:
            try:
                self.process.stdin.close()
            except BrokenPipeError:
                pass  # it was killed
        try:
            status = self.process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            status = f'killed: it did not end; {self.errors()[-2000:]}'
        self._reader.join()
        self.process.stdout.close()
        return status
