"""Output of nodes without that of the middleware."""

import ament_index_python
from launch_testing.tools import output


def get_rmw_output_filter(rmw_implementation, filter_type):
    """Prefixes or patterns (`filter_type`) of the lines that a middleware prints; its package lists them, one a line,
    as resource rmw_output_prefixes or rmw_output_patterns of the ament index."""
    if filter_type not in ('prefixes', 'patterns'):
        raise TypeError(f"filter_type is 'prefixes' or 'patterns', not '{filter_type}'")
    kind = f'rmw_output_{filter_type}'
    if not ament_index_python.has_resource(kind, rmw_implementation):
        return []
    return ament_index_python.get_resource(kind, rmw_implementation)[0].splitlines()


def basic_output_filter(filtered_prefixes=None, filtered_patterns=None, filtered_rmw_implementation=None):
    """As that of launch_testing; it also leaves out what the middleware prints."""
    prefixes = output.get_default_filtered_prefixes() if filtered_prefixes is None else list(filtered_prefixes)
    patterns = output.get_default_filtered_patterns() if filtered_patterns is None else list(filtered_patterns)
    if filtered_rmw_implementation:
        prefixes += get_rmw_output_filter(filtered_rmw_implementation, 'prefixes')
        patterns += get_rmw_output_filter(filtered_rmw_implementation, 'patterns')
    return output.basic_output_filter(prefixes, patterns)
