"""Environment variables of the processes that are started later."""

import os

from ..action import Action
from ..frontend.expose import expose_action
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import normalize_typed_substitution, perform_typed_substitution
from .named import NamedAction, ValueAction


@expose_action('set_env')
class SetEnvironmentVariable(ValueAction):
    def execute(self, context):
        context.environment[perform_substitutions(context, self.name)] = perform_substitutions(context, self.value)


@expose_action('unset_env')
class UnsetEnvironmentVariable(NamedAction):
    def execute(self, context):
        context.environment.pop(perform_substitutions(context, self.name), None)


@expose_action('append_env')
class AppendEnvironmentVariable(SetEnvironmentVariable):
    """Adds to what the variable has, behind a separator; with `prepend`, before it."""

    def __init__(self, name, value, prepend=False, separator=os.pathsep, **kwargs):
        super().__init__(name, value, **kwargs)
        self.prepend = normalize_typed_substitution(prepend, bool)
        self.separator = normalize_to_list_of_substitutions(separator)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        prepend = entity.get_attr('prepend', optional=True, data_type=bool)
        if prepend is not None:
            kwargs['prepend'] = parser.parse_if_substitutions(prepend)
        separator = entity.get_attr('separator', optional=True)
        if separator is not None:
            kwargs['separator'] = parser.parse_substitution(separator)
        return cls, kwargs

    def execute(self, context):
        name = perform_substitutions(context, self.name)
        value = perform_substitutions(context, self.value)
        before = context.environment.get(name)
        if before is not None:
            parts = [before, value]
            if perform_typed_substitution(context, self.prepend, bool):
                parts.reverse()
            value = perform_substitutions(context, self.separator).join(parts)
        context.environment[name] = value


class PushEnvironment(Action):
    """What is set from here on is forgotten at the matching PopEnvironment."""

    def execute(self, context):
        context.push_environment()


class PopEnvironment(Action):
    def execute(self, context):
        context.pop_environment()


@expose_action('reset_env')
class ResetEnvironment(Action):
    """Back to the environment that the launch began with."""

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        return cls, kwargs

    def execute(self, context):
        context.reset_environment()
