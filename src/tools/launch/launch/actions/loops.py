"""Actions for each of several values."""

import yaml

from ..action import Action
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions


class ForEach(Action):
    """Calls function(**values), which returns entities, for each mapping of a text: '{name: a, x: 1}; {name: b}'."""

    def __init__(self, input_values, *, function, **kwargs):
        super().__init__(**kwargs)
        self.input_values = normalize_to_list_of_substitutions(input_values)
        self.function = function

    def describe(self):
        return f'ForEach({describe_substitutions(self.input_values)})'

    def execute(self, context):
        entities = []
        for text in perform_substitutions(context, self.input_values).split(';'):
            if not text.strip():
                continue
            try:
                values = yaml.safe_load(text)
            except yaml.YAMLError:
                values = None
            if not isinstance(values, dict):
                raise ValueError(f"ForEach needs mappings such as '{{name: a}}; {{name: b}}', not '{text.strip()}'")
            entities += self.function(**values) or []
        return entities


class ForLoop(Action):
    """Calls function(i), which returns entities, for i from 0 up to the length."""

    def __init__(self, length, *, function, name='index', **kwargs):
        super().__init__(**kwargs)
        self.length = normalize_to_list_of_substitutions(str(length) if isinstance(length, int) else length)
        self.function = function
        self.name = name

    def describe(self):
        return f'ForLoop({describe_substitutions(self.length)})'

    def execute(self, context):
        text = perform_substitutions(context, self.length)
        if not text.strip().isdecimal():
            raise ValueError(f"the length of a ForLoop is a whole number, not '{text}'")
        return [entity for i in range(int(text)) for entity in self.function(i) or []]
