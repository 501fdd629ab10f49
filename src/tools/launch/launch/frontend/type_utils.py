"""Types that launch files name."""

from typing import List

_TYPES = {'bool': bool, 'int': int, 'float': float, 'str': str, 'list_of_bool': List[bool], 'list_of_int': List[int],
          'list_of_float': List[float], 'list_of_str': List[str]}


def get_data_type_from_identifier(type_identifier):
    """The type of a name such as 'int' or 'list_of_str'."""
    if type_identifier not in _TYPES:
        raise ValueError(f"there is no type '{type_identifier}'; these exist: {', '.join(_TYPES)}")
    return _TYPES[type_identifier]
