"""Paths of packages and their executables, and parameters that were set in the launch file."""

import os

from ament_index_python.packages import PackageNotFoundError, get_package_prefix, get_packages_with_prefixes
from ament_index_python.packages import get_package_share_directory  # noqa: F401 launch files take it from here
from launch.frontend import expose_substitution
from launch.substitution import Substitution
from launch.substitutions import SubstitutionFailure
from launch.substitutions.texts import normalize_default
from launch.utilities import alias_modules, describe_substitutions, normalize_to_list_of_substitutions
from launch.utilities import perform_substitutions

from ..executables import executables_of, listing


class FindPackage(Substitution):
    """A folder of an installed package."""

    def __init__(self, package):
        self.package = normalize_to_list_of_substitutions(package)

    @classmethod
    def parse(cls, data):
        if len(data) != 1:
            raise TypeError(f'{cls.__name__} takes the name of one package')
        return cls, {'package': data[0]}

    def describe(self):
        return f'{type(self).__name__}(pkg={describe_substitutions(self.package)})'

    def find(self, package_name):
        raise NotImplementedError(f'{type(self).__name__} has no find()')

    def perform(self, context):
        return self.find(perform_substitutions(context, self.package))

    @staticmethod
    def prefix(package_name):
        try:
            return get_package_prefix(package_name)
        except (PackageNotFoundError, ValueError, LookupError, EnvironmentError):
            known = listing(package_name, get_packages_with_prefixes() if os.environ.get('AMENT_PREFIX_PATH') else [])
            raise SubstitutionFailure(f"there is no package '{package_name}' in AMENT_PREFIX_PATH; {known}") from None


@expose_substitution('find-pkg-prefix')
class FindPackagePrefix(FindPackage):
    """The folder that a package was installed to."""

    def find(self, package_name):
        return self.prefix(package_name)


@expose_substitution('find-pkg-share')
class FindPackageShare(FindPackage):
    """share/PACKAGE of it."""

    def find(self, package_name):
        return os.path.join(self.prefix(package_name), 'share', package_name)


@expose_substitution('exec-in-pkg')
class ExecutableInPackage(FindPackage):
    """Path of an executable of a package."""

    def __init__(self, executable, package):
        super().__init__(package)
        self.executable = normalize_to_list_of_substitutions(executable)

    @classmethod
    def parse(cls, data):
        if len(data) != 2:
            raise TypeError('$(exec-in-pkg EXECUTABLE PACKAGE) takes two names')
        return cls, {'executable': data[0], 'package': data[1]}

    def describe(self):
        return (f'ExecInPkg(pkg={describe_substitutions(self.package)}, '
                f'exec={describe_substitutions(self.executable)})')

    def perform(self, context):
        package = perform_substitutions(context, self.package)
        name = perform_substitutions(context, self.executable)
        folder = os.path.join(self.prefix(package), 'lib', package)
        found = executables_of(folder)
        if name not in found:
            raise SubstitutionFailure(f"there is no executable '{name}' in package '{package}' ({folder}); "
                                      f'{listing(name, found)}')
        return found[name]


@expose_substitution('param')
class Parameter(Substitution):
    """The value that SetParameter gave to a parameter before."""

    def __init__(self, name, *, default=None):
        self.name = normalize_to_list_of_substitutions(name)
        self.default = normalize_default(default)

    @classmethod
    def parse(cls, data):
        if not 1 <= len(data) <= 2:
            raise TypeError('$(param NAME [DEFAULT]) takes one or two words')
        return cls, {'name': data[0], **({'default': data[1]} if len(data) == 2 else {})}

    def describe(self):
        return f'Parameter({describe_substitutions(self.name)})'

    def perform(self, context):
        name = perform_substitutions(context, self.name)
        for entry in reversed(context.launch_configurations.get('global_params', [])):
            if isinstance(entry, tuple) and entry[0] == name:
                return str(entry[1])
        if self.default is None:
            raise SubstitutionFailure(f"no SetParameter before this has set the parameter '{name}'")
        return perform_substitutions(context, self.default)


__all__ = ['ExecutableInPackage', 'FindPackage', 'FindPackagePrefix', 'FindPackageShare', 'Parameter']
alias_modules(__name__, __all__)
