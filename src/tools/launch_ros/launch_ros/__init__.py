"""Nodes in launch files; the API of ROS 2's `launch_ros`."""

from . import actions, descriptions, event_handlers, events, parameter_descriptions, substitutions, utilities

__all__ = ['actions', 'descriptions', 'event_handlers', 'events', 'parameter_descriptions', 'substitutions',
           'utilities']
