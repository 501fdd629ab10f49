"""What a launch file describes: a list of actions."""

from .launch_description_entity import LaunchDescriptionEntity


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
            from .logging import get_logger
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
        self._collect(self.entities, [], conditional_inclusion, found)
        return list(found.values())

    @classmethod
    def _collect(cls, entities, includes, conditional, found):
        from .actions import DeclareLaunchArgument, IncludeLaunchDescription, ResetLaunchConfigurations
        for entity in entities:
            if isinstance(entity, DeclareLaunchArgument):
                if entity.name not in found:
                    entity._conditionally_included = conditional or entity.condition is not None
                    found[entity.name] = entity, includes
            elif isinstance(entity, ResetLaunchConfigurations):
                return  # what comes behind it cannot be given on the command line
            elif isinstance(entity, IncludeLaunchDescription):
                description = entity.launch_description_source.try_get_launch_description_without_context()
                if description is not None:
                    cls._collect(description.entities, includes + [entity],
                                 conditional or entity.condition is not None, found)
            else:
                cls._collect(entity.describe_sub_entities(), includes, conditional, found)
                for _, further in entity.describe_conditional_sub_entities():
                    cls._collect(further, includes, True, found)
