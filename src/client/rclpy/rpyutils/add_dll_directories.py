"""Where extensions find their libraries."""

from contextlib import contextmanager
import os


@contextmanager
def add_dll_directories_from_env(env_name: str):
    """Let extensions that are imported meanwhile find libraries in the folders of a variable.

    Only Windows needs that; elsewhere nothing is done.
    """
    add = getattr(os, 'add_dll_directory', None)
    folders = os.environ.get(env_name, '').split(os.pathsep) if add else ()
    added = [add(folder) for folder in folders if os.path.isdir(folder)]
    try:
        yield
    finally:
        for handle in added:
            handle.close()
