"""Help with importing extensions."""

from rpyutils.add_dll_directories import add_dll_directories_from_env
from rpyutils.import_c_library import import_c_library

__all__ = ['add_dll_directories_from_env', 'import_c_library']
