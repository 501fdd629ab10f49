"""Arguments of launch files."""

from typing import List

from ..action import Action
from ..frontend.entity import Entity
from ..frontend.expose import expose_action
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions


@expose_action('arg')
class DeclareLaunchArgument(Action):
    """An argument that may be given as `name:=value`, or by the file that includes this one. It becomes the launch
    configuration of that name; without a default it has to be given."""

    def __init__(self, name, *, default_value=None, description=None, choices=None, **kwargs):
        super().__init__(**kwargs)
        self.name = name
        self.default_value = None if default_value is None else normalize_to_list_of_substitutions(default_value)
        self.choices = None if choices is None else [str(choice) for choice in choices]
        self.description = self._with_choices(description)
        self._conditionally_included = False
        if self.choices is not None and not self.choices:
            raise ValueError(f"argument '{name}': the list of choices is empty")
        if self.choices and isinstance(default_value, str) and default_value not in self.choices:
            raise ValueError(f"argument '{name}': the default '{default_value}' is none of {', '.join(self.choices)}")

    def _with_choices(self, description):
        if self.choices:
            return f"{description + ' ' if description else ''}Valid choices are: {self.choices}"
        return description or 'no description given'

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = entity.get_attr('name')
        default = entity.get_attr('default', optional=True)
        if default is not None:
            kwargs['default_value'] = parser.parse_substitution(default)
        kwargs['description'] = entity.get_attr('description', optional=True)
        choices = entity.get_attr('choice', data_type=List[Entity], optional=True)
        if choices is not None:
            kwargs['choices'] = [choice.get_attr('value') for choice in choices]
        return cls, kwargs

    def describe(self):
        default = '' if self.default_value is None else f', default={describe_substitutions(self.default_value)}'
        return f"DeclareLaunchArgument('{self.name}'{default})"

    def _tell_launch_arguments(self, includes, conditional, found):
        if self.name not in found:
            self._conditionally_included = conditional or self.condition is not None
            found[self.name] = self, includes
        return True

    def execute(self, context):
        if self.name not in context.launch_configurations:
            if self.default_value is None:
                raise RuntimeError(f"the launch argument '{self.name}' is missing ({self.description}); "
                                   f'give it as {self.name}:=VALUE')
            context.launch_configurations[self.name] = perform_substitutions(context, self.default_value)
        value = context.launch_configurations[self.name]
        if self.choices and value not in self.choices:
            raise RuntimeError(f"the launch argument '{self.name}' cannot be '{value}'; "
                               f'valid are: {", ".join(self.choices)}')
