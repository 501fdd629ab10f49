"""What the machine says about itself: files below a root, so that tests have a machine of their own making."""

import os
import re
import shutil
from pathlib import Path


class Sysfs:
    """Files of /sys, /proc, /dev and /usr below a root. Paths are absolute as on the machine: '/proc/loadavg'."""

    def __init__(self, root='/'):
        self.root = Path(root)

    def path(self, name):
        return self.root / str(name).lstrip('/')

    def exists(self, name):
        return self.path(name).exists()

    def read(self, name):
        """Text without white space around it; None where there is no such file, or it may not be read."""
        try:
            return self.path(name).read_text(errors='replace').replace('\0', ' ').strip()
        except OSError:
            return None

    def lines(self, name):
        return (self.read(name) or '').splitlines()

    def number(self, name):
        """An integer, or None."""
        try:
            return int(self.read(name))
        except (TypeError, ValueError):
            return None

    def glob(self, pattern):
        """Names that match, in order, as absolute paths of the machine."""
        found = self.root.glob(pattern.lstrip('/'))
        return sorted('/' + str(path.relative_to(self.root)) for path in found)

    def write(self, name, text):
        """As `echo text > name`, in one write. OSError when the kernel refuses."""
        file = os.open(self.path(name), os.O_WRONLY | os.O_TRUNC)
        try:
            os.write(file, f'{text}\n'.encode())
        finally:
            os.close(file)

    def mkdir(self, name):
        self.path(name).mkdir()

    def rmdir(self, name):
        self.path(name).rmdir()

    def tool(self, name):
        """Where a program lies, or None."""
        folders = ('/usr/bin', '/usr/sbin', '/bin', '/sbin', '/usr/local/bin')
        return next((f'{folder}/{name}' for folder in folders if self.exists(f'{folder}/{name}')), None)

    def disk(self, name):
        """(size, free) in bytes of the file system there, or None."""
        try:
            usage = shutil.disk_usage(self.path(name))
        except OSError:
            return None
        return usage.total, usage.free

    def architecture(self):
        return self.read('/proc/sys/kernel/arch') or os.uname().machine

    def set_affinity(self, pid, cpus):
        """Of every thread of a process."""
        for task in sorted(self.path(f'/proc/{pid}/task').iterdir()):
            os.sched_setaffinity(int(task.name), cpus)


def start_time(pid):
    """When a process of this machine began, in ticks; None: there is none. Tells it from a later one of its number."""
    try:
        return Path(f'/proc/{pid}/stat').read_text().rpartition(')')[2].split()[19]
    except (OSError, IndexError):
        return None


def cpu_list(text):
    """'0-2,4' as [0, 1, 2, 4]; None, '' or anything else as []."""
    ranges = re.findall(r'(\d+)(?:-(\d+))?', text or '')
    return [cpu for first, last in ranges for cpu in range(int(first), int(last or first) + 1)]
