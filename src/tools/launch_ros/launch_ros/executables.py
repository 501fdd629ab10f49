"""What is installed, for substitutions and their errors."""

import difflib
import os


def executables_of(folder):
    """{name: path} of the executable files below a folder; of two with one name the one that lies less deep."""
    found = {}
    for path, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith('.') and name != '__pycache__')
        for name in files:
            full = os.path.join(path, name)
            if os.access(full, os.X_OK) and (name not in found or len(full) < len(found[name])):
                found[name] = full
    return found


def listing(name, existing):
    """What there is, and what somebody who wrote `name` may have meant."""
    existing = sorted(existing)
    if not existing:
        return 'there are none; was the setup.bash of the workspace sourced?'
    close = difflib.get_close_matches(name, existing)
    if close:
        return f"did you mean {' or '.join(close)}?"
    return f"there are {', '.join(existing[:10])}{f' and {len(existing) - 10} more' if len(existing) > 10 else ''}"
