"""The base of everything that becomes a text only when the launch file runs, and the text that is one already."""


class Substitution:
    def describe(self):
        """A text for people."""
        return f'{type(self).__name__}()'

    def perform(self, context):
        """The text that this stands for, at this moment."""
        raise NotImplementedError(f'{type(self).__name__} has no perform()')


class TextSubstitution(Substitution):
    """A text as it is."""

    def __init__(self, *, text):
        if not isinstance(text, str):
            raise TypeError(f'TextSubstitution: text has to be a string, not {text!r}')
        self.text = text

    def describe(self):
        return f"'{self.text}'"

    def perform(self, context):
        return self.text
