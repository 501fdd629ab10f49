"""Several actions as one, and other launch files."""

import os
from typing import List

from ..action import Action
from ..frontend.entity import Entity
from ..frontend.expose import expose_action
from ..launch_description_entity import tell_launch_arguments
from ..launch_description_source import LaunchDescriptionSource
from ..launch_description_sources import AnyLaunchDescriptionSource
from ..utilities import normalize_to_list_of_entities, normalize_to_list_of_substitutions, perform_substitutions
from .configurations import PopLaunchConfigurations, PushLaunchConfigurations, ResetLaunchConfigurations
from .configurations import SetLaunchConfiguration, parse_kept
from .environment import PopEnvironment, PushEnvironment, ResetEnvironment


@expose_action('group')
class GroupAction(Action):
    """Actions with one condition. If `scoped`, launch configurations and environment variables that are set inside
    end with the group; if not `forwarding`, those from outside are not seen inside. `launch_configurations` are set
    for the group."""

    def __init__(self, actions, *, scoped=True, forwarding=True, launch_configurations=None, **left_over_kwargs):
        super().__init__(**left_over_kwargs)
        self._actions = normalize_to_list_of_entities(actions)
        self._scoped = scoped
        self._forwarding = forwarding
        self._launch_configurations = dict(launch_configurations or {})
        self._resolved = None

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        for name in ('scoped', 'forwarding'):
            value = entity.get_attr(name, data_type=bool, optional=True, can_be_str=False)
            if value is not None:
                kwargs[name] = value
        kwargs['launch_configurations'] = parse_kept(entity, parser)
        kwargs['actions'] = [parser.parse_action(child) for child in entity.children if child.type_name != 'keep']
        return cls, kwargs

    def get_sub_entities(self):
        if self._resolved is None:
            sets = [SetLaunchConfiguration(name, value) for name, value in self._launch_configurations.items()]
            if not self._scoped:
                self._resolved = [*sets, *self._actions]
            else:
                if not self._forwarding:
                    sets = [ResetEnvironment(), ResetLaunchConfigurations(self._launch_configurations)]
                self._resolved = [PushLaunchConfigurations(), PushEnvironment(), *sets, *self._actions,
                                  PopEnvironment(), PopLaunchConfigurations()]
        return self._resolved

    def execute(self, context):
        return self.get_sub_entities()


class _EndOfInclude(Action):
    """Behind what came of an included file: the including file is the current one again."""

    def __init__(self, before):
        super().__init__()
        self._before = before

    def execute(self, context):
        context.remove_locals(['current_launch_file_path', 'current_launch_file_directory'])
        context.extend_locals(self._before)


@expose_action('include')
class IncludeLaunchDescription(Action):
    """Another launch file, with values for its arguments. What it sets stays set, unless a scoped group is around."""

    def __init__(self, launch_description_source, *, launch_arguments=None, **kwargs):
        super().__init__(**kwargs)
        if not isinstance(launch_description_source, LaunchDescriptionSource):
            launch_description_source = AnyLaunchDescriptionSource(launch_description_source)
        self.launch_description_source = launch_description_source
        pairs = launch_arguments.items() if isinstance(launch_arguments, dict) else launch_arguments or []
        self.launch_arguments = [(normalize_to_list_of_substitutions(name), self._normalize(name, value))
                                 for name, value in pairs]

    @staticmethod
    def _normalize(name, value):
        try:
            return normalize_to_list_of_substitutions(value)
        except TypeError as error:
            raise TypeError(f"argument '{name}' of the included launch file: {error}") from None

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['launch_description_source'] = parser.parse_substitution(entity.get_attr('file'))
        arguments = [*(entity.get_attr('arg', data_type=List[Entity], optional=True) or []),
                     *(entity.get_attr('let', data_type=List[Entity], optional=True) or [])]
        kwargs['launch_arguments'] = [(parser.parse_substitution(argument.get_attr('name')),
                                       parser.parse_substitution(argument.get_attr('value')))
                                      for argument in arguments]
        for argument in arguments:
            argument.assert_entity_completely_parsed()
        return cls, kwargs

    def describe(self):
        return f'IncludeLaunchDescription({self.launch_description_source.location})'

    def get_sub_entities(self):
        description = self.launch_description_source.try_get_launch_description_without_context()
        return [] if description is None else [description]

    def _tell_launch_arguments(self, includes, conditional, found):
        description = self.launch_description_source.try_get_launch_description_without_context()
        if description is not None:
            tell_launch_arguments(description.entities, includes + [self], conditional or self.condition is not None,
                                  found)
        return True

    def execute(self, context):
        description = self.launch_description_source.get_launch_description(context)
        path = os.path.abspath(self.launch_description_source.location)
        local = context.get_locals_as_dict()
        before = {name: local[name] for name in ('current_launch_file_path', 'current_launch_file_directory')
                  if name in local}
        arguments = [(perform_substitutions(context, name), perform_substitutions(context, value))
                     for name, value in self.launch_arguments]
        context.extend_locals({'current_launch_file_path': path,
                               'current_launch_file_directory': os.path.dirname(path)})
        context.launch_configurations.update(arguments)
        return [description, _EndOfInclude(before)]
