"""Launch files in YAML."""

from .parser import Parser

__all__ = ['Parser']
