"""Remap rules: pairs of names."""

from launch.utilities import normalize_to_list_of_substitutions


def normalize_remap_rule(remap_rule):
    if isinstance(remap_rule, str) or len(remap_rule) != 2:
        raise TypeError(f"a remapping is a pair, as in ('from', 'to'), not {remap_rule!r}")
    return tuple(normalize_to_list_of_substitutions(name) for name in remap_rule)


def normalize_remap_rules(remap_rules):
    return [normalize_remap_rule(rule) for rule in remap_rules]
