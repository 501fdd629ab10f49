"""Importing extensions."""

import importlib

from rpyutils.add_dll_directories import add_dll_directories_from_env


def import_c_library(name: str, package: str = None):
    """Return an extension, by its name or by '.<name>' in a package.

    :raises ImportError: it cannot be imported; the text says what to do
    """
    try:
        with add_dll_directories_from_env('PATH'):
            return importlib.import_module(name, package=package)
    except ImportError as error:
        raise ImportError(
            f"The extension '{name}' cannot be imported: {error}. Source the setup file of the installation, "
            'and use the Python that it was built for', name=error.name, path=error.path) from error
