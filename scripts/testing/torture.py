#!/usr/bin/python3
"""Runs the long tests, one after the other: those with CTest's label 'torture' in build/.

Each is a part; parts are chosen by the beginnings of their names (without 'torture_'): `torture.sh kill fuzz_lane`.
What a part prints goes to log/torture/PART.log; its lines 'figures: ...' go into the summary, log/torture/latest.json
and latest.md. An interrupted run goes on with --resume: parts that have passed with the same programs are not repeated.
"""

import argparse
import datetime
import hashlib
import json
import os
import platform
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import catalog
import report

PLAIN_EVERY = 30.0  # seconds between lines of progress where there is no terminal
DEFAULT_LIMIT = 120.0  # minutes


@dataclass
class Part:
    """One long test."""

    name: str
    command: list
    folder: str
    timeout: float
    environment: dict = field(default_factory=dict)
    results: list = field(default_factory=list)  # files that the command writes

    def digest(self, root):
        """Tells one build of the part from another: its programs, scripts and the core."""
        digest = hashlib.sha256()
        files = [Path(word) for word in self.command if os.path.isfile(word)]
        for path in sorted({*files, *(root / 'build' / 'tandem_core').glob('libtandem_core.so.*.*')}):
            digest.update(path.read_bytes())
        return digest.hexdigest()


def find_parts(build):
    """All parts in a build folder, by name."""
    tests = catalog.tests_of_all([(folder, folder.name) for folder in catalog.packages(build)], torture=True)
    return [Part(re.sub('^torture_', '', test.name.split('/')[1]), test.command, test.folder, test.timeout(3600),
                 test.environment, test.results()) for test in tests if test.command]


class Status:
    """One line that is drawn anew on a terminal, else a plain line now and then."""

    def __init__(self, out=sys.stdout):
        self._out = out
        self._is_terminal = out.isatty()
        self._last = time.monotonic()

    def show(self, text):
        if self._is_terminal:
            width = max(20, shutil.get_terminal_size().columns - 1)
            print('\r\x1b[K' + text[:width], end='', file=self._out, flush=True)
        elif time.monotonic() - self._last >= PLAIN_EVERY:
            self._last = time.monotonic()
            print(text, file=self._out, flush=True)

    def note(self, text):
        print(('\r\x1b[K' if self._is_terminal else '') + text, file=self._out, flush=True)


def duration(seconds):
    return f'{int(seconds) // 60} min {int(seconds) % 60:02} s'


class Run:
    """The run of one part: its output is kept, its last line is the progress."""

    def __init__(self, part, log):
        self.part = part
        self.last_line = ''
        self.figures = []
        self._log = log

    def execute(self, show):
        """'passed', 'failed', 'skipped' or 'timeout'."""
        results = [Path(path) for path in self.part.results]
        for path in results:
            path.unlink(missing_ok=True)
        process = subprocess.Popen(self.part.command, cwd=self.part.folder, env={**os.environ, **self.part.environment},
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                   text=True, errors='replace', start_new_session=True)
        reader = threading.Thread(target=self._read, args=(process.stdout,), daemon=True)
        reader.start()
        started = time.monotonic()
        try:
            while process.poll() is None:
                spent = time.monotonic() - started
                if spent > self.part.timeout:
                    return 'timeout'
                show(f'{duration(spent)} of at most {duration(self.part.timeout)}  {self.last_line}')
                time.sleep(0.2)
        finally:
            if process.poll() is None or process.returncode < 0:
                self._end(process)
            reader.join(5)
        if process.returncode != 0:
            return 'failed'
        cases = report.Cases()
        for path in results:
            if path.exists():
                cases.add(report.read_cases(path))
        return 'skipped' if cases.skipped and not cases.passed else 'passed'

    def _read(self, stream):
        with open(self._log, 'w', encoding='utf-8') as log:
            for line in stream:
                log.write(line)
                log.flush()
                text = line.rstrip()
                self.last_line = text or self.last_line
                if text.startswith('figures: '):
                    self.figures.append(text[len('figures: '):])

    @staticmethod
    def _end(process):
        """The part and what it has started: first asked, then killed."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(process.pid, number)
                process.wait(5)
            except (ProcessLookupError, subprocess.TimeoutExpired):
                continue


def machine():
    model = ''
    for line in Path('/proc/cpuinfo').read_text(encoding='utf-8').splitlines():
        if line.startswith('model name'):
            model = line.split(':', 1)[1].strip()
            break
    return f'{os.cpu_count()} x {model or platform.machine()}, {platform.system()} {platform.release()}'


def commit(root):
    result = subprocess.run(['git', '-C', str(root), 'describe', '--always', '--dirty'], capture_output=True,
                            text=True, check=False)
    return result.stdout.strip() or 'unknown'


class Campaign:
    """What was run, kept in a file after every part."""

    def __init__(self, root, resume):
        self.root = root
        self.folder = root / 'log' / 'torture'
        self.folder.mkdir(parents=True, exist_ok=True)
        self.path = self.folder / 'latest.json'
        self.state = {'commit': commit(root), 'machine': machine(), 'parts': {}}
        if resume and self.path.exists():
            self.state['parts'] = json.loads(self.path.read_text(encoding='utf-8'))['parts']

    def has_passed(self, part):
        done = self.state['parts'].get(part.name)
        return bool(done) and done['result'] == 'passed' and done['digest'] == part.digest(self.root)

    def run(self, part, title, status):
        """The result of the part, also 'interrupted'."""
        run = Run(part, self.folder / f'{part.name}.log')
        digest = part.digest(self.root)
        started = time.monotonic()
        result = 'interrupted'
        try:
            result = run.execute(lambda text: status.show(f'{title} {text}'))
        except KeyboardInterrupt:
            pass
        seconds = round(time.monotonic() - started, 1)
        self.state['parts'][part.name] = {'result': result, 'seconds': seconds, 'figures': run.figures,
                                          'date': datetime.date.today().isoformat(), 'digest': digest}
        self._save()
        status.note(f'{title} {result} in {duration(seconds)}')
        for figure in run.figures:
            status.note(f'    {figure}')
        if result in ('failed', 'timeout'):
            tail = (self.folder / f'{part.name}.log').read_text(encoding='utf-8', errors='replace').splitlines()[-20:]
            status.note('\n'.join(f'    | {line}' for line in tail))
        return result

    def _save(self):
        temporary = self.path.with_suffix('.tmp')
        temporary.write_text(json.dumps(self.state, indent=1) + '\n', encoding='utf-8')
        temporary.replace(self.path)
        rows = ['| part | result | time | figures | date |', '| --- | --- | --- | --- | --- |']
        for name, done in sorted(self.state['parts'].items()):
            rows.append(f"| {name} | {done['result']} | {duration(done['seconds'])} | {'; '.join(done['figures'])} | "
                        f"{done['date']} |")
        (self.folder / 'latest.md').write_text(f"{self.state['machine']}\n\n" + '\n'.join(rows) + '\n',
                                               encoding='utf-8')


def choose(parts, names):
    """Those whose names begin with one of `names`; all when there is none. Ends the program on an unknown name."""
    unknown = [name for name in names if not any(part.name.startswith(name) for part in parts)]
    if unknown:
        known = ', '.join(part.name for part in parts)
        sys.exit(f"error: no part begins with {', '.join(unknown)}; there are: {known}")
    return [part for part in parts if not names or any(part.name.startswith(name) for name in names)]


def arguments():
    parser = argparse.ArgumentParser(prog='torture.sh', description='Runs the long tests.')
    parser.add_argument('part', nargs='*', help='beginnings of the names of parts; all when there is none')
    parser.add_argument('--list', action='store_true', help='name the parts and end')
    parser.add_argument('--resume', action='store_true', help='leave out what has passed with the same programs')
    parser.add_argument('--time-limit', type=float, default=DEFAULT_LIMIT, metavar='MINUTES',
                        help='begin no further part after that time (%(default)g)')
    return parser.parse_args()


def main():
    options = arguments()
    for number in (signal.SIGINT, signal.SIGTERM):  # also where a shell has the background ignore the first
        signal.signal(number, signal.default_int_handler)
    root = Path(os.environ['TANDEM_ROOT'])
    parts = choose(find_parts(root / 'build'), options.part)
    if not parts:
        sys.exit('error: no long test is built: the build needs GoogleTest, see scripts/packages/test.txt')
    if options.list:
        for part in parts:
            print(f'{part.name:24} at most {duration(part.timeout)}')
        return 0
    campaign = Campaign(root, options.resume)
    status = Status()
    status.note(f'{len(parts)} parts, logs in {campaign.folder}')
    started = time.monotonic()
    counts = {}
    for number, part in enumerate(parts, 1):
        title = f'[{number}/{len(parts)}] {part.name}:'
        if options.resume and campaign.has_passed(part):
            result = 'passed'
            status.note(f'{title} passed before')
        elif time.monotonic() - started > options.time_limit * 60:
            result = 'not run'
        else:
            result = campaign.run(part, title, status)
        counts[result] = counts.get(result, 0) + 1
        if result == 'interrupted':
            break
    print(', '.join(f'{count} {result}' for result, count in sorted(counts.items())) +
          f', {duration(time.monotonic() - started)}')
    if counts.get('interrupted') or counts.get('not run'):
        print("The rest: 'make torture RESUME=1'")
    return 0 if counts.get('passed', 0) + counts.get('skipped', 0) == len(parts) else 1


if __name__ == '__main__':
    sys.exit(main())
