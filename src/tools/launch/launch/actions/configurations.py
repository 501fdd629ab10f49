"""Launch configurations: set, unset, and kept to a part of the launch file."""

from ..action import Action
from ..frontend.expose import expose_action
from ..utilities import normalize_to_list_of_substitutions, perform_substitutions
from .named import NamedAction, ValueAction


@expose_action('let')
class SetLaunchConfiguration(ValueAction):
    def execute(self, context):
        name = perform_substitutions(context, self.name)
        context.launch_configurations[name] = perform_substitutions(context, self.value)


@expose_action('unset')
class UnsetLaunchConfiguration(NamedAction):
    def execute(self, context):
        context.launch_configurations.pop(perform_substitutions(context, self.name), None)


class PushLaunchConfigurations(Action):
    """What is set from here on is forgotten at the matching PopLaunchConfigurations."""

    def execute(self, context):
        context.push_launch_configurations()


class PopLaunchConfigurations(Action):
    def execute(self, context):
        context.pop_launch_configurations()


@expose_action('reset')
class ResetLaunchConfigurations(Action):
    """Forgets all launch configurations but those that are given."""

    def __init__(self, launch_configurations=None, **kwargs):
        super().__init__(**kwargs)
        self._kept = [(normalize_to_list_of_substitutions(name), normalize_to_list_of_substitutions(value))
                      for name, value in (launch_configurations or {}).items()]

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['launch_configurations'] = parse_kept(entity, parser)
        return cls, kwargs

    def _tell_launch_arguments(self, includes, conditional, found):
        return False

    def execute(self, context):
        kept = {perform_substitutions(context, name): perform_substitutions(context, value)
                for name, value in self._kept}
        context.launch_configurations.clear()
        context.launch_configurations.update(kept)


def parse_kept(entity, parser):
    """The <keep name value> elements inside."""
    kept = {}
    for child in [child for child in entity.children if child.type_name == 'keep']:
        kept[tuple(parser.parse_substitution(child.get_attr('name')))] = parser.parse_substitution(
            child.get_attr('value'))
        child.assert_entity_completely_parsed()
    return kept
