"""Texts with substitutions: `/maps/$(var world).yaml`, `$(env HOME 'nowhere $(dirname)')`."""

import re

from ..substitution import TextSubstitution
from .expose import SUBSTITUTIONS, load_extensions

_NAME = re.compile(r'[A-Za-z_][\w-]*')


class _Reader:
    """A text, and how far it was read."""

    def __init__(self, text):
        self.text = text
        self.at = 0

    def peek(self, length=1):
        return self.text[self.at:self.at + length]

    def template(self, ends):
        """Text and substitutions, up to one of the characters or the end of everything."""
        parts, plain = [], ''
        while self.at < len(self.text) and self.peek() not in ends:
            if self.peek(2) == '$(':
                parts += _texts(plain)
                plain = ''
                parts.append(self.substitution())
            elif self.peek() == '\\' and self.at + 1 < len(self.text):
                plain += self.text[self.at + 1]
                self.at += 2
            else:
                plain += self.peek()
                self.at += 1
        return parts + _texts(plain)

    def substitution(self):
        begin = self.at
        self.at += 2
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise ValueError(f"'{self.text[begin:]}': the name of a substitution has to follow '$('")
        self.at = name.end()
        words = []
        while True:
            blank = re.compile(r'\s*').match(self.text, self.at)
            self.at = blank.end()
            if self.peek() == ')':
                self.at += 1
                return instantiate_substitution(name.group(), words)
            if not self.peek():
                raise ValueError(f"'{self.text[begin:]}': a ')' is missing")
            words.append(self.word(begin))

    def word(self, begin):
        """One argument, quoted or not. `begin` is where the substitution began, for errors."""
        parts = []
        while self.peek() and not self.peek().isspace() and self.peek() != ')':
            if self.peek() in '\'"':
                quote = self.peek()
                self.at += 1
                parts += self.template(quote) or _texts('', True)
                if not self.peek():
                    raise ValueError(f"'{self.text[begin:]}': a quote is not closed")
                self.at += 1
            else:
                parts += self.template(' \t\n\r)\'"')
        return parts


def _texts(text, even_if_empty=False):
    return [TextSubstitution(text=text)] if text or even_if_empty else []


def instantiate_substitution(type_name, args=None):
    """The substitution of this name, with a list of substitutions for each argument."""
    load_extensions()
    if type_name not in SUBSTITUTIONS:
        raise ValueError(f"there is no substitution '$({type_name} …)'; there are {', '.join(sorted(SUBSTITUTIONS))}")
    made = SUBSTITUTIONS[type_name](args or [])
    cls, arguments = made
    return cls(**arguments)


def parse_substitution(string_value):
    """The list of substitutions that a text stands for. Raises ValueError where it makes no sense."""
    parts = _Reader(string_value).template('')
    return parts or _texts('', True)


def parse_if_substitutions(value):
    """Texts become substitutions, also those in a list; other values stay."""
    if isinstance(value, str):
        return parse_substitution(value)
    if isinstance(value, list):
        return [parse_substitution(item) if isinstance(item, str) else item for item in value]
    return value
