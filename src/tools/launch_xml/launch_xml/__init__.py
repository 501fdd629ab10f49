"""Launch files in XML."""

from .parser import Parser

__all__ = ['Parser']
