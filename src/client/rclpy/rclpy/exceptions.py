"""Errors that users of this package see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rclpy.impl.implementation_singleton import rclpy_implementation as _rclpy

if TYPE_CHECKING:
    from rclpy.parameter import Parameter

InvalidHandle = _rclpy.InvalidHandle
TimerCancelledError = _rclpy.TimerCancelledError


class NotInitializedException(Exception):
    """Something needs rclpy.init() first."""

    def __init__(self, message: str | None = None):
        """Say what was tried."""
        text = 'rclpy.init() has not been called'
        super().__init__(f'{text}. msg:{message}' if message else text)


class NoTypeSupportImportedException(Exception):
    """An interface cannot be converted."""

    def __init__(self):
        """Say so."""
        super().__init__('no type_support imported')


class NameValidationException(Exception):
    """A name breaks the rules of its kind."""

    def __init__(self, name_type: str, name: str, error_msg: str, invalid_index: int):
        """Say which rule, and point at the character."""
        super().__init__(f"Invalid {name_type}: {error_msg}:\n  '{name}'\n   {' ' * invalid_index}^")
        self.name_type = name_type
        self.name = name
        self.error_msg = error_msg
        self.invalid_index = invalid_index


class InvalidNamespaceException(NameValidationException):
    """A namespace is none."""

    def __init__(self, name: str, error_msg: str, invalid_index: int):
        """Say what is wrong with it."""
        super().__init__('namespace', name, error_msg, invalid_index)


class InvalidNodeNameException(NameValidationException):
    """A name cannot be a node's."""

    def __init__(self, name: str, error_msg: str, invalid_index: int):
        """Say what is wrong with it."""
        super().__init__('node name', name, error_msg, invalid_index)


class InvalidTopicNameException(NameValidationException):
    """A name cannot be a topic's."""

    def __init__(self, name: str, error_msg: str, invalid_index: int):
        """Say what is wrong with it."""
        super().__init__('topic name', name, error_msg, invalid_index)


class InvalidServiceNameException(NameValidationException):
    """A name cannot be a service's."""

    def __init__(self, name: str, error_msg: str, invalid_index: int):
        """Say what is wrong with it."""
        super().__init__('service name', name, error_msg, invalid_index)


class ParameterException(Exception):
    """Something is wrong with parameters."""

    def __init__(self, error_msg: str, parameters: str | list[str]):
        """Say what, and with which ones."""
        super().__init__(f'{error_msg}: {parameters}')


class ParameterNotDeclaredException(ParameterException):
    """A parameter was used before it was declared."""

    def __init__(self, parameters: str | list[str]):
        """Name the parameters."""
        super().__init__('Invalid access to undeclared parameter(s)', parameters)


class ParameterAlreadyDeclaredException(ParameterException):
    """A parameter was declared again."""

    def __init__(self, parameters: str | list[str]):
        """Name the parameters."""
        super().__init__('Parameter(s) already declared', parameters)


class InvalidParameterException(ParameterException):
    """A name cannot be a parameter's."""

    def __init__(self, parameter_name: str):
        """Name the parameter."""
        super().__init__('Invalid parameter name', parameter_name)


class InvalidParameterTypeException(ParameterException):
    """A parameter was declared with a value of another type."""

    def __init__(self, desired_parameter: Parameter, expected_type: Parameter.Type | str):
        """Name the parameter, its value and both types."""
        expected = getattr(expected_type, 'name', expected_type)
        super().__init__(
            f"Trying to set parameter '{desired_parameter.name}' to '{desired_parameter.value}' "
            f"of type '{desired_parameter.type_.name}', expecting type '{expected}'",
            desired_parameter.name)


class InvalidParameterValueException(ParameterException):
    """A parameter was declared with a value that was refused."""

    def __init__(self, parameter: str, value, reason: str):
        """Name the parameter and its value, and say why."""
        super().__init__(f'Invalid parameter value ({value}) for parameter. Reason: {reason}', parameter)


class ParameterImmutableException(ParameterException):
    """A read-only parameter was to be changed."""

    def __init__(self, parameter_name: str):
        """Name the parameter."""
        super().__init__('Attempted to modify read-only parameter', parameter_name)


class ParameterUninitializedException(ParameterException):
    """A parameter that has no value yet was read."""

    def __init__(self, parameter_name: str):
        """Name the parameter."""
        super().__init__(f"The parameter '{parameter_name}' is not initialized", parameter_name)


class ROSInterruptException(Exception):
    """A shutdown has ended something that blocked."""

    def __init__(self):
        """Say so."""
        super().__init__('rclpy.shutdown() has been called')


class TimeSourceChangedError(Exception):
    """A clock has begun or ended to show simulated time while somebody waited by it."""
