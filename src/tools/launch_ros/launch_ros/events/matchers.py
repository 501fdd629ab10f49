"""Matchers of nodes."""


def matches_node_name(node_name):
    """A matcher of the node with this full name."""
    return lambda action: action.is_node_name_fully_specified() and action.node_name == (
        node_name if node_name.startswith('/') else '/' + node_name)
