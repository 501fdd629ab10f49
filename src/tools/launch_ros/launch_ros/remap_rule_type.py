"""Pairs of the name to replace and the name that replaces it."""

from typing import Iterable, Tuple

from launch.some_substitutions_type import SomeSubstitutionsType

SomeRemapRule = Tuple[SomeSubstitutionsType, SomeSubstitutionsType]
SomeRemapRules = Iterable[SomeRemapRule]
