"""What killed processes have left in /dev/shm: only names of middlewares, only new ones, only what nobody uses."""

import os
import re
import shutil

FOLDER = '/dev/shm'
NAMES = re.compile(r'(sem\.)?(fastrtps_|fast_datasharing_|tandem_iceoryx2_|iceoryx_mgmt|iox_|cyclone).*|.*\.zenoh')


def names():
    """Entries that a middleware may have made."""
    try:
        return {name for name in os.listdir(FOLDER) if NAMES.fullmatch(name)}
    except OSError:
        return set()


def remove_folders(parent=FOLDER):
    """Those that a laboratory has left that was killed; their names tell its process."""
    for name in os.listdir(parent) if os.path.isdir(parent) else []:
        match = re.fullmatch(r'tandem-lab-(\d+)-\w+', name)
        if match and not os.path.exists('/proc/' + match.group(1)):
            shutil.rmtree(os.path.join(parent, name), ignore_errors=True)


def in_use(candidates):
    """Those that a living process has mapped or open."""
    used = set()
    for entry in os.listdir('/proc'):
        if not entry.isdigit():
            continue
        try:
            with open('/proc/%s/maps' % entry, encoding='utf-8', errors='replace') as file:
                text = file.read()
            links = [os.readlink('/proc/%s/fd/%s' % (entry, fd)) for fd in os.listdir('/proc/%s/fd' % entry)]
        except OSError:
            continue
        used |= {name for name in candidates if '%s/%s\n' % (FOLDER, name) in text or '%s/%s' % (FOLDER, name) in links}
    return used


def remove(before):
    """Removes what has come since names() gave `before` and is not in use. How many that were."""
    new = names() - before
    if not new:
        return 0
    removed = 0
    for name in new - in_use(new):
        try:
            os.unlink(os.path.join(FOLDER, name))
            removed += 1
        except OSError:
            continue  # a folder, somebody else's, or gone by itself
    return removed
