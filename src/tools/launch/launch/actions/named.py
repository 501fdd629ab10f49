"""What actions on a name have in common, and those that give it a value."""

from ..action import Action
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions


class NamedAction(Action):
    def __init__(self, name, **kwargs):
        super().__init__(**kwargs)
        self.name = normalize_to_list_of_substitutions(name)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.parse_substitution(entity.get_attr('name'))
        return cls, kwargs

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.name)})'


class ValueAction(NamedAction):
    def __init__(self, name, value, **kwargs):
        super().__init__(name, **kwargs)
        self.value = normalize_to_list_of_substitutions(value)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['value'] = parser.parse_substitution(entity.get_attr('value'))
        return cls, kwargs

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.name)}, {describe_substitutions(self.value)})'
