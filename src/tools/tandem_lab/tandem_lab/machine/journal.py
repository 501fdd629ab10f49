"""Changes of the machine, written down before they are made, so that they can be undone even after a kill -9.

The journal is a file of JSON lines in the folder of a run, each synced. The first names the process that makes the
changes; the others are

    {"owner": 4711, "start": "81239"}
    {"id": 1, "kind": "write", "path": "/sys/…/governor", "before": "powersave", "after": "performance"}
    {"id": 2, "kind": "mkdir", "path": "/sys/fs/cgroup/cpuset/…", "tasks": "tasks"}
    {"id": 3, "kind": "enable", "path": "/sys/fs/cgroup/cgroup.subtree_control", "after": "cpuset"}
    {"undone": 3}

Undoing goes backwards. It is safe to undo a change that was never made, and to undo twice; what somebody else has
changed since is left as it is, and said. When all is undone the file is removed.
"""

import contextlib
import errno
import json
import os
import time
from pathlib import Path

from .sysfs import start_time


class Journal:
    """Makes changes below a Sysfs, and undoes them. Every method raises OSError as the kernel says."""

    def __init__(self, file, sysfs):
        self.file = Path(file)
        self._sysfs = sysfs
        self._last = max((entry.get('id', 0) for entry in read(self.file)), default=0)

    def write(self, path, text):
        """Writes a setting, unless it is so already. True when it changed."""
        before = self._sysfs.read(path)
        if before == text:
            return False
        self._note({'kind': 'write', 'path': path, 'before': before, 'after': text})
        self._sysfs.write(path, text)
        return True

    def mkdir(self, path, tasks):
        """Makes a control group; `tasks` is the file that names its processes."""
        if self._sysfs.exists(path):  # somebody else's, which undoing must not remove
            raise FileExistsError(errno.EEXIST, f'{path} is there already')
        self._note({'kind': 'mkdir', 'path': path, 'tasks': tasks})
        self._sysfs.mkdir(path)

    def enable(self, path, controller):
        """Switches a controller on for the children of a control group (cgroup.subtree_control)."""
        if controller in (self._sysfs.read(path) or '').split():
            return False
        self._note({'kind': 'enable', 'path': path, 'after': controller})
        self._sysfs.write(path, f'+{controller}')
        return True

    def mark(self):
        """For undo(since=...)."""
        return self._last

    def undo(self, since=0):
        """Undoes what was done after this mark. Returns sentences about what could not be undone."""
        return undo(self.file, self._sysfs, since)

    def _note(self, entry):
        if not self.file.exists():
            append(self.file, {'owner': os.getpid(), 'start': start_time(os.getpid())})
        self._last += 1
        append(self.file, {'id': self._last, **entry})


def append(file, entry):
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        # A line that a kill has cut short must not swallow this one.
        os.write(descriptor, ('\n' + json.dumps(entry) + '\n').encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def read(file):
    """All entries; a line cut short by a kill was never acted upon. ValueError when the file is something else."""
    entries = []
    try:
        lines = Path(file).read_text(errors='replace').splitlines()
    except FileNotFoundError:
        return []
    for line in filter(None, lines):
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if isinstance(entry, dict) and entry.keys() & {'kind', 'undone', 'owner'}:
            entries.append(entry)
        elif entry is not None or not line.startswith('{"'):
            raise ValueError(f'{file}: is no journal of settings; it is left alone')
    return entries


def undo(file, sysfs, since=0):
    """See Journal.undo."""
    entries = read(file)
    undone = {entry['undone'] for entry in entries if 'undone' in entry}
    open_entries = [entry for entry in entries if 'kind' in entry and entry['id'] not in undone]
    problems = []
    for entry in reversed([entry for entry in open_entries if entry['id'] > since]):
        try:
            remark = UNDO[entry['kind']](sysfs, entry)
        except FileNotFoundError:
            remark = ''  # gone with a reboot, or never made
        except OSError as error:
            problems.append(f'{entry["path"]}: could not be restored: {os.strerror(error.errno)}')
            continue
        if remark:
            problems.append(remark)
        append(file, {'undone': entry['id']})
        open_entries.remove(entry)
    if not open_entries and entries:
        Path(file).unlink(missing_ok=True)
    return problems


def undo_write(sysfs, entry):
    now = sysfs.read(entry['path'])
    if now is None:
        raise FileNotFoundError(entry['path'])
    if entry['before'] is None or now == entry['before']:
        return ''
    if now != entry['after']:
        return f'{entry["path"]} is {now!r} by now, neither what it was nor what the lab made it: left so'
    sysfs.write(entry['path'], entry['before'])
    return ''


def undo_mkdir(sysfs, entry):
    """Puts what still runs in the group into its parent, and removes it."""
    parent = f'{os.path.dirname(entry["path"])}/{entry["tasks"]}'
    for pid in sysfs.lines(f'{entry["path"]}/{entry["tasks"]}'):
        try:
            sysfs.write(parent, pid)
        except OSError as error:
            if error.errno != errno.ESRCH:  # has ended meanwhile
                raise
    for _ in range(100):
        try:
            sysfs.rmdir(entry['path'])
            return ''
        except OSError as error:
            if error.errno != errno.EBUSY:
                raise
            time.sleep(0.01)  # what has just ended is still on its way out
    sysfs.rmdir(entry['path'])
    return ''


def undo_enable(sysfs, entry):
    if entry['after'] in (sysfs.read(entry['path']) or '').split():
        sysfs.write(entry['path'], f'-{entry["after"]}')
    return ''


UNDO = {'write': undo_write, 'mkdir': undo_mkdir, 'enable': undo_enable}


def is_in_use(entries):
    """Whether the process that makes these changes lives, and is not this one."""
    owner = next((entry for entry in entries if 'owner' in entry), None)
    return owner is not None and owner['owner'] != os.getpid() and start_time(owner['owner']) == owner.get('start')


def restore(file, sysfs):
    """After runs that were killed: undoes what this journal holds, and those of the runs beside it (RUNS/*/NAME).

    Sentences of what was done; [] if nothing was. ValueError when this file is no journal.
    """
    file = Path(file)
    said = restore_one(file, sysfs)
    for other in sorted(file.parent.parent.glob(f'*/{file.name}')):
        with contextlib.suppress(ValueError):
            said += restore_one(other, sysfs)
    return said


def restore_one(file, sysfs):
    entries = read(file)
    changes = [entry for entry in entries if 'kind' in entry]
    if not changes or is_in_use(entries):
        return []
    problems = undo(file, sysfs)
    return [f'settings that a killed run had made were restored ({len(changes)} changes, {file})', *problems]
