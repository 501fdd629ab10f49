"""The part of a node that keeps its parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterable
import copy
from typing import Any
import warnings

from rcl_interfaces.msg import ListParametersResult
from rcl_interfaces.msg import Parameter as ParameterMsg
from rcl_interfaces.msg import ParameterDescriptor
from rcl_interfaces.msg import ParameterEvent
from rcl_interfaces.msg import ParameterValue
from rcl_interfaces.msg import SetParametersResult
from rclpy.exceptions import InvalidParameterTypeException
from rclpy.exceptions import InvalidParameterValueException
from rclpy.exceptions import ParameterAlreadyDeclaredException
from rclpy.exceptions import ParameterImmutableException
from rclpy.exceptions import ParameterNotDeclaredException
from rclpy.exceptions import ParameterUninitializedException
from rclpy.impl.parameter_rules import check_parameter
from rclpy.impl.parameter_rules import WRONG_TYPE
from rclpy.parameter import Parameter
from rclpy.parameter import PARAMETER_SEPARATOR_STRING
from rclpy.validate_parameter_name import validate_parameter_name


class NodeParameters:
    """Parameters by name, each with a descriptor, and the callbacks for their changes."""

    PARAM_REL_TOL = 1e-6
    """The relative tolerance when floating point numbers are compared with their range."""

    def _init_parameters(self, allow_undeclared: bool) -> None:
        """Begin without parameters."""
        self._allow_undeclared_parameters = allow_undeclared
        self._parameters: dict[str, Parameter] = {}
        self._descriptors: dict[str, ParameterDescriptor] = {}
        self._parameter_overrides: dict[str, Parameter] = {}
        self._pre_set_parameters_callbacks: list[Callable[[list[Parameter]], list[Parameter]]] = []
        self._on_set_parameters_callbacks: list[Callable[[list[Parameter]], SetParametersResult]] = []
        self._post_set_parameters_callbacks: list[Callable[[list[Parameter]], None]] = []

    # Declaring.

    def declare_parameter(
        self,
        name: str,
        value: Any = None,
        descriptor: ParameterDescriptor | None = None,
        ignore_override: bool = False
    ) -> Parameter:
        """Declare a parameter and return it, with the value that the command line or a file gives it.

        :param value: the default, or a type: then the parameter has no value until it is set
        :raises ParameterAlreadyDeclaredException: there is such a parameter
        :raises InvalidParameterException: the name is not valid
        :raises InvalidParameterValueException: the value is refused
        :raises InvalidParameterTypeException: the given value is not of the type
        """
        if value is None and descriptor is None:
            parameter: tuple = (name,)
        else:
            parameter = (name, value, ParameterDescriptor() if descriptor is None else descriptor)
        return self.declare_parameters('', [parameter], ignore_override)[0]

    def declare_parameters(
        self,
        namespace: str,
        parameters: list[tuple],
        ignore_override: bool = False
    ) -> list[Parameter]:
        """Declare parameters, each given as arguments of declare_parameter, and return them.

        :param namespace: what all names begin with, before a dot
        :raises: what declare_parameter does; parameters before the refused one stay declared
        """
        declared: list[Parameter] = []
        descriptors: dict[str, ParameterDescriptor] = {}
        for index, arguments in enumerate(parameters):
            parameter, descriptor = self._declared_of(namespace, index, arguments, parameters)
            override = self._parameter_overrides.get(parameter.name)
            if override is not None and not ignore_override:
                parameter = override
            declared.append(parameter)
            descriptors[parameter.name] = descriptor

        already = [parameter.name for parameter in declared if parameter.name in self._parameters]
        if already:
            raise ParameterAlreadyDeclaredException(already)
        self._declare_parameter_common(declared, descriptors)
        return [self._parameters[parameter.name] for parameter in declared]

    def _declared_of(
        self, namespace: str, index: int, arguments: tuple, parameters: list[tuple]
    ) -> tuple[Parameter, ParameterDescriptor]:
        """Return the parameter, with its default, and the descriptor that a tuple means."""
        if not 1 <= len(arguments) <= 3:
            raise TypeError(
                f'Invalid parameter tuple length at index {index} in parameters list: {parameters}; '
                'expecting length between 1 and 3')
        name = arguments[0]
        if not isinstance(name, str):
            raise TypeError(f'First element {name} at index {index} in parameters list is not a str.')
        full_name = f'{namespace}{PARAMETER_SEPARATOR_STRING}{name}' if namespace else name
        validate_parameter_name(full_name)

        descriptor = arguments[2] if len(arguments) == 3 else ParameterDescriptor()
        if not isinstance(descriptor, ParameterDescriptor):
            raise TypeError(
                f'Third element {descriptor} at index {index} in parameters list is not a ParameterDescriptor.')
        descriptor = copy.copy(descriptor)
        descriptor.name = full_name

        if len(arguments) == 1:
            warnings.warn(
                f"When declaring parameter '{full_name}': declaring a parameter only providing its name is deprecated. "
                'Give a default value, a type, or a descriptor with dynamic_typing=True.', stacklevel=4)
            descriptor.dynamic_typing = True
            return Parameter(full_name), descriptor

        value = arguments[1]
        if isinstance(value, Parameter.Type):
            if value is Parameter.Type.NOT_SET:
                raise ValueError(f'Cannot declare parameter {{{full_name}}} as statically typed of type NOT_SET')
            if descriptor.dynamic_typing:
                raise ValueError(
                    f'Cannot declare parameter {{{full_name}}} as statically typed, its descriptor says dynamic_typing')
            descriptor.type = value.value
            return Parameter(full_name), descriptor

        if isinstance(value, ParameterValue):
            parameter = Parameter.from_parameter_msg(ParameterMsg(name=full_name, value=value))
        else:
            parameter = Parameter(full_name, value=value)
        if not descriptor.dynamic_typing:
            if parameter.type_ is Parameter.Type.NOT_SET:
                raise ValueError(
                    'Cannot declare a statically typed parameter with default value of type PARAMETER_NOT_SET')
            descriptor.type = parameter.type_.value
        return parameter, descriptor

    def _declare_parameter_common(
        self,
        parameter_list: list[Parameter],
        descriptors: dict[str, ParameterDescriptor] | None = None
    ) -> list[SetParametersResult]:
        """Set parameters that are being declared, one by one."""
        results = []
        for parameter in parameter_list:
            result = self._set_parameters_atomically_common([parameter], descriptors, allow_not_set_type=True)
            if not result.successful:
                if result.reason.startswith(WRONG_TYPE):
                    expected = Parameter.Type((descriptors or self._descriptors)[parameter.name].type)
                    raise InvalidParameterTypeException(parameter, expected)
                raise InvalidParameterValueException(parameter.name, parameter.value, result.reason)
            results.append(result)
        return results

    def undeclare_parameter(self, name: str) -> None:
        """Forget a parameter.

        :raises ParameterNotDeclaredException: there is none
        :raises ParameterImmutableException: it is read-only
        """
        if name not in self._parameters:
            raise ParameterNotDeclaredException(name)
        if self._descriptors[name].read_only:
            raise ParameterImmutableException(name)
        del self._parameters[name]
        del self._descriptors[name]

    def has_parameter(self, name: str) -> bool:
        """Return whether there is a parameter, even if it has no value."""
        return name in self._parameters

    # Getting.

    def get_parameter_types(self, names: list[str]) -> list[Parameter.Type]:
        """Return the types of parameters."""
        _check_strings(names)
        return [self.get_parameter_type(name) for name in names]

    def get_parameter_type(self, name: str) -> Parameter.Type:
        """Return the number of a parameter's type, or NOT_SET if it is not declared but need not be.

        :raises ParameterNotDeclaredException: there is none, and it has to be declared
        """
        parameter = self._parameters.get(name)
        if parameter is not None:
            return parameter.type_.value
        self._require_undeclared_allowed([name])
        return Parameter.Type.NOT_SET

    def get_parameters(self, names: list[str]) -> list[Parameter]:
        """Return parameters."""
        _check_strings(names)
        return [self.get_parameter(name) for name in names]

    def get_parameter(self, name: str) -> Parameter:
        """Return a parameter, or one without value if it is not declared but need not be.

        :raises ParameterNotDeclaredException: there is none, and it has to be declared
        :raises ParameterUninitializedException: it has a type, but no value yet
        """
        parameter = self._parameters.get(name)
        if parameter is None:
            self._require_undeclared_allowed([name])
            return Parameter(name)
        if parameter.type_ is Parameter.Type.NOT_SET and not self._descriptors[name].dynamic_typing:
            raise ParameterUninitializedException(name)
        return parameter

    def get_parameter_or(self, name: str, alternative_value: Parameter | None = None) -> Parameter:
        """Return a parameter, or the alternative if there is none or it has no value."""
        parameter = self._parameters.get(name)
        if parameter is not None and parameter.type_ is not Parameter.Type.NOT_SET:
            return parameter
        return Parameter(name) if alternative_value is None else alternative_value

    def get_parameters_by_prefix(self, prefix: str) -> dict[str, Parameter]:
        """Return the parameters below a prefix, by the rest of their names."""
        if prefix:
            prefix += PARAMETER_SEPARATOR_STRING
        return {name[len(prefix):]: parameter for name, parameter in self._parameters.items()
                if name.startswith(prefix)}

    def list_parameters(self, prefixes: list[str], depth: int) -> ListParametersResult:
        """List the names of parameters and what they are below.

        :param prefixes: below which to look; everywhere if there are none
        :param depth: how many parts names have after a prefix, at most; 0 is any number
        """
        if not isinstance(prefixes, list):
            raise TypeError(f'prefixes must be a list, but is {type(prefixes)}')
        _check_strings(prefixes)
        if not isinstance(depth, int):
            raise TypeError(f'depth must be an int, but is {type(depth)}')
        if depth < 0:
            raise ValueError(f'depth must not be negative, but is {depth}')

        def is_listed(name: str) -> bool:
            if not prefixes:
                return _is_within(name, depth)
            return any(name == prefix or
                       name.startswith(prefix + PARAMETER_SEPARATOR_STRING) and
                       _is_within(name[len(prefix) + 1:], depth) for prefix in prefixes)

        names = [name for name in self._parameters if is_listed(name)]
        parents = [name.rpartition(PARAMETER_SEPARATOR_STRING)[0] for name in names]
        return ListParametersResult(names=names, prefixes=list(dict.fromkeys(filter(None, parents))))

    # Setting.

    def set_parameters(self, parameter_list: list[Parameter]) -> list[SetParametersResult]:
        """Set parameters, one by one, and return whether each was, and why not.

        :raises ParameterNotDeclaredException: there is none of the name, and it has to be declared
        """
        return [self._set_parameters_atomically([parameter]) for parameter in parameter_list]

    def set_parameters_atomically(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Set all parameters or none, and return which, and why.

        :raises ParameterNotDeclaredException: there is none of a name, and it has to be declared
        """
        return self._set_parameters_atomically(parameter_list)

    def _set_parameters_atomically(self, parameter_list: list[Parameter]) -> SetParametersResult:
        changed_list = self._call_pre_set_parameters_callback(parameter_list)
        if changed_list is not None:
            if not changed_list:
                return SetParametersResult(
                    successful=False,
                    reason='parameter list cannot be empty, this might be due to '
                           'pre_set_parameters_callback modifying the original parameters list.')
            parameter_list = changed_list
        self._check_undeclared_parameters(parameter_list)
        return self._set_parameters_atomically_common(parameter_list)

    def _set_parameters_atomically_common(
        self,
        parameter_list: list[Parameter],
        descriptors: dict[str, ParameterDescriptor] | None = None,
        allow_not_set_type: bool = False
    ) -> SetParametersResult:
        """Set all parameters or none.

        :param descriptors: of parameters that are being declared
        :param allow_not_set_type: whether a parameter without value is declared, not undeclared
        """
        result = self._check_descriptors(parameter_list, descriptors, allow_not_set_type)
        if result.successful:
            result = self._call_on_set_parameters_callbacks(parameter_list)
        if not result.successful:
            return result

        event = ParameterEvent()
        event.node = self.get_fully_qualified_name()
        for parameter in parameter_list:
            before = self._parameters.get(parameter.name)
            if parameter.type_ is Parameter.Type.NOT_SET and not allow_not_set_type:
                if before is not None:
                    del self._parameters[parameter.name]
                    del self._descriptors[parameter.name]
                event.deleted_parameters.append(parameter.to_parameter_msg())
                continue
            self._store(parameter, descriptors)
            if before is None or before.type_ is Parameter.Type.NOT_SET:
                event.new_parameters.append(parameter.to_parameter_msg())
            else:
                event.changed_parameters.append(parameter.to_parameter_msg())
        event.stamp = self.get_clock().now().to_msg()
        self._parameter_event_publisher.publish(event)
        self._call_post_set_parameters_callback(parameter_list)
        return result

    def _check_descriptors(
        self,
        parameter_list: list[Parameter],
        descriptors: dict[str, ParameterDescriptor] | None,
        allow_not_set_type: bool
    ) -> SetParametersResult:
        """Return whether the descriptors allow the parameters; those that are being declared may be read-only."""
        known = self._descriptors if descriptors is None else descriptors
        for parameter in parameter_list:
            descriptor = known.get(parameter.name)
            if descriptor is None or allow_not_set_type and parameter.type_ is Parameter.Type.NOT_SET:
                continue
            result = check_parameter(parameter, descriptor, self.PARAM_REL_TOL, check_read_only=descriptors is None)
            if not result.successful:
                return result
        return SetParametersResult(successful=True)

    def _store(self, parameter: Parameter, descriptors: dict[str, ParameterDescriptor] | None) -> None:
        name = parameter.name
        if descriptors is not None:
            self._descriptors[name] = descriptors[name]
        elif name not in self._descriptors:
            self._descriptors[name] = ParameterDescriptor(name=name, dynamic_typing=True)
        if parameter.type_ is not Parameter.Type.NOT_SET:
            self._descriptors[name].type = parameter.type_.value
        self._parameters[name] = parameter

    def _check_undeclared_parameters(self, parameter_list: list[Parameter]) -> None:
        """Raise if there are no parameters of the names, and they have to be declared."""
        for parameter in parameter_list:
            if not isinstance(parameter, Parameter):
                raise TypeError(f"parameter must be instance of type '{Parameter!r}'")
        undeclared = [parameter.name for parameter in parameter_list if parameter.name not in self._parameters]
        if undeclared:
            self._require_undeclared_allowed(undeclared)

    def _require_undeclared_allowed(self, names: list[str]) -> None:
        if not self._allow_undeclared_parameters:
            raise ParameterNotDeclaredException(names)

    # Callbacks.

    def _call_pre_set_parameters_callback(self, parameter_list: list[Parameter]) -> list[Parameter] | None:
        """Return what the callbacks make of the parameters; None if there are no callbacks."""
        if not self._pre_set_parameters_callbacks:
            return None
        changed_list: list[Parameter] = []
        for callback in list(self._pre_set_parameters_callbacks):
            changed_list.extend(callback(parameter_list))
        return changed_list

    def _call_on_set_parameters_callbacks(self, parameter_list: list[Parameter]) -> SetParametersResult:
        """Return the first refusal of a callback, or success."""
        for callback in list(self._on_set_parameters_callbacks):
            result = callback(parameter_list)
            if not isinstance(result, SetParametersResult):
                warnings.warn('Callback returned an invalid type, it should return SetParameterResult.', stacklevel=2)
                return SetParametersResult(successful=False, reason='Callback returned an invalid type')
            if not result.successful:
                return result
        return SetParametersResult(successful=True)

    def _call_post_set_parameters_callback(self, parameter_list: list[Parameter]) -> None:
        for callback in list(self._post_set_parameters_callbacks):
            callback(parameter_list)

    def add_pre_set_parameters_callback(self, callback: Callable[[list[Parameter]], list[Parameter]]) -> None:
        """Add a callback that may change the list of parameters to set; the last added is called first."""
        self._pre_set_parameters_callbacks.insert(0, callback)

    def add_on_set_parameters_callback(self, callback: Callable[[list[Parameter]], SetParametersResult]) -> None:
        """Add a callback that may refuse parameters; the last added is called first."""
        self._on_set_parameters_callbacks.insert(0, callback)

    def add_post_set_parameters_callback(self, callback: Callable[[list[Parameter]], None]) -> None:
        """Add a callback for parameters that have been set; the last added is called first."""
        self._post_set_parameters_callbacks.insert(0, callback)

    def remove_pre_set_parameters_callback(self, callback: Callable[[list[Parameter]], list[Parameter]]) -> None:
        """Remove a callback; ValueError if there is none."""
        self._pre_set_parameters_callbacks.remove(callback)

    def remove_on_set_parameters_callback(self, callback: Callable[[list[Parameter]], SetParametersResult]) -> None:
        """Remove a callback; ValueError if there is none."""
        self._on_set_parameters_callbacks.remove(callback)

    def remove_post_set_parameters_callback(self, callback: Callable[[list[Parameter]], None]) -> None:
        """Remove a callback; ValueError if there is none."""
        self._post_set_parameters_callbacks.remove(callback)

    # Descriptors.

    def describe_parameter(self, name: str) -> ParameterDescriptor:
        """Return the descriptor of a parameter, or an empty one if it is not declared but need not be.

        :raises ParameterNotDeclaredException: there is none, and it has to be declared
        """
        descriptor = self._descriptors.get(name)
        if descriptor is None:
            self._require_undeclared_allowed([name])
            return ParameterDescriptor()
        return descriptor

    def describe_parameters(self, names: list[str]) -> list[ParameterDescriptor]:
        """Return the descriptors of parameters."""
        return [self.describe_parameter(name) for name in names]

    def set_descriptor(
        self,
        name: str,
        descriptor: ParameterDescriptor,
        alternative_value: ParameterValue | None = None
    ) -> ParameterValue:
        """Give a parameter another descriptor, and return its value.

        Name and type of the descriptor do not matter: they are those of the parameter.

        :param alternative_value: to set if the descriptor does not allow the present value
        :raises ParameterNotDeclaredException: there is none, and it has to be declared
        :raises ParameterImmutableException: it is read-only
        :raises InvalidParameterValueException: the descriptor does not allow the value
        """
        parameter = self._parameters.get(name)
        if parameter is None:
            self._require_undeclared_allowed([name])
            return Parameter(name).get_parameter_value()
        if self._descriptors[name].read_only:
            raise ParameterImmutableException(name)

        descriptor = copy.copy(descriptor)
        descriptor.name = name
        descriptor.type = self._descriptors[name].type
        if parameter.type_ is not Parameter.Type.NOT_SET:
            result = check_parameter(parameter, descriptor, self.PARAM_REL_TOL, check_read_only=False)
            if not result.successful and alternative_value is not None:
                parameter = Parameter.from_parameter_msg(ParameterMsg(name=name, value=alternative_value))
                result = check_parameter(parameter, descriptor, self.PARAM_REL_TOL, check_read_only=False)
            if not result.successful:
                raise InvalidParameterValueException(name, parameter.value, result.reason)
        self._store(parameter, {name: descriptor})
        return parameter.get_parameter_value()


def _check_strings(names: Iterable[str]) -> None:
    if not all(isinstance(name, str) for name in names):
        raise TypeError('All names must be of type str')


def _is_within(name: str, depth: int) -> bool:
    return depth == 0 or name.count(PARAMETER_SEPARATOR_STRING) < depth
