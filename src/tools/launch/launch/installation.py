"""The environment of an installation, for programs that may be called without it."""

import os


def add_to_environment(prefix):
    """Lets this process, and those that it starts, find the modules, packages and libraries of this prefix. They come
    behind those that were there before: an overlay wins."""
    for variable, folder in (('PYTHONPATH', 'lib/python3/dist-packages'), ('AMENT_PREFIX_PATH', ''),
                             ('LD_LIBRARY_PATH', 'lib')):
        path = str(prefix / folder)
        paths = [entry for entry in os.environ.get(variable, '').split(os.pathsep) if entry]
        if path not in paths:
            os.environ[variable] = os.pathsep.join([*paths, path])
