"""What may stand where parameters of a node are wanted."""

import os
from typing import Any, Dict, Sequence, Union

from launch.some_substitutions_type import SomeSubstitutionsType

from .parameter_descriptions import Parameter, ParameterFile

SomeParameterValue = Any
SomeParametersDict = Dict[SomeSubstitutionsType, SomeParameterValue]
SomeParameters = Sequence[Union[SomeSubstitutionsType, os.PathLike, Parameter, ParameterFile, SomeParametersDict]]
