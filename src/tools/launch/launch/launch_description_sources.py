"""Launch files: Python, and whatever languages there are parsers for. Errors name file and line."""

import importlib
import os
import traceback
import types

from .frontend import Parser
from .invalid_launch_file_error import InvalidLaunchFileError
from .launch_description import LaunchDescription
from .launch_description_source import LaunchDescriptionSource
from .utilities import alias_modules


class InvalidPythonLaunchFileError(InvalidLaunchFileError):
    """A Python launch file that cannot be used."""


def _in_file(path, error):
    """'FILE:LINE: what is wrong': the line of the file where an exception came from."""
    if isinstance(error, SyntaxError) and error.filename == path:
        return f'{path}:{error.lineno}: {error.msg}'
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return f'{path}{f":{lines[-1]}" if lines else ""}: {type(error).__name__}: {error}'


def _check_exists(path):
    if not os.path.isfile(path):
        raise InvalidLaunchFileError(f"there is no launch file '{path}'")


def load_python_launch_file_as_module(python_launch_file_path):
    """Runs a Python launch file. Returns its module."""
    path = os.fspath(python_launch_file_path)
    _check_exists(path)
    module = types.ModuleType('python_launch_file_' + os.path.basename(path).split('.')[0])
    module.__file__ = path
    try:
        with open(path, 'rb') as file:
            exec(compile(file.read(), path, 'exec'), module.__dict__)
    except InvalidLaunchFileError:
        raise
    except Exception as error:
        raise InvalidPythonLaunchFileError(_in_file(path, error)) from error
    return module


def get_launch_description_from_python_launch_file(python_launch_file_path):
    """The launch description that the file's generate_launch_description() returns."""
    path = os.fspath(python_launch_file_path)
    generate = getattr(load_python_launch_file_as_module(path), 'generate_launch_description', None)
    if not callable(generate):
        raise InvalidPythonLaunchFileError(f'{path}: has no function generate_launch_description()')
    try:
        description = generate()
    except InvalidLaunchFileError:
        raise
    except Exception as error:
        raise InvalidPythonLaunchFileError(_in_file(path, error)) from error
    if not isinstance(description, LaunchDescription):
        raise InvalidPythonLaunchFileError(
            f'{path}:{generate.__code__.co_firstlineno}: generate_launch_description() has to return a '
            f'LaunchDescription, not {description!r}')
    return description


def get_launch_description_from_frontend_launch_file(frontend_launch_file_path, *, parser=Parser):
    """The launch description of a file in a markup language."""
    _check_exists(frontend_launch_file_path)
    entity, found = parser.load(frontend_launch_file_path)
    return found.parse_description(entity)


def get_launch_description_from_any_launch_file(launch_file_path, *, parser=Parser):
    """The launch description of a file in any language; its name tells which."""
    if os.fspath(launch_file_path).endswith('.py'):
        return get_launch_description_from_python_launch_file(launch_file_path)
    return get_launch_description_from_frontend_launch_file(launch_file_path, parser=parser)


class PythonLaunchDescriptionSource(LaunchDescriptionSource):
    def __init__(self, launch_file_path):
        super().__init__(None, launch_file_path, 'interpreted python launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_python_launch_file(location)


class FrontendLaunchDescriptionSource(LaunchDescriptionSource):
    def __init__(self, launch_file_path, *, method='interpreted frontend launch file', parser=Parser):
        super().__init__(None, launch_file_path, method)
        self._parser = parser

    def _get_launch_description(self, location):
        return get_launch_description_from_frontend_launch_file(location, parser=self._parser)


class AnyLaunchDescriptionSource(LaunchDescriptionSource):
    def __init__(self, launch_file_path):
        super().__init__(None, launch_file_path, 'interpreted launch file')

    def _get_launch_description(self, location):
        return get_launch_description_from_any_launch_file(location)


__all__ = ['AnyLaunchDescriptionSource', 'FrontendLaunchDescriptionSource', 'InvalidPythonLaunchFileError',
           'PythonLaunchDescriptionSource', 'get_launch_description_from_any_launch_file',
           'get_launch_description_from_frontend_launch_file', 'get_launch_description_from_python_launch_file',
           'load_python_launch_file_as_module']


def __getattr__(name):
    """The sources of the languages whose packages are installed."""
    for parser in Parser.parsers():
        package = parser.__module__.partition('.')[0]
        if name.lower() == package.removeprefix('launch_') + 'launchdescriptionsource':
            return getattr(importlib.import_module(package + '.launch_description_sources'), name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


alias_modules(__name__, __all__)
