"""What holds for the nodes that come later in this scope: namespace, parameters, remappings; and timers."""

import os

from launch.action import Action
from launch.actions import TimerAction
from launch.frontend import expose_action
from launch.utilities import describe_substitutions, normalize_to_list_of_substitutions, perform_substitutions

from ..parameter_descriptions import ParameterFile, ParameterValue
from ..utilities import check_namespace, evaluate_parameter_dict, make_namespace_absolute, normalize_parameter_dict
from ..utilities import prefix_namespace


@expose_action('push-ros-namespace')
@expose_action('push_ros_namespace')
class PushROSNamespace(Action):
    """Nodes lie in this namespace, inside of the one that was pushed before, unless it is absolute."""

    def __init__(self, namespace, **kwargs):
        super().__init__(**kwargs)
        self.namespace = normalize_to_list_of_substitutions(namespace)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['namespace'] = parser.parse_substitution(entity.get_attr('namespace'))
        return cls, kwargs

    def describe(self):
        return f'{type(self).__name__}({describe_substitutions(self.namespace)})'

    def execute(self, context):
        base = context.launch_configurations.get('ros_namespace')
        namespace = make_namespace_absolute(prefix_namespace(base, perform_substitutions(context, self.namespace)))
        namespace = namespace.rstrip('/') or '/'
        check_namespace(namespace)
        context.launch_configurations['ros_namespace'] = namespace


PushRosNamespace = PushROSNamespace


def _add(context, name, entry):
    """To a list that is kept with the launch configurations, so that it ends with its scope."""
    context.launch_configurations[name] = [*context.launch_configurations.get(name, []), entry]


@expose_action('set_parameter')
class SetParameter(Action):
    """A parameter of all nodes."""

    def __init__(self, name, value, **kwargs):
        super().__init__(**kwargs)
        self._parameter = normalize_parameter_dict({tuple(normalize_to_list_of_substitutions(name)): value})

    name = property(lambda self: next(iter(self._parameter)))
    value = property(lambda self: next(iter(self._parameter.values())))

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['name'] = parser.parse_substitution(entity.get_attr('name'))
        value = entity.get_attr('value', data_type=None)
        kwargs['value'] = ParameterValue(parser.parse_if_substitutions(value)) if isinstance(value, str) else value
        return cls, kwargs

    def execute(self, context):
        for pair in evaluate_parameter_dict(context, self._parameter).items():
            _add(context, 'global_params', pair)


class SetUseSimTime(SetParameter):
    """The parameter use_sim_time of all nodes."""

    def __init__(self, value, **kwargs):
        super().__init__('use_sim_time', value, **kwargs)


@expose_action('set_use_sim_time')
def _parse_use_sim_time(entity, parser):
    _, kwargs = Action.parse(entity, parser)
    value = entity.get_attr('value', data_type=bool)
    return SetUseSimTime, {**kwargs, 'value': parser.parse_if_substitutions(value)}


@expose_action('set_parameters_from_file')
class SetParametersFromFile(Action):
    """A file with parameters for all nodes."""

    def __init__(self, filename, **kwargs):
        super().__init__(**kwargs)
        self._file = ParameterFile(filename)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['filename'] = parser.parse_substitution(entity.get_attr('filename'))
        return cls, kwargs

    def execute(self, context):
        path = os.path.abspath(self._file.evaluate(context))
        if not os.path.isfile(path):
            raise RuntimeError(f"there is no parameter file '{path}'")
        _add(context, 'global_params', path)


@expose_action('set_remap')
class SetRemap(Action):
    """A remapping for all nodes."""

    def __init__(self, src, dst, **kwargs):
        super().__init__(**kwargs)
        self.src = normalize_to_list_of_substitutions(src)
        self.dst = normalize_to_list_of_substitutions(dst)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['src'] = parser.parse_substitution(entity.get_attr('from'))
        kwargs['dst'] = parser.parse_substitution(entity.get_attr('to'))
        return cls, kwargs

    def execute(self, context):
        _add(context, 'ros_remaps', tuple(perform_substitutions(context, name) for name in (self.src, self.dst)))


@expose_action('set_ros_log_dir')
class SetROSLogDir(Action):
    """Where nodes write their log files."""

    def __init__(self, new_log_dir, **kwargs):
        super().__init__(**kwargs)
        self.log_dir = normalize_to_list_of_substitutions(new_log_dir)

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser)
        kwargs['new_log_dir'] = parser.parse_substitution(entity.get_attr('new_log_dir'))
        return cls, kwargs

    def execute(self, context):
        context.environment['ROS_LOG_DIR'] = perform_substitutions(context, self.log_dir)


@expose_action('ros_timer')
class ROSTimer(TimerAction):
    """As TimerAction: ROS time is the time of the system here."""


RosTimer = ROSTimer
