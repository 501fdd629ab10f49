"""Texts against what is expected: texts, compiled regular expressions, and lists of these."""

import re
from collections.abc import Iterable

_ESCAPE_SEQUENCE = re.compile(r'\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])')


def remove_ansi_escape_sequences(text):
    return _ESCAPE_SEQUENCE.sub('', text)


def normalize_lineseps(text):
    r"""Ends of lines as \n, also those of terminals."""
    return text.replace('\r\n', '\n')


def _in_sequence(matches, strict):
    """One match after the other; begin of the first and end of the last. If `strict`, nothing is left out: not before
    the first, and not between."""
    def match(whole, start=0):
        begin, end = None, start
        for single in matches:
            found = single(whole, end)
            if found is None or (strict and found[0] != end):
                return None
            begin, end = (found[0] if begin is None else begin), found[1]
        return None if begin is None else (begin, end)
    return match


def build_line_match(expected_lines, *, strict=False):
    """A function of a list of lines and the index to begin at, which returns the range of lines that match, or None.
    A text is contained in a line, a regular expression matches its beginning. With `strict`, a text is each whole
    line, and the lines of a list follow each other."""
    if isinstance(expected_lines, str):
        def fits(line):
            return expected_lines == line if strict else expected_lines in line
    elif hasattr(expected_lines, 'match'):
        def fits(line):
            return expected_lines.match(line) is not None
    elif isinstance(expected_lines, Iterable):
        return _in_sequence([build_line_match(line) for line in expected_lines], strict)
    else:
        raise ValueError(f'a text, a regular expression or a list of these is expected, not {expected_lines!r}')

    def match(lines, start=0):
        if strict:
            return (start, len(lines)) if all(map(fits, lines[start:])) else None
        return next(((index, index + 1) for index in range(start, len(lines)) if fits(lines[index])), None)
    return match


def build_text_match(expected_text, *, strict=False):
    """A function of a text and the position to begin at, which returns the range that matches, or None. With
    `strict`, a text is all that follows, a regular expression matches there, and the parts of a list follow each
    other."""
    if isinstance(expected_text, str):
        def find(text, start):
            if strict:
                return (start, len(text)) if text[start:] == expected_text else None
            begin = text.find(expected_text, start)
            return None if begin < 0 else (begin, begin + len(expected_text))
    elif hasattr(expected_text, 'search') and hasattr(expected_text, 'match'):
        def find(text, start):
            found = (expected_text.match if strict else expected_text.search)(text, start)
            return found and found.span()
    elif isinstance(expected_text, Iterable):
        find = _in_sequence([build_text_match(text) for text in expected_text], strict)
    else:
        raise ValueError(f'a text, a regular expression or a list of these is expected, not {expected_text!r}')

    def match(text, start=0):
        return find(normalize_lineseps(text), start)
    return match
