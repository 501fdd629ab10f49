"""Exclusive processors for groups of processes: cpusets in control groups of version 1 and 2.

As the delay study does it: one group for the publisher, one for the subscriber, each with processors of its own.
"""

import os
import re

from .journal import Journal


NAMES = {'publisher': 'pub_cpuset', 'subscriber': 'sub_cpuset'}


def mounts(sysfs):
    """(mount point of cpuset in version 1 or None, that of version 2 or None)."""
    version1 = version2 = None
    for line in sysfs.lines('/proc/self/mounts'):
        words = line.split()
        if len(words) < 4:
            continue
        if words[2] == 'cgroup' and 'cpuset' in words[3].split(','):
            version1 = words[1]
        if words[2] == 'cgroup2':
            version2 = words[1]
    return version1, version2


def own_group(sysfs, mount, controller):
    """The control group in which the lab runs, below this mount; its root where the path is not visible here."""
    pattern = rf'^\d+:[^:]*\b{controller}\b[^:]*:(/.*)$' if controller else r'^0::(/.*)$'
    found = re.search(pattern, sysfs.read('/proc/self/cgroup') or '', re.MULTILINE)
    path = mount + (found.group(1).rstrip('/') if found else '')
    return path if sysfs.exists(path) else mount


def make(groups, journal: Journal, sysfs):
    """Groups {name: [cpu, ...]} as ({name: path of the control group}, sentences about what is less than asked).

    OSError when there can be none; what was made until then is undone.
    """
    version1, version2 = mounts(sysfs)
    mark = journal.mark()
    try:
        if version1:
            return make_version1(groups, journal, sysfs, own_group(sysfs, version1, 'cpuset'))
        if version2 and 'cpuset' in (sysfs.read(f'{version2}/cgroup.controllers') or '').split():
            return make_version2(groups, journal, sysfs, version2)
        raise OSError('this system has no cpuset control groups')
    except OSError:
        journal.undo(since=mark)
        raise


def group_path(parent, name):
    """The ends of the delay study join groups of these names by themselves."""
    return f'{parent}/{NAMES.get(name, name)}'


def make_version1(groups, journal, sysfs, parent):
    made, remarks = {}, []
    for name, cpus in groups.items():
        path = group_path(parent, name)
        journal.mkdir(path, 'cgroup.procs')
        # What lies in a group of ours goes with it: it needs no entries in the journal.
        sysfs.write(f'{path}/cpuset.cpus', ','.join(map(str, cpus)))
        sysfs.write(f'{path}/cpuset.mems', sysfs.read(f'{parent}/cpuset.mems') or '0')
        try:
            sysfs.write(f'{path}/cpuset.cpu_exclusive', '1')
        except OSError as error:
            remarks.append(f'cpuset {name}: not exclusive ({os.strerror(error.errno)})')
        made[name] = path
    return made, remarks


def make_version2(groups, journal, sysfs, parent):
    made, remarks = {}, []
    journal.enable(f'{parent}/cgroup.subtree_control', 'cpuset')
    for name, cpus in groups.items():
        path = group_path(parent, name)
        journal.mkdir(path, 'cgroup.procs')
        sysfs.write(f'{path}/cpuset.cpus', ','.join(map(str, cpus)))
        made[name] = path
        try:
            sysfs.write(f'{path}/cpuset.cpus.partition', 'root')
        except OSError as error:
            remarks.append(f'cpuset {name}: not exclusive ({os.strerror(error.errno)})')
            continue
        # The kernel takes the word and says here whether it could do it: `root invalid (reason)`.
        state = sysfs.read(f'{path}/cpuset.cpus.partition') or ''
        if state != 'root':
            sysfs.write(f'{path}/cpuset.cpus.partition', 'member')
            remarks.append(f'cpuset {name}: not exclusive ({state})')
    return made, remarks
