"""The environment of an installation, for programs that may be called without it."""

import os


def add_to_environment(prefix):
    """Lets this process, and those that it starts, find the modules, packages and libraries of this prefix. They come
    behind those that were there before: an overlay wins."""
    for variable, folders in (('PYTHONPATH', prefix.glob('lib/python3*/*-packages')), ('AMENT_PREFIX_PATH', [prefix]),
                              ('LD_LIBRARY_PATH', [prefix / 'lib'])):
        paths = [entry for entry in os.environ.get(variable, '').split(os.pathsep) if entry]
        paths += [str(folder) for folder in folders if str(folder) not in paths]
        if paths:
            os.environ[variable] = os.pathsep.join(paths)
