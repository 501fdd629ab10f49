"""YAML files that people write: plain values, and the line of each of them for errors."""

import os

import yaml

MAX_BYTES = 1 << 20
MAX_VALUES = 20000


class Broken(Exception):
    """A mistake in a file, as `FILE:LINE: field 'x': what is wrong`."""


def dotted(path):
    """('charts', 0, 'x') -> 'charts[0].x'."""
    text = ''
    for part in path:
        text += '[%d]' % part if isinstance(part, int) else ('.' if text else '') + str(part)
    return text


class Document:
    """`value` is what the file holds; error() tells where in it something is."""

    def __init__(self, path):
        self.path = str(path)
        self.lines = {}
        self.value = self._load()

    def error(self, path, what):
        """The exception to raise for the field at `path`; where there is none, the nearest one above tells the line."""
        path = tuple(path)
        at = path
        while at and at not in self.lines:
            at = at[:-1]
        field = "field '%s': " % dotted(path) if path else ''
        return Broken('%s:%d: %s%s' % (self.path, self.lines.get(at, 1), field, what))

    def _load(self):
        try:
            if os.path.isfile(self.path) and os.path.getsize(self.path) > MAX_BYTES:
                raise Broken('%s:1: larger than %d bytes, so this is no experiment' % (self.path, MAX_BYTES))
            with open(self.path, encoding='utf-8') as file:
                text = file.read()
            node = yaml.compose(text, Loader=yaml.SafeLoader)
        except (OSError, UnicodeDecodeError) as error:
            reason = error.strerror if isinstance(error, OSError) else 'it is not UTF-8 text'
            raise Broken('%s:1: cannot be read: %s' % (self.path, reason)) from error
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            line = mark.line + 1 if mark else 1
            raise Broken('%s:%d: not YAML: %s' % (self.path, line, error.problem or error.context)) from error
        except (yaml.YAMLError, RecursionError) as error:
            raise Broken('%s:1: not YAML: %s' % (self.path, error)) from error
        if node is None:
            raise Broken('%s:1: the file is empty' % self.path)
        return self._plain(node, ())

    def _plain(self, node, path):
        self.lines[path] = node.start_mark.line + 1
        if len(self.lines) > MAX_VALUES or len(path) > 20:
            raise self.error((), 'too many values, or too deep')
        if isinstance(node, yaml.SequenceNode):
            return [self._plain(item, path + (number,)) for number, item in enumerate(node.value)]
        if isinstance(node, yaml.MappingNode):
            return self._mapping(node, path)
        constructor = yaml.constructor.SafeConstructor()
        try:
            value = constructor.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            raise self.error(path, "'%s' is no value that is understood" % node.value) from error
        if not isinstance(value, (str, int, float, bool, type(None))):
            raise self.error(path, "'%s' is read as a %s: put it into quotes" % (node.value, type(value).__name__))
        return value

    def _mapping(self, node, path):
        result = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.lines[path] = line
                raise self.error(path, 'a name is expected before the colon')
            key = key_node.value
            if key in result:
                self.lines[path + (key,)] = line
                raise self.error(path + (key,), 'is there twice')
            result[key] = self._plain(value_node, path + (key,))
            self.lines[path + (key,)] = line
        return result
