"""Plain text, and what has a name: launch configurations, environment variables, locals."""

import getpass
import os
import platform
import random
import re

from ..frontend.expose import expose_substitution
from ..substitution import Substitution
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions
from .failure import SubstitutionFailure


def normalize_default(value):
    """A default of a substitution: None, or substitutions; other values stand for their text."""
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [part for item in value for part in normalize_default(item)]
    is_text = isinstance(value, (str, os.PathLike, Substitution))
    return normalize_to_list_of_substitutions(value if is_text else str(value))


@expose_substitution('var')
class LaunchConfiguration(Substitution):
    """The value of a launch configuration, such as an argument of the launch file."""

    def __init__(self, variable_name, *, default=None):
        self.variable_name = normalize_to_list_of_substitutions(variable_name)
        self.default = normalize_default(default)

    @classmethod
    def parse(cls, data):
        return cls, _name_and_default(data, 'var', 'variable_name', 'default')

    def describe(self):
        return f'LaunchConfig({describe_substitutions(self.variable_name)})'

    def perform(self, context):
        name = perform_substitutions(context, self.variable_name)
        if name in context.launch_configurations:
            value = context.launch_configurations[name]
            return value if isinstance(value, str) else str(value)
        if self.default is None:
            raise SubstitutionFailure(f"there is no launch configuration '{name}' here; declare it with "
                                      f"DeclareLaunchArgument('{name}') before it is used")
        return perform_substitutions(context, self.default)


@expose_substitution('env')
class EnvironmentVariable(Substitution):
    """The value of an environment variable."""

    def __init__(self, name, *, default_value=None):
        self.name = normalize_to_list_of_substitutions(name)
        self.default_value = normalize_default(default_value)

    @classmethod
    def parse(cls, data):
        return cls, _name_and_default(data, 'env', 'name', 'default_value')

    def describe(self):
        default = f', default={describe_substitutions(self.default_value)}' if self.default_value is not None else ''
        return f'EnvVar({describe_substitutions(self.name)}{default})'

    def perform(self, context):
        name = perform_substitutions(context, self.name)
        if name in context.environment:
            return context.environment[name]
        if self.default_value is None:
            raise SubstitutionFailure(f"the environment variable '{name}' is not set")
        return perform_substitutions(context, self.default_value)


def _name_and_default(data, tag, name, default):
    if not 1 <= len(data) <= 2:
        raise TypeError(f'$({tag} NAME [DEFAULT]) takes one or two words, not {len(data)}')
    return {name: data[0], **({default: data[1]} if len(data) == 2 else {})}


class LocalSubstitution(Substitution):
    """A local of the place where it is used: `event.reason`, or any other expression that begins with one."""

    def __init__(self, expression, description=None):
        self.expression = expression
        self.description = description

    def describe(self):
        return f"LocalVar('{self.description or self.expression}')"

    def perform(self, context):
        try:
            return str(eval('context.locals.' + self.expression, {}, {'context': context}))
        except (AttributeError, LookupError) as error:
            raise SubstitutionFailure(f"the local '{self.expression}' has no value here: {error}") from error


@expose_substitution('anon')
class AnonName(Substitution):
    """A name that no other process has; the same within one launch for the same given name."""

    def __init__(self, name):
        self.name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, data):
        if len(data) != 1:
            raise TypeError('$(anon NAME) takes one name')
        return cls, {'name': data[0]}

    def describe(self):
        return f'AnonName({describe_substitutions(self.name)})'

    def perform(self, context):
        name = perform_substitutions(context, self.name)
        names = context.get_locals_as_dict().get('anonymous_names')
        if names is None:
            names = {}
            context.extend_globals({'anonymous_names': names})
        return names.setdefault(name, self.compute_name(name))

    def compute_name(self, id_value):
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = str(os.getuid())
        parts = [id_value, platform.node(), user, str(os.getpid()), str(random.randrange(10**9))]
        return re.sub(r'\W', '_', '_'.join(parts))
