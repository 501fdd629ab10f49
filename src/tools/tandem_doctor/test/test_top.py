"""tandem top: blocks of text, and a terminal that is as before when it ends."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import termios
import threading
import time

from conftest import become_client, connect, serve, TOP
import pytest

ENTER = b'\x1b[?1049h'
LEAVE = b'\x1b[?25h\x1b[?1049l'


class Screen:
    """A pseudo-terminal with tandem top in it."""

    def __init__(self, rows, columns, *words):
        self.main, self.other = pty.openpty()
        self.resize(rows, columns)
        self.before = termios.tcgetattr(self.other)
        self.output = b''
        self.process = subprocess.Popen([TOP, *words], stdin=self.other, stdout=self.other, start_new_session=True,
                                        preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
                                        env={**os.environ, 'TERM': 'xterm'})

    def resize(self, rows, columns):
        fcntl.ioctl(self.main, termios.TIOCSWINSZ, struct.pack('HHHH', rows, columns, 0, 0))

    def read(self):
        while select.select([self.main], [], [], 0.05)[0]:
            self.output += os.read(self.main, 65536)

    def frame(self):
        """The lines of the last whole picture."""
        self.read()
        frames = [each for each in self.output.split(b'\x1b[H')[1:] if each.endswith(b'\x1b[J') or LEAVE in each]
        text = re.sub(r'\x1b\[[0-9;?]*[A-Za-z]', '', frames[-1].decode()) if frames else ''
        return [line.rstrip('\r') for line in text.split('\n')]

    def until(self, condition):
        end = time.monotonic() + 60
        while not condition(self.frame()):
            assert time.monotonic() < end, self.frame()
        return self.frame()

    def finish(self):
        """Its exit status; the terminal must be as before."""
        end = time.monotonic() + 60
        while self.process.poll() is None:
            assert time.monotonic() < end
            self.read()
        self.read()
        assert self.output.count(ENTER) == 1 and self.output.count(LEAVE) == 1
        assert self.output.endswith(LEAVE)
        assert termios.tcgetattr(self.other) == self.before
        return self.process.returncode

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.main)
        os.close(self.other)


@contextlib.contextmanager
def screen(rows, columns, *words):
    made = Screen(rows, columns, '-i', '0.2', *words)
    try:
        yield made
    finally:
        made.close()


@contextlib.contextmanager
def flow(writer, reader):
    """Messages pass all the time."""
    done = threading.Event()

    def pump():
        while not done.wait(0.01):
            writer('publish p 4 1000')
            reader('take s 4')
    thread = threading.Thread(target=pump)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def test_prints_blocks_without_a_terminal(folder, cast):
    a, b = cast(), cast()
    connect(a, b)
    with flow(a, b):
        done = subprocess.run([TOP, '-n', '2', '-i', '0.3'], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, '')
    assert '\x1b' not in done.stdout
    rows = re.findall(r'^/topic +1:1 +(\d\S*) +(\S+) .*zero-copy$', done.stdout, re.M)
    assert len(rows) == 2 and all(rate != '0' for rate, _ in rows), done.stdout
    taken = re.findall(rf'^actor +{b.pid} +0 +(\d\S*)', done.stdout, re.M)
    assert len(taken) == 2 and '0' not in taken, done.stdout
    assert max(len(line) for line in done.stdout.splitlines()) <= 80


def test_a_called_service_is_one_row(folder, cast):
    server, client = cast(), cast()
    serve(server, '/add')
    serve(cast(), '/uncalled')
    become_client(client, '/add')
    assert server('matched requests 1') == 'ok'
    assert client('ask requests replies 20') == '20' and server('answer requests replies') == '20'
    done = subprocess.run([TOP, '-n', '1', '-i', '0.05'], capture_output=True, text=True, timeout=60)
    assert '3 processes, 0 dead, 0 topics, 1 called service' in done.stdout
    assert re.findall(r'^service /add +1:1 +0 +0 +0 ', done.stdout, re.M), done.stdout
    assert 'uncalled' not in done.stdout and 'rr/' not in done.stdout


def test_nobody_and_wrong_usage(folder):
    done = subprocess.run([TOP, '-n', '1', '-i', '0.05'], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and '0 processes, 0 dead, 0 topics' in done.stdout
    assert subprocess.run([TOP, '-s', 'taste'], capture_output=True).returncode == 2
    assert subprocess.run([TOP, '-i', '0'], capture_output=True).returncode == 2


def test_shows_topics_sorts_scrolls_resizes_and_quits(folder, cast):
    a, b = cast(), cast()
    for i in range(30):
        assert a(f'pub q{i} /z/{i:02}') == 'ok'
    connect(a, b)
    with screen(24, 80) as top, flow(a, b):
        first = top.until(lambda lines: any(line.startswith('/topic') and 'zero-copy' in line for line in lines))
        assert len(first) <= 24 and max(len(line) for line in first) <= 80
        os.write(top.main, b'sss')
        top.until(lambda lines: 'sort by name' in lines[-1] and lines[4].startswith('/topic'))
        os.write(top.main, b'\x1b[B')
        top.until(lambda lines: lines[3].startswith('/topic') and ' 2-' in lines[-1])
        top.resize(12, 60)
        small = top.until(lambda lines: len(lines) == 12)
        assert max(len(line) for line in small) <= 60
        os.write(top.main, b'q')
        assert top.finish() == 0


@pytest.mark.parametrize('number', [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_before(folder, number):
    with screen(24, 80) as top:
        top.until(lambda lines: '0 processes' in ' '.join(lines))
        if number == signal.SIGINT:
            os.write(top.main, b'\x03')
        else:
            top.process.send_signal(number)
        assert top.finish() == 0


def test_ends_after_some_looks(folder):
    with screen(10, 40, '-n', '2') as top:
        assert top.finish() == 0


def test_colour_only_where_it_is_wanted(folder, monkeypatch):
    with screen(10, 40, '-n', '1') as top:
        top.finish()
        assert b'\x1b[1m' in top.output
    monkeypatch.setenv('NO_COLOR', '1')
    with screen(10, 40, '-n', '1') as top:
        top.finish()
        assert b'\x1b[1m' not in top.output


def test_fifty_processes(folder, cast):
    actors = [cast() for _ in range(50)]
    for i, actor in enumerate(actors):
        assert actor(f'pub p /t{i % 5}') == 'ok'
    done = subprocess.run([TOP, '-n', '1', '-i', '0.2'], capture_output=True, text=True, timeout=60)
    assert '50 processes, 0 dead, 5 topics' in done.stdout
    assert len(re.findall(r'^actor +\d+ .* alive$', done.stdout, re.M)) == 50
    assert len(re.findall(r'^/t\d +10:0 ', done.stdout, re.M)) == 5
