"""Turns elements into actions, whatever language they were written in."""

import importlib.metadata
import os

from ..invalid_launch_file_error import InvalidLaunchFileError
from ..launch_description import LaunchDescription
from .expose import ACTIONS, load_extensions
from .parse_substitution import parse_if_substitutions, parse_substitution


class InvalidFrontendLaunchFileError(InvalidLaunchFileError):
    """A launch file in a markup language that cannot be read."""


class Parser:
    """The base of the parsers; a language has get_file_extensions() and load()."""

    _parsers = None

    @classmethod
    def load_launch_extensions(cls):
        """Packages that bring actions and substitutions."""
        load_extensions()

    @classmethod
    def parsers(cls):
        """Classes of the languages that are installed."""
        if Parser._parsers is None:
            found = importlib.metadata.entry_points(group='launch.frontend.parser')
            Parser._parsers = [entry_point.load() for entry_point in sorted(found)]
        return Parser._parsers

    @classmethod
    def get_file_extensions(cls):
        return set()

    @classmethod
    def may_parse(cls, filename):
        return any(str(filename).endswith('.' + extension) for extension in cls.get_file_extensions())

    @classmethod
    def get_file_extensions_from_parsers(cls):
        return {extension for parser in cls.parsers() for extension in parser.get_file_extensions()}

    @classmethod
    def get_available_extensions(cls):
        return sorted(cls.get_file_extensions_from_parsers())

    @classmethod
    def is_filename_valid(cls, filename):
        return any(parser.may_parse(filename) for parser in cls.parsers())

    @classmethod
    def load(cls, file):
        """The root element of a file (a path or an open file) and the parser of its language, which its name tells;
        without one that is known, every language is tried."""
        if not isinstance(file, (str, os.PathLike)):
            return cls.load_text(file.read(), getattr(file, 'name', '<text>'))
        try:
            with open(file, encoding='utf-8') as opened:
                return cls.load_text(opened.read(), os.fspath(file))
        except UnicodeDecodeError as error:
            raise InvalidFrontendLaunchFileError(f'{os.fspath(file)}: is no text in UTF-8: {error}') from error

    @classmethod
    def load_text(cls, text, name):
        parsers = [parser for parser in cls.parsers() if parser.may_parse(name)] or cls.parsers()
        errors = []
        for parser in parsers:
            try:
                return parser.load_text(text, name)
            except InvalidLaunchFileError as error:
                errors.append(error)
        if len(errors) == 1:
            raise errors[0]
        raise InvalidFrontendLaunchFileError(
            f'{name}: its name tells no language ({", ".join(cls.get_available_extensions())}), and none fits: '
            + '; '.join(map(str, errors)))

    def parse_action(self, entity):
        """The action of an element, and of those inside."""
        self.load_launch_extensions()
        try:
            if entity.type_name not in ACTIONS:
                raise ValueError(f'there is no action <{entity.type_name}>; these exist: {", ".join(sorted(ACTIONS))}')
            cls, arguments = ACTIONS[entity.type_name](entity, self)
            entity.assert_entity_completely_parsed()
            action = cls(**arguments)
            action.launch_location = entity.location
            return action
        except InvalidLaunchFileError:
            raise
        except Exception as error:
            raise InvalidFrontendLaunchFileError(f'{entity.location}: {error}') from error

    def parse_substitution(self, value):
        return parse_substitution(value)

    def parse_if_substitutions(self, value):
        return parse_if_substitutions(value)

    def escape_characters(self, value):
        return value

    def parse_description(self, entity):
        """The launch description of a root element."""
        if entity.type_name != 'launch':
            raise InvalidFrontendLaunchFileError(f'{entity.location}: the root is launch, not {entity.type_name}')
        deprecated = entity.get_attr('deprecated', optional=True)
        actions = [self.parse_action(child) for child in entity.children]
        entity.get_attr('version', optional=True)
        try:
            entity.assert_entity_completely_parsed()
        except ValueError as error:
            raise InvalidFrontendLaunchFileError(f'{entity.location}: {error}') from error
        return LaunchDescription(actions, deprecated_reason=deprecated)
