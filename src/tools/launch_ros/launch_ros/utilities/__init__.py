"""Namespaces, remappings and parameters in the forms that nodes take."""

from .names import check_namespace, check_node_name, is_namespace_absolute, is_root_namespace, make_namespace_absolute
from .names import prefix_namespace
from .parameters import evaluate_parameter_dict, evaluate_parameters, normalize_parameter_dict, normalize_parameters
from .remappings import normalize_remap_rule, normalize_remap_rules

__all__ = ['check_namespace', 'check_node_name', 'evaluate_parameter_dict', 'evaluate_parameters',
           'is_namespace_absolute', 'is_root_namespace', 'make_namespace_absolute', 'normalize_parameter_dict',
           'normalize_parameters', 'normalize_remap_rule', 'normalize_remap_rules', 'prefix_namespace']
