"""Paths: of the launch file, of executables, of the log, joined; and what is in a file."""

import os
import shutil

from ..frontend.expose import expose_substitution
from ..logging import launch_config
from ..substitution import Substitution
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions
from .failure import SubstitutionFailure


class _OfLaunchFile(Substitution):
    local = ''

    @classmethod
    def parse(cls, data):
        if data:
            raise TypeError(f'{cls.__name__} takes no arguments')
        return cls, {}

    def perform(self, context):
        value = context.get_locals_as_dict().get(self.local)
        if value is None:
            raise SubstitutionFailure(f'{type(self).__name__} has no value: this description comes from no launch file')
        return value


@expose_substitution('filename')
class ThisLaunchFile(_OfLaunchFile):
    """Path of the launch file that this stands in."""

    local = 'current_launch_file_path'


@expose_substitution('dirname')
class ThisLaunchFileDir(_OfLaunchFile):
    """Folder of the launch file that this stands in."""

    local = 'current_launch_file_directory'


@expose_substitution('log_dir')
@expose_substitution('launch_log_dir')
class LaunchLogDir(Substitution):
    """Folder of this launch's log files."""

    @classmethod
    def parse(cls, data):
        return cls, {}

    def perform(self, context):
        return launch_config.log_dir


class PathJoinSubstitution(Substitution):
    """Parts of a path, joined. A part may be a list, whose elements are put together first."""

    def __init__(self, substitutions):
        if isinstance(substitutions, (str, Substitution)):
            raise TypeError('PathJoinSubstitution takes a list of the parts')
        self.substitutions = [normalize_to_list_of_substitutions(part) for part in substitutions]

    def describe(self):
        return f'PathJoin({", ".join(describe_substitutions(part) for part in self.substitutions)})'

    def perform(self, context):
        parts = [perform_substitutions(context, part) for part in self.substitutions]
        return os.path.join(*parts) if parts else ''

    def __truediv__(self, part):
        return PathSubstitution(self) / part


class PathSubstitution(PathJoinSubstitution):
    """A path that is continued with `/`."""

    def __init__(self, path):
        super().__init__([path])

    def __truediv__(self, part):
        joined = PathSubstitution('')
        joined.substitutions = [*self.substitutions, normalize_to_list_of_substitutions(part)]
        return joined


class _Named(Substitution):
    """What has one argument."""

    def __init__(self, name):
        self.name = normalize_to_list_of_substitutions(name)

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.name)})'


@expose_substitution('find-exec')
class FindExecutable(_Named):
    """Path of a program that the shell would find."""

    def __init__(self, *, name):
        super().__init__(name)

    @classmethod
    def parse(cls, data):
        if len(data) != 1:
            raise TypeError('$(find-exec NAME) takes one name')
        return cls, {'name': data[0]}

    def perform(self, context):
        name = perform_substitutions(context, self.name)
        found = shutil.which(name)
        if found is None:
            raise SubstitutionFailure(f"executable '{name}' not found on the PATH")
        return found


@expose_substitution('file-content')
class FileContent(_Named):
    """What is in a text file."""

    def __init__(self, path):
        super().__init__(path)

    path = property(lambda self: self.name)

    @classmethod
    def parse(cls, data):
        if len(data) != 1:
            raise TypeError('$(file-content PATH) takes one path')
        return cls, {'path': data[0]}

    def perform(self, context):
        path = perform_substitutions(context, self.name)
        try:
            with open(path, encoding='utf-8') as file:
                return file.read()
        except (OSError, UnicodeDecodeError) as error:
            raise SubstitutionFailure(f"cannot read '{path}': {error}") from error
