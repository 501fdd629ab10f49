"""Names of actions and substitutions in markup languages."""

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
