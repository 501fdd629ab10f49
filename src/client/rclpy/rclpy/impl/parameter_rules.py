"""What a descriptor allows its parameter to be."""

from __future__ import annotations

import math

from rcl_interfaces.msg import FloatingPointRange
from rcl_interfaces.msg import IntegerRange
from rcl_interfaces.msg import ParameterDescriptor
from rcl_interfaces.msg import SetParametersResult
from rclpy.parameter import Parameter

WRONG_TYPE = 'Wrong parameter type'


def check_parameter(
    parameter: Parameter, descriptor: ParameterDescriptor, tolerance: float, check_read_only: bool = True
) -> SetParametersResult:
    """Return whether a parameter may be set, and why not.

    :param tolerance: the relative one of floating point numbers
    """
    reason = _reason_against(parameter, descriptor, tolerance, check_read_only)
    return SetParametersResult(successful=not reason, reason=reason)


def _reason_against(
    parameter: Parameter, descriptor: ParameterDescriptor, tolerance: float, check_read_only: bool
) -> str:
    if check_read_only and descriptor.read_only:
        return f'Trying to set a read-only parameter: {parameter.name}.'
    if not descriptor.dynamic_typing:
        expected = Parameter.Type(descriptor.type)
        if parameter.type_ is Parameter.Type.NOT_SET:
            return 'Static parameter cannot be undeclared'
        if parameter.type_ is not expected:
            return f"{WRONG_TYPE}, expected '{expected}' got '{parameter.type_}'"
    if parameter.type_ is Parameter.Type.INTEGER and descriptor.integer_range:
        return _reason_of_integer(parameter, descriptor.integer_range[0])
    if parameter.type_ is Parameter.Type.DOUBLE and descriptor.floating_point_range:
        return _reason_of_float(parameter, descriptor.floating_point_range[0], tolerance)
    return ''


def _reason_of_integer(parameter: Parameter, allowed: IntegerRange) -> str:
    """Return why an integer is not in its range; both ends are."""
    value = parameter.value
    least, most = sorted((allowed.from_value, allowed.to_value))
    if value in (least, most):
        return ''
    if not least < value < most:
        return f'Parameter {parameter.name} out of range. Min: {least}, Max: {most}, value: {value}'
    if allowed.step and (value - least) % allowed.step:
        return (f'The parameter value for {parameter.name} is not a valid step. '
                f'Min: {least}, max: {most}, value: {value}, step: {allowed.step}')
    return ''


def _reason_of_float(parameter: Parameter, allowed: FloatingPointRange, tolerance: float) -> str:
    """Return why a number is not in its range; both ends are, and what is close to them."""
    value = parameter.value
    least, most = sorted((allowed.from_value, allowed.to_value))
    if any(math.isclose(value, end, rel_tol=tolerance) for end in (least, most)):
        return ''
    if not least < value < most:
        return f'Parameter {parameter.name} out of range Min: {least}, Max: {most}, value: {value}'
    if allowed.step:
        nearest = least + round((value - least) / allowed.step) * allowed.step
        # Near zero, only the step tells what is close.
        if not math.isclose(value, nearest, rel_tol=tolerance, abs_tol=tolerance * abs(allowed.step)):
            return (f'The parameter value for {parameter.name} is not close enough to a valid step. '
                    f'Min: {least}, max: {most}, value: {value}, step: {allowed.step}')
    return ''
