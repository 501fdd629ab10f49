"""Actions of descriptions of tests."""

from launch.utilities import alias_modules
from .ready import ReadyToTest
from .test import GTest, PyTest, Test

__all__ = ['GTest', 'PyTest', 'ReadyToTest', 'Test']
alias_modules(__name__, ['GTest'], {'gtest': 'GTest', 'pytest': 'PyTest'})
