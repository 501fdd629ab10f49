"""Texts, where ROS 2's tests import them from."""

from ..util.text import build_line_match, build_text_match, normalize_lineseps, remove_ansi_escape_sequences

__all__ = ['build_line_match', 'build_text_match', 'normalize_lineseps', 'remove_ansi_escape_sequences']
