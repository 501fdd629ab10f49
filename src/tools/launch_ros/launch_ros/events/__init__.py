"""Events of nodes."""

from . import lifecycle, matchers

__all__ = ['lifecycle', 'matchers']
