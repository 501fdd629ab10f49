"""Small things that actions and substitutions share."""

import os
import re
import sys
from collections.abc import Iterable

from ..launch_description_entity import LaunchDescriptionEntity
from ..substitution import Substitution, TextSubstitution


def alias_modules(package, names, others=None):
    """Lets `package.on_process_exit` be imported for the class OnProcessExit, and named behind the package, wherever it
    is defined: ROS 2 has a module for each class, and launch files name them. `others` has {module: name} that do not
    follow this rule."""
    modules = {re.sub(r'(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])', '_', name).lower(): name for name in names}
    for short, name in {**modules, **(others or {})}.items():
        item = getattr(sys.modules[package], name)
        module = f'{package}.{short}'
        if hasattr(item, '__module__') and module not in sys.modules:
            sys.modules[module] = sys.modules[item.__module__]
            if not hasattr(sys.modules[package], short):  # which may be a function
                setattr(sys.modules[package], short, sys.modules[module])


def normalize_to_list_of_substitutions(subs):
    """A list of substitutions, made of a string, a path, a substitution or several of them."""
    if isinstance(subs, Substitution):
        return [subs]
    if isinstance(subs, (str, os.PathLike)):
        return [TextSubstitution(text=os.fspath(subs))]
    if isinstance(subs, Iterable) and not isinstance(subs, (bytes, dict)):
        return [part for sub in subs for part in normalize_to_list_of_substitutions(sub)]
    raise TypeError(f'a string, a path, a substitution or a list of these is needed, not {subs!r}')


def perform_substitutions(context, subs):
    """The text that the substitutions make together."""
    return ''.join(context.perform_substitution(sub) for sub in normalize_to_list_of_substitutions(subs))


def describe_substitutions(subs):
    """A text for people: 'a' + LaunchConfig('b')."""
    return ' + '.join(sub.describe() for sub in normalize_to_list_of_substitutions(subs))


def normalize_to_list_of_entities(entities):
    """A flat list of entities, made of one or of nested lists."""
    if isinstance(entities, LaunchDescriptionEntity):
        return [entities]
    if isinstance(entities, Iterable) and not isinstance(entities, (str, dict)):
        return [entity for some in entities for entity in normalize_to_list_of_entities(some)]
    raise TypeError(f'actions are needed here, not {entities!r}')


def ensure_argument_type(argument, types, argument_name, caller=None):
    """Raises TypeError unless the argument is of one of the types."""
    if not isinstance(argument, types if isinstance(types, type) else tuple(types)):
        where = f' of {caller}' if caller else ''
        raise TypeError(f"argument '{argument_name}'{where} cannot be {argument!r}")


def is_a(obj, entity_type):
    return isinstance(obj, entity_type)


def is_a_subclass(obj, entity_type):
    return isinstance(obj, entity_type) or (isinstance(obj, type) and issubclass(obj, entity_type))


def isclassinstance(obj):
    return not isinstance(obj, type)


def visit_all_entities_and_collect_futures(entity, context):
    """Visits an entity and all that come of it, depth first. Returns pairs of entity and future."""
    try:
        further = entity.visit(context)
    except Exception as error:
        if not hasattr(error, 'launch_location'):
            error.launch_location = getattr(entity, 'launch_location', None)
        raise
    future = entity.get_asyncio_future()
    pairs = [] if future is None else [(entity, future)]
    for sub in [] if further is None else normalize_to_list_of_entities(further):
        pairs += visit_all_entities_and_collect_futures(sub, context)
    return pairs


def place_of_caller():
    """'FILE:LINE' of the innermost code on the stack that does not belong to a launch package."""
    ours = ('launch', 'launch_ros', 'launch_xml', 'launch_yaml')
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get('__name__', '').split('.')[0] not in ours:
            return f'{frame.f_code.co_filename}:{frame.f_lineno}'
        frame = frame.f_back
    return None
