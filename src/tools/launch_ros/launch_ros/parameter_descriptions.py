"""Parameters of nodes: values with a type, single parameters, and files."""

import os
from pathlib import Path

import yaml
from launch.frontend import parse_substitution
from launch.substitutions import SubstitutionFailure
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions
from launch.utilities.type_utils import normalize_typed_substitution, perform_typed_substitution

from .parameter_files import write_text


class ParameterValue:
    """A value with the type that it shall have: bool, int, float, str or a List of one of these; by the rules of YAML
    without one."""

    def __init__(self, value, *, value_type=None):
        self.value = normalize_typed_substitution(value, value_type)
        self.value_type = value_type

    def evaluate(self, context):
        return perform_typed_substitution(context, self.value, self.value_type)


class Parameter:
    """One parameter."""

    def __init__(self, name, value, *, value_type=None):
        self.name = normalize_to_list_of_substitutions(name)
        self._value = ParameterValue(value, value_type=value_type)

    value = property(lambda self: self._value.value)
    value_type = property(lambda self: self._value.value_type)

    def evaluate(self, context):
        """Name and value."""
        return perform_substitutions(context, self.name), self._value.evaluate(context)


class ParameterFile:
    """A YAML file of parameters; with `allow_substs`, substitutions such as $(var x) in it are replaced."""

    def __init__(self, param_file, *, allow_substs=False):
        self.param_file = normalize_to_list_of_substitutions(param_file)
        self.allow_substs = normalize_typed_substitution(allow_substs, bool)

    def evaluate(self, context):
        """Path of the file, or of what became of it."""
        path = Path(perform_substitutions(context, self.param_file))
        if not perform_typed_substitution(context, self.allow_substs, bool):
            return path
        try:
            text = perform_substitutions(context, parse_substitution(path.read_text(encoding='utf-8')))
            yaml.safe_load(text)
        except (OSError, ValueError, SubstitutionFailure, yaml.YAMLError) as error:
            raise SubstitutionFailure(f"cannot use the parameter file '{os.fspath(path)}': {error}") from error
        return write_text(text)

    def cleanup(self):
        """Nothing to do: what was made lies beside the log."""
