"""Texts of nodes."""

from .output import basic_output_filter

__all__ = ['basic_output_filter']
