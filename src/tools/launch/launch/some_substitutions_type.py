"""What may stand where a text is wanted: a string, a path, a substitution, or a list of them."""

import os
from collections.abc import Iterable
from typing import Text, Union

from .substitution import Substitution

SomeSubstitutionsType = Union[Text, os.PathLike, Substitution, Iterable[Union[Text, os.PathLike, Substitution]]]
SomeSubstitutionsType_types_tuple = (str, os.PathLike, Substitution, Iterable)
