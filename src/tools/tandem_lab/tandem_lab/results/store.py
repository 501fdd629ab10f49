"""The folder of a run: run.json, results.jsonl (appended, synced), and what a torn line or a full disk mean."""

import errno
import json
import os
import pathlib
import time

LEAST_FREE = 1 << 20  # bytes; with less, what fails next fails for want of room


class DiskFull(Exception):
    """No room for results; what() says where."""


class BadRun(Exception):
    """This folder is no run; what() is for people."""


def is_full(error):
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


def new_folder(parent, name):
    """A folder of its own for a run, made now: 2026-01-02-studies, 2026-01-02-studies-2 ..."""
    stem = time.strftime('%Y-%m-%d-') + name
    for number in range(1, 10000):
        folder = pathlib.Path(parent) / (stem if number == 1 else '%s-%d' % (stem, number))
        try:
            folder.mkdir(parents=True)
            return folder
        except FileExistsError:
            continue
        except OSError as error:
            if is_full(error):
                raise DiskFull('%s: no room for the folder of a run' % parent) from error
            raise BadRun('%s cannot be made: %s' % (folder, error.strerror)) from error
    raise BadRun('%s: there are too many runs of this day' % parent)


def find_run(text, parent):
    """The folder that a user means: a path, or a name below `parent`."""
    for folder in (pathlib.Path(text), pathlib.Path(parent) / text):
        if (folder / 'run.json').is_file():
            return folder.resolve()
    raise BadRun("there is no run '%s': neither it nor %s has a run.json (`tandem lab list` shows the runs)" % (
        text, pathlib.Path(parent) / text))


def list_runs(parent):
    """Folders of runs below `parent`, the newest last."""
    found = [path.parent for path in pathlib.Path(parent).glob('*/run.json')]
    return sorted(found, key=lambda folder: (folder / 'run.json').stat().st_mtime)


class Store:
    """Reads and writes one run's folder. Writing raises DiskFull when there is no room."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.results = self.folder / 'results.jsonl'

    def write_run(self, run):
        """run.json, replaced as a whole."""
        text = json.dumps(run, indent=1, ensure_ascii=False) + '\n'
        new = self.folder / 'run.json.new'
        try:
            with open(new, 'w', encoding='utf-8') as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, self.folder / 'run.json')
        except OSError as error:
            self._fail(error)

    def read_run(self):
        path = self.folder / 'run.json'
        try:
            return json.loads(path.read_text(encoding='utf-8'))
        except OSError as error:
            raise BadRun('%s cannot be read: %s' % (path, error.strerror)) from error
        except ValueError as error:
            raise BadRun('%s is broken: %s' % (path, error)) from error

    def records(self):
        """All trials that are done. A torn last line is not one, and is cut off."""
        if not self.results.exists():
            return []
        data = self.results.read_bytes()
        whole, _, torn = data.rpartition(b'\n')
        if torn:
            os.truncate(self.results, len(data) - len(torn))
        found = []
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                record = json.loads(line)
                found.append({**record, 'experiment': record['experiment']})
            except (ValueError, TypeError, KeyError) as error:
                raise BadRun('%s:%d: not a result: %s' % (self.results, number, error)) from error
        return found

    def append(self, record):
        line = json.dumps(record, ensure_ascii=False).encode() + b'\n'
        size = self.results.stat().st_size if self.results.exists() else 0
        try:
            with open(self.results, 'ab') as file:
                file.write(line)
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            try:
                os.truncate(self.results, size)
            except OSError:
                pass
            self._fail(error)

    def check_room(self):
        """Raises DiskFull when so little is left that a trial's failure need not be its own."""
        state = os.statvfs(self.folder)
        if state.f_bavail * state.f_frsize < LEAST_FREE:
            raise DiskFull('%s: only %d KiB are free' % (self.folder, state.f_bavail * state.f_frsize // 1024))

    def _fail(self, error):
        if is_full(error):
            raise DiskFull('%s: no room' % self.folder) from error
        raise BadRun('%s cannot be written: %s' % (self.folder, error.strerror)) from error
