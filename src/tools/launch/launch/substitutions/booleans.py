"""Conditions in texts: comparisons, and, or, not. Their texts are 'true' and 'false'."""

import math

from ..conditions import InvalidConditionExpressionError, evaluate_condition_expression
from ..frontend.expose import expose_substitution
from ..substitution import Substitution
from ..utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions
from ..utilities.type_utils import coerce_to_type
from .failure import SubstitutionFailure
from .texts import normalize_default


def _text(value):
    return 'true' if value else 'false'


def _truth(context, subs, name):
    """That of a condition; also of the other words that YAML takes for a bool, such as 'on' and 'no'."""
    try:
        return evaluate_condition_expression(context, subs)
    except InvalidConditionExpressionError as error:
        try:
            return coerce_to_type(perform_substitutions(context, subs), bool)
        except ValueError:
            raise SubstitutionFailure(f'{name}: {error}') from error


class _OfSeveral(Substitution):
    """What is made of several texts."""

    tag = ''
    number = None  # of arguments; None: any

    def __init__(self, *args):
        self.args = [normalize_to_list_of_substitutions(arg) for arg in args]

    @classmethod
    def parse(cls, data):
        if cls.number is not None and len(data) != cls.number:
            raise TypeError(f'$({cls.tag} …) takes {cls.number} arguments, not {len(data)}')
        return _positional(cls, data)

    def describe(self):
        return f'{type(self).__name__}({", ".join(describe_substitutions(arg) for arg in self.args)})'

    def truths(self, context):
        return [_truth(context, arg, type(self).__name__) for arg in self.args]


def _positional(cls, data):
    return (lambda: cls(*data)), {}


@expose_substitution('not')
class NotSubstitution(_OfSeveral):
    tag, number = 'not', 1

    def __init__(self, value):
        super().__init__(value)

    value = property(lambda self: self.args[0])

    def perform(self, context):
        return _text(not self.truths(context)[0])


class _OfTwo(_OfSeveral):
    number = 2

    def __init__(self, left, right):
        super().__init__(left, right)

    left = property(lambda self: self.args[0])
    right = property(lambda self: self.args[1])


@expose_substitution('and')
class AndSubstitution(_OfTwo):
    tag = 'and'

    def perform(self, context):
        return _text(all(self.truths(context)))


@expose_substitution('or')
class OrSubstitution(_OfTwo):
    tag = 'or'

    def perform(self, context):
        return _text(any(self.truths(context)))


@expose_substitution('any')
class AnySubstitution(_OfSeveral):
    tag = 'any'

    def perform(self, context):
        return _text(any(self.truths(context)))


@expose_substitution('all')
class AllSubstitution(_OfSeveral):
    tag = 'all'

    def perform(self, context):
        return _text(all(self.truths(context)))


def _is_bool(text):
    return text.lower() in ('true', 'false', '1', '0')


def _same(left, right):
    """Equal as texts, as truths (true is 1), or as numbers (nan equals none)."""
    if left == right:
        return left != 'nan'
    if _is_bool(left) and _is_bool(right):
        return (left.lower() in ('true', '1')) == (right.lower() in ('true', '1'))
    try:
        return math.isclose(float(left), float(right))
    except ValueError:
        return False


@expose_substitution('equals')
class EqualsSubstitution(_OfTwo):
    tag = 'equals'

    def __init__(self, left, right):
        Substitution.__init__(self)
        self.args = [normalize_default('' if side is None else side) for side in (left, right)]

    def _is_equal(self, context):
        return _same(*(perform_substitutions(context, arg) for arg in self.args))

    def perform(self, context):
        return _text(self._is_equal(context))


@expose_substitution('not-equals')
class NotEqualsSubstitution(EqualsSubstitution):
    tag = 'not-equals'

    def perform(self, context):
        return _text(not self._is_equal(context))


@expose_substitution('if')
class IfElseSubstitution(Substitution):
    """One text or the other."""

    def __init__(self, condition, if_value='', else_value=''):
        if if_value == '' and else_value == '':
            raise RuntimeError('IfElseSubstitution needs if_value or else_value')
        self.condition = normalize_to_list_of_substitutions(condition)
        self.if_value = normalize_to_list_of_substitutions(if_value)
        self.else_value = normalize_to_list_of_substitutions(else_value)

    @classmethod
    def parse(cls, data):
        if not 2 <= len(data) <= 3:
            raise TypeError('$(if CONDITION VALUE [OTHERWISE]) takes two or three arguments')
        return _positional(cls, data)

    def describe(self):
        parts = [describe_substitutions(part) for part in (self.condition, self.if_value, self.else_value)]
        return f'IfElseSubstitution({", ".join(parts)})'

    def perform(self, context):
        is_true = _truth(context, self.condition, 'IfElseSubstitution')
        return perform_substitutions(context, self.if_value if is_true else self.else_value)
