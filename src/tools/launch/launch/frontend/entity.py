"""One element of a launch file: its name, its attributes, and the elements inside."""

from typing import List

from ..utilities.type_utils import SCALARS, coerce_to_type, get_typed_value, name_of_type


class Entity:
    """The same for all markup languages; they differ in how they build it.

    `attributes` maps names to texts or, in languages that have them, to other values and lists of these.
    `location` is 'FILE:LINE'.
    """

    def __init__(self, type_name, attributes=None, children=None, *, parent=None, location=None):
        self.type_name = type_name
        self.attributes = dict(attributes or {})
        self.nested = list(children or [])
        self.parent = parent
        self.location = location
        self._read_attributes = set()
        self._read_names = set()

    @property
    def children(self):
        """All elements inside."""
        self._read_names.update(child.type_name for child in self.nested)
        return self.nested

    def get_attr(self, name, *, data_type=str, optional=False, can_be_str=True):
        """An attribute as this type; as a text if it does not fit, which may be a substitution. With List[Entity],
        the elements of this name. Raises AttributeError if it is missing, TypeError if it does not fit."""
        value = self._nested_of(name) if data_type == List[Entity] else self._attribute(name)
        if value is None:
            if optional:
                return None
            raise AttributeError(f"<{self.type_name}> needs '{name}'")
        return value if data_type == List[Entity] else self._typed(name, value, data_type, can_be_str)

    def _nested_of(self, name):
        self._read_names.add(name)
        return [child for child in self.nested if child.type_name == name] or None

    def _attribute(self, name):
        if name not in self.attributes:
            return None
        self._read_attributes.add(name)
        value = self.attributes[name]
        separator = self.attributes.get(name + '-sep')
        if separator is not None:
            self._read_attributes.add(name + '-sep')
            return value.split(separator)
        return value

    def _typed(self, name, value, data_type, can_be_str):
        wanted = f"'{name}' of <{self.type_name}> has to be of type {name_of_type(data_type)}, not '{value}'"
        if isinstance(value, list):
            if data_type in SCALARS:
                raise TypeError(wanted)
            # Of a text that was split, the types of the parts are not known yet.
            return get_typed_value(value, data_type, can_be_str=True) if name + '-sep' in self.attributes else value
        if not isinstance(value, str):
            if data_type is str:
                return {True: 'true', False: 'false'}.get(value, str(value)) if isinstance(value, bool) else str(value)
            if data_type is float and type(value) is int:
                return float(value)
            if data_type in SCALARS and type(value) is not data_type:
                raise TypeError(wanted)
            return value
        if can_be_str and '$(' in value:
            return value
        try:
            return coerce_to_type(value, data_type, can_be_str=data_type is None)
        except ValueError:
            raise TypeError(wanted) from None

    def assert_entity_completely_parsed(self):
        """Raises ValueError for attributes and elements that nobody asked for."""
        attributes = [name for name in self.attributes if name not in self._read_attributes]
        if attributes:
            raise ValueError(f"<{self.type_name}> has no attribute '{attributes[0]}'")
        nested = [child.type_name for child in self.nested if child.type_name not in self._read_names]
        if nested:
            raise ValueError(f'<{nested[0]}> has no place in <{self.type_name}>')
