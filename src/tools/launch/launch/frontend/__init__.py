"""Launch files in markup languages: elements become actions, texts become substitutions."""

from .entity import Entity
from .expose import expose_action, expose_substitution
from .parse_substitution import parse_if_substitutions, parse_substitution
from .parser import InvalidFrontendLaunchFileError, Parser

__all__ = ['Entity', 'InvalidFrontendLaunchFileError', 'Parser', 'expose_action', 'expose_substitution',
           'parse_if_substitutions', 'parse_substitution']
