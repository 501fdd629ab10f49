"""A node as a process."""

from typing import List

import launch.logging
from launch.actions import ExecuteProcess
from launch.frontend import expose_action
from launch.frontend.entity import Entity
from launch.utilities import normalize_to_list_of_substitutions, perform_substitutions

from ..node_elements import parse_parameters, parse_remappings
from ..parameter_descriptions import Parameter
from ..parameter_files import to_yaml, write_parameters
from ..substitutions import ExecutableInPackage
from ..utilities import check_namespace, check_node_name, evaluate_parameters, make_namespace_absolute
from ..utilities import normalize_parameters, normalize_remap_rules, prefix_namespace


@expose_action('node')
class Node(ExecuteProcess):
    """Runs an executable of a package (or a program, without one) and tells it name, namespace, parameters and
    remappings.

    `parameters` is a list of dicts, files (paths, ParameterFile) and Parameter; the last one wins. `remappings` are
    pairs. `arguments` come before, `ros_arguments` behind --ros-args. Others as of ExecuteProcess.
    """

    UNSPECIFIED_NODE_NAME = '<node_name_unspecified>'
    UNSPECIFIED_NODE_NAMESPACE = '<node_namespace_unspecified>'

    def __init__(self, *, executable, package=None, name=None, namespace=None, exec_name=None, parameters=None,
                 remappings=None, ros_arguments=None, arguments=None, **kwargs):
        program = executable if package is None else ExecutableInPackage(package=package, executable=executable)
        command = [program, *(arguments or [])]
        if ros_arguments:
            command += ['--ros-args', *ros_arguments]
        super().__init__(cmd=command, name=exec_name, **kwargs)
        self.node_package = package
        self.node_executable = executable
        self._name = None if name is None else normalize_to_list_of_substitutions(name)
        self._namespace = None if namespace is None else normalize_to_list_of_substitutions(namespace)
        self._parameters = normalize_parameters(parameters or [])
        self._remappings = normalize_remap_rules(remappings or [])
        self._node_name = None
        self.expanded_node_name = self.UNSPECIFIED_NODE_NAME
        self.expanded_node_namespace = self.UNSPECIFIED_NODE_NAMESPACE
        self.expanded_remapping_rules = None

    @classmethod
    def parse(cls, entity, parser):
        _, kwargs = super().parse(entity, parser, ignore=['cmd', 'name'])
        for attribute, argument in (('name', 'name'), ('exec_name', 'exec_name'), ('pkg', 'package'),
                                    ('namespace', 'namespace')):
            text = entity.get_attr(attribute, optional=True)
            if text is not None:
                kwargs[argument] = parser.parse_substitution(text)
        kwargs['executable'] = parser.parse_substitution(entity.get_attr('exec'))
        for attribute, argument in (('args', 'arguments'), ('ros_args', 'ros_arguments')):
            text = entity.get_attr(attribute, optional=True)
            if text is not None:
                kwargs[argument] = cls._parse_cmdline(text, parser)
        kwargs['remappings'] = parse_remappings(entity, parser)
        kwargs['parameters'] = parse_parameters(entity.get_attr('param', data_type=List[Entity], optional=True), parser)
        return cls, kwargs

    @property
    def node_name(self):
        """The full name, once the action is executed."""
        if self._node_name is None:
            raise RuntimeError('the name of a node is not known before its action is executed')
        return self._node_name

    def is_node_name_fully_specified(self):
        return '<' not in self.node_name

    def execute(self, context):
        self._expand_name(context)
        words = ['--ros-args']
        if self._name is not None:
            words += ['-r', f'__node:={self.expanded_node_name}']
        if self.expanded_node_namespace != self.UNSPECIFIED_NODE_NAMESPACE:
            words += ['-r', f'__ns:={self.expanded_node_namespace}']
        words += self._global_parameters(context) + self._own_parameters(context) + self._rules(context)
        if len(words) > 1:
            self.process_description.cmd += [normalize_to_list_of_substitutions(word) for word in words]
        entities = super().execute(context)
        if self.is_node_name_fully_specified():
            count_name(context, self.node_name)
        return entities

    def _expand_name(self, context):
        if self._name is not None:
            self.expanded_node_name = perform_substitutions(context, self._name)
            check_node_name(self.expanded_node_name)
        own = None if self._namespace is None else perform_substitutions(context, self._namespace)
        base = context.launch_configurations.get('ros_namespace')
        namespace = make_namespace_absolute(prefix_namespace(base, own))
        if namespace is not None:
            self.expanded_node_namespace = namespace.rstrip('/') or '/'
            check_namespace(self.expanded_node_namespace)
        self._node_name = self.expanded_node_namespace.rstrip('/') + '/' + self.expanded_node_name

    @staticmethod
    def _global_parameters(context):
        words = []
        for entry in context.launch_configurations.get('global_params', []):
            is_file = isinstance(entry, str)
            words += ['--params-file', entry] if is_file else ['-p', f'{entry[0]}:={to_yaml(entry[1])}']
        return words

    def _own_parameters(self, context):
        words = []
        for item in evaluate_parameters(context, self._parameters):
            if isinstance(item, Parameter):
                name, value = item.evaluate(context)
                words += ['-p', f'{name}:={to_yaml(value)}']
                continue
            if isinstance(item, dict):
                item = write_parameters(self.node_name if self.is_node_name_fully_specified() else '/**', item)
            if not item.is_file():
                launch.logging.get_logger('launch_ros').warning(
                    f"{self.launch_location}: there is no parameter file '{item}'; the node is started without it")
                continue
            words += ['--params-file', str(item)]
        return words

    def _rules(self, context):
        rules = list(context.launch_configurations.get('ros_remaps', []))
        rules += [tuple(perform_substitutions(context, name) for name in rule) for rule in self._remappings]
        self.expanded_remapping_rules = rules or None
        return [word for source, target in rules for word in ('-r', f'{source}:={target}')]


def count_name(context, name):
    """Of a node that is started. Warns if there is one already."""
    names = context.get_locals_as_dict().get('unique_ros_node_names', {})
    names[name] = names.get(name, 0) + 1
    context.extend_globals({'unique_ros_node_names': names})
    if names[name] > 1:
        launch.logging.get_logger('launch_ros').warning(
            f'there are now at least {names[name]} nodes with the name {name} created within this launch context')
