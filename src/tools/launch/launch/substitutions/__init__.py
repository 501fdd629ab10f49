"""Texts that are only known when the launch file runs."""

from ..substitution import TextSubstitution
from ..utilities import alias_modules
from .booleans import AllSubstitution, AndSubstitution, AnySubstitution, EqualsSubstitution, IfElseSubstitution
from .booleans import NotEqualsSubstitution, NotSubstitution, OrSubstitution
from .computed import Command, PythonExpression
from .failure import SubstitutionFailure
from .files import FileContent, FindExecutable, LaunchLogDir, PathJoinSubstitution, PathSubstitution, ThisLaunchFile
from .files import ThisLaunchFileDir
from .texts import AnonName, EnvironmentVariable, LaunchConfiguration, LocalSubstitution

__all__ = [
    'AllSubstitution', 'AndSubstitution', 'AnonName', 'AnySubstitution', 'Command', 'EnvironmentVariable',
    'EqualsSubstitution', 'FileContent', 'FindExecutable', 'IfElseSubstitution', 'LaunchConfiguration', 'LaunchLogDir',
    'LocalSubstitution', 'NotEqualsSubstitution', 'NotSubstitution', 'OrSubstitution', 'PathJoinSubstitution',
    'PathSubstitution', 'PythonExpression', 'SubstitutionFailure', 'TextSubstitution', 'ThisLaunchFile',
    'ThisLaunchFileDir']
alias_modules(__name__, __all__)
