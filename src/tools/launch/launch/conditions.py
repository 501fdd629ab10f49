"""Conditions of actions: an expression that is true or false, or the value of a launch configuration."""

from .condition import Condition
from .utilities import alias_modules, describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions

_VALUES = {'true': True, '1': True, 'false': False, '0': False}


class InvalidConditionExpressionError(ValueError):
    """An expression that is neither true nor false."""


def evaluate_condition_expression(context, expression):
    """The truth of a text: true, 1, false or 0, in any case."""
    text = perform_substitutions(context, expression)
    try:
        return _VALUES[text.strip().lower()]
    except KeyError:
        raise InvalidConditionExpressionError(
            f"a condition has to be true, 1, false or 0, but {describe_substitutions(expression)} is '{text}'"
        ) from None


class IfCondition(Condition):
    """Holds when the expression is true or 1."""

    def __init__(self, predicate_expression):
        super().__init__(predicate=self._evaluate)
        self.predicate_expression = normalize_to_list_of_substitutions(predicate_expression)

    def _evaluate(self, context):
        return evaluate_condition_expression(context, self.predicate_expression)

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.predicate_expression)})'


class UnlessCondition(IfCondition):
    """Holds when the expression is false or 0."""

    def _evaluate(self, context):
        return not super()._evaluate(context)


class LaunchConfigurationEquals(Condition):
    """Holds when a launch configuration has this value; None stands for one that is not set."""

    def __init__(self, launch_configuration_name, expected_value):
        super().__init__(predicate=self._evaluate)
        self._name = launch_configuration_name
        self._expected = None if expected_value is None else normalize_to_list_of_substitutions(expected_value)

    def _evaluate(self, context):
        expected = None if self._expected is None else perform_substitutions(context, self._expected)
        return context.launch_configurations.get(self._name) == expected

    def describe(self):
        expected = None if self._expected is None else describe_substitutions(self._expected)
        return f'{type(self).__name__}({self._name}, {expected})'


class LaunchConfigurationNotEquals(LaunchConfigurationEquals):
    """Holds when a launch configuration has another value, or none."""

    def _evaluate(self, context):
        return not super()._evaluate(context)


__all__ = ['evaluate_condition_expression', 'IfCondition', 'InvalidConditionExpressionError',
           'LaunchConfigurationEquals', 'LaunchConfigurationNotEquals', 'UnlessCondition']
alias_modules(__name__, __all__)
