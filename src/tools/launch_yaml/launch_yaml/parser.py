"""YAML as elements of launch files, with the lines where they stand.

    launch:                                         # a list of elements, each a mapping of its name
    - arg: {name: rate, default: '10'}
    - node:
        pkg: demo                                   # a plain value or a list of these is an attribute
        param: [{name: rate, value: $(var rate)}]   # a list of mappings holds elements of this name
    - group:                                        # elements of several names: `children`, or a list in its place
        scoped: true
        children: [...]
"""

import launch.frontend
import yaml
from launch.frontend import Entity, InvalidFrontendLaunchFileError


class Parser(launch.frontend.Parser):
    @classmethod
    def get_file_extensions(cls):
        return {'yaml', 'yml'}

    @classmethod
    def load_text(cls, text, name):
        """The root element and the parser."""
        try:
            root = yaml.compose(text, Loader=yaml.SafeLoader)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise InvalidFrontendLaunchFileError(f'{name}:{line}: is no YAML: {error.problem}') from error
        except yaml.YAMLError as error:
            raise InvalidFrontendLaunchFileError(f'{name}: is no YAML: {error}') from error
        if not isinstance(root, yaml.MappingNode) or len(root.value) != 1:
            raise InvalidFrontendLaunchFileError(f"{name}:1: has to be a mapping with the one key 'launch'")
        return _Builder(name).element(*root.value[0]), cls()


class _Builder:
    """Makes elements of YAML nodes; `name` is the file's."""

    def __init__(self, name):
        self._name = name
        self._loader = yaml.SafeLoader('')

    def place(self, node):
        return f'{self._name}:{node.start_mark.line + 1}'

    def element(self, key, body, parent=None):
        entity = Entity(self._text(key), parent=parent, location=self.place(key))
        if isinstance(body, yaml.SequenceNode):
            entity.nested = self._named_elements(body, entity)
        elif isinstance(body, yaml.MappingNode):
            self._fill(entity, key, body)
        elif body.tag != 'tag:yaml.org,2002:null':
            raise InvalidFrontendLaunchFileError(f'{self.place(body)}: {entity.type_name} is a mapping or a list')
        return entity

    def _fill(self, entity, key, body):
        for name, value in body.value:
            text = self._text(name)
            if text == 'children' and isinstance(value, yaml.SequenceNode):
                entity.nested += self._named_elements(value, entity)
            elif isinstance(value, yaml.SequenceNode) and value.value and all(
                    isinstance(item, yaml.MappingNode) for item in value.value):
                entity.nested += [self._element_in_list(text, item, entity) for item in value.value]
            elif isinstance(value, yaml.MappingNode):
                raise InvalidFrontendLaunchFileError(
                    f"{self.place(name)}: '{text}' of {entity.type_name} has to be a value or a list, not a mapping")
            else:
                entity.attributes[text] = self._value(value)

    def _element_in_list(self, name, body, parent):
        entity = Entity(name, parent=parent, location=self.place(body))
        self._fill(entity, body, body)
        return entity

    def _named_elements(self, body, parent):
        for item in body.value:
            if not isinstance(item, yaml.MappingNode) or len(item.value) != 1:
                raise InvalidFrontendLaunchFileError(
                    f"{self.place(item)}: has to be a mapping with one key, the name of the action; are 'children' or "
                    'two blanks of indentation missing?')
        return [self.element(*item.value[0], parent) for item in body.value]

    def _text(self, node):
        if not isinstance(node, yaml.ScalarNode):
            raise InvalidFrontendLaunchFileError(f'{self.place(node)}: a name is expected here')
        return node.value

    def _value(self, node):
        """Plain values; None and dates as their text."""
        value = self._loader.construct_object(node, deep=True)
        if isinstance(value, list):
            return [item if isinstance(item, (bool, int, float, str)) else str(item) for item in value]
        return value if isinstance(value, (bool, int, float, str)) else node.value
