"""What a launch file describes: a list of actions."""

from .launch_description_entity import LaunchDescriptionEntity, tell_launch_arguments
from .logging import get_logger


class LaunchDescription(LaunchDescriptionEntity):
    def __init__(self, initial_entities=None, *, deprecated_reason=None):
        self.entities = list(initial_entities or [])
        self.deprecated_reason = deprecated_reason
        for entity in self.entities:
            self._check(entity)

    @property
    def deprecated(self):
        return self.deprecated_reason is not None

    @staticmethod
    def _check(entity):
        if not isinstance(entity, LaunchDescriptionEntity):
            raise TypeError(f'a launch description holds actions, not {entity!r}')

    def visit(self, context):
        if self.deprecated:
            get_logger('launch').warning(f'this launch description is deprecated: {self.deprecated_reason}')
        return self.entities

    def describe_sub_entities(self):
        return self.entities

    def add_entity(self, entity):
        self._check(entity)
        self.entities.append(entity)

    def add_action(self, action):
        self.add_entity(action)

    def get_launch_arguments(self, conditional_inclusion=False):
        """The arguments that this declares, with those of included files that are known by now. Each has
        `_conditionally_included`: whether it is only used under a condition."""
        return [argument for argument, _ in
                self.get_launch_arguments_with_include_launch_description_actions(conditional_inclusion)]

    def get_launch_arguments_with_include_launch_description_actions(self, conditional_inclusion=False):
        """Pairs of an argument and the includes that lead to it."""
        found = {}
        tell_launch_arguments(self.entities, [], conditional_inclusion, found)
        return list(found.values())
