"""Names of actions and substitutions in markup languages. Those of launch itself are here as soon as it is imported."""

import functools
import importlib.metadata

ACTIONS = {}
SUBSTITUTIONS = {}


def _expose(name, known):
    def register(item):
        parse = getattr(item, 'parse', item)  # a class, or a function that parses
        if name in known and known[name].__qualname__ != parse.__qualname__:
            raise RuntimeError(f"two things are exposed as '{name}' in launch files")
        known[name] = parse
        return item
    return register


def expose_action(name):
    """Makes a class known as an element. Its parse(entity, parser) returns the class and keyword arguments."""
    return _expose(name, ACTIONS)


def expose_substitution(name):
    """Makes a class known as $(name …). Its parse(data) gets lists of substitutions, one for each word."""
    return _expose(name, SUBSTITUTIONS)


@functools.cache
def load_extensions():
    """Imports the packages that bring further actions and substitutions, as their entry points say."""
    for entry_point in importlib.metadata.entry_points(group='launch.frontend.launch_extension'):
        entry_point.load()
