"""Output of processes: lines that do not matter, and what is expected."""

import os
import re

from ..util.text import build_line_match, build_text_match, remove_ansi_escape_sequences


def get_default_filtered_prefixes():
    return ['pid', 'rc']


def get_default_filtered_patterns():
    return []


def basic_output_filter(filtered_prefixes=None, filtered_patterns=None):
    """A function that leaves out lines of a text: those that begin with one of the prefixes, and those whose beginning
    one of the regular expressions matches. Without prefixes, lines that begin with 'pid' or 'rc'."""
    prefixes = tuple(get_default_filtered_prefixes() if filtered_prefixes is None else filtered_prefixes)
    patterns = [re.compile(pattern) for pattern in
                (get_default_filtered_patterns() if filtered_patterns is None else filtered_patterns)]

    def filter_output(output):
        return ''.join(line for line in output.splitlines(keepends=True)
                       if not line.startswith(prefixes) and not any(pattern.match(line) for pattern in patterns))
    return filter_output


def expected_output_from_file(path, encoding=None):
    """The lines of `path`.txt as texts or, if there is none, those of `path`.regex as compiled regular expressions."""
    for extension, kind in (('.txt', str), ('.regex', re.compile)):
        if os.path.isfile(path + extension):
            with open(path + extension, encoding=encoding) as file:
                return [kind(line) for line in file.read().splitlines()]
    raise RuntimeError(f'could not find output check file: {path}.txt or {path}.regex')


def expect_output(text=None, *, lines=None, expected_text=None, expected_lines=None,
                  strip_ansi_escape_sequences=True, strict=False):
    """Whether a text, or a list of lines, is what is expected. build_text_match() and build_line_match() say what that
    may be, and what `strict` means."""
    if (text is None) == (lines is None):
        raise ValueError('expect_output: either text or lines')
    if (expected_text is None) == (expected_lines is None):
        raise ValueError('expect_output: either expected_text or expected_lines')
    text = '\n'.join(lines) if text is None else text
    if strip_ansi_escape_sequences:
        text = remove_ansi_escape_sequences(text)
    if expected_text is not None:
        return build_text_match(expected_text, strict=strict)(text) is not None
    return build_line_match(expected_lines, strict=strict)(text.splitlines()) is not None
