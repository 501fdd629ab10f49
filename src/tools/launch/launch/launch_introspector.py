"""A launch description as a tree of lines, for `ros2 launch --print`."""

from .actions import ExecuteLocal, RegisterEventHandler, TimerAction
from .utilities import describe_substitutions


def format_substitutions(substitutions):
    return describe_substitutions(substitutions)


def _subtree(lines, is_last):
    """The lines of one entity, attached to the trunk."""
    first, rest = ('└── ', '    ') if is_last else ('├── ', '│   ')
    return [(rest if number else first) + line for number, line in enumerate(lines)]


def format_entities(entities):
    """Lines of a tree; an entity that turns up inside itself is not entered again."""
    return _format(list(entities), ())


def _format(entities, parents):
    lines = []
    for number, entity in enumerate(entities):
        lines += _subtree(_format_entity(entity, parents), number == len(entities) - 1)
    return lines


def _format_entity(entity, parents):
    lines = [entity.describe()]
    if entity in parents:
        return lines
    inside = parents + (entity,)
    if isinstance(entity, RegisterEventHandler):
        text, entities = entity.event_handler.describe()
        return [f'{type(entity).__name__}({text})'] + _format(list(entities), inside)
    branches = [(None, entity.describe_sub_entities())]
    branches += entity.describe_conditional_sub_entities()
    if isinstance(entity, ExecuteLocal):
        branches[0] = ('on exit', branches[0][1])
    elif isinstance(entity, TimerAction):
        branches[0] = (None, [])
    for text, entities in branches:
        if entities and text is not None:
            lines += _subtree([text + ':'] + _format(list(entities), inside), True)
        elif entities:
            lines += _format(list(entities), inside)
    return lines


class LaunchIntrospector:
    def format_launch_description(self, launch_description):
        return '\n'.join([launch_description.describe()] + format_entities(launch_description.entities))
