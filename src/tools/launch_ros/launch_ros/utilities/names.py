"""Names and namespaces of nodes."""

import re

_NAME = re.compile(r'[A-Za-z_][A-Za-z0-9_]*')


def is_root_namespace(ns):
    return ns == '/'


def is_namespace_absolute(ns):
    return ns.startswith('/')


def make_namespace_absolute(ns):
    """None stays None."""
    return ns if ns is None or is_namespace_absolute(ns) else '/' + ns


def prefix_namespace(base_ns, ns):
    """`ns` inside of `base_ns`; an absolute one stays. None for two that are not there."""
    if ns is None or base_ns is None:
        return base_ns if ns is None else ns
    if is_namespace_absolute(ns):
        return ns
    if not ns:
        return base_ns
    return base_ns.rstrip('/') + '/' + ns


def check_node_name(name):
    if not _NAME.fullmatch(name):
        raise ValueError(f"'{name}' is no name of a node: that has letters, digits and _, and begins with no digit")


def check_namespace(ns):
    if not is_root_namespace(ns) and not all(_NAME.fullmatch(part) for part in ns[1:].split('/')):
        raise ValueError(f"'{ns}' is no namespace: its parts are made of letters, digits and _, begin with no digit, "
                         "and are joined by single '/'")
