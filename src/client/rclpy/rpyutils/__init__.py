"""Helpers of packages with extensions in C."""

from contextlib import contextmanager
import importlib
import os

__all__ = ['add_dll_directories_from_env', 'import_c_library']


@contextmanager
def add_dll_directories_from_env(env_name):
    """Let extensions find libraries in the folders of a variable: the loader of this system does it itself."""
    yield [path for path in os.environ.get(env_name, '').split(os.pathsep) if path]


def import_c_library(name, package=None):
    """Import an extension. ImportError says which, and why it failed."""
    try:
        return importlib.import_module(name, package=package)
    except ImportError as error:
        full = f'{package}{name}' if name.startswith('.') and package else name
        raise ImportError(f"the extension '{full}' cannot be imported: {error}") from error
