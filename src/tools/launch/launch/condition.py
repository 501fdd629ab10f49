"""Whether an action is executed."""


class Condition:
    """Asks a function of the context; without one it always holds."""

    def __init__(self, *, predicate=None):
        self._predicate = predicate

    def describe(self):
        return repr(self)

    def evaluate(self, context):
        return True if self._predicate is None else bool(self._predicate(context))
