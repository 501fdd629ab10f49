"""The base of everything that becomes a text only when the launch file runs."""


class Substitution:
    def describe(self):
        """A text for people."""
        return f'{type(self).__name__}()'

    def perform(self, context):
        """The text that this stands for, at this moment."""
        raise NotImplementedError(f'{type(self).__name__} has no perform()')
