"""Where a launch description comes from."""

import os

from .launch_context import LaunchContext
from .substitution import TextSubstitution
from .utilities import normalize_to_list_of_substitutions, perform_substitutions


class LaunchDescriptionSource:
    """A description that is there already, or one that a subclass reads from `location`."""

    def __init__(self, launch_description=None, location='<string>', method='unspecified mechanism from a script'):
        self._launch_description = launch_description
        self._location = normalize_to_list_of_substitutions(location)
        self._expanded_location = None
        self.method = method

    @property
    def location(self):
        """The path, once it is known; a description of it before."""
        if self._expanded_location is not None:
            return self._expanded_location
        return ' + '.join(sub.describe() for sub in self._location)

    def try_get_launch_description_without_context(self):
        """The description if its location is a plain text or the file was read already, else None."""
        if self._launch_description is None and all(isinstance(sub, TextSubstitution) for sub in self._location):
            self.get_launch_description(LaunchContext())
        return self._launch_description

    def get_launch_description(self, context):
        """Reads it at the first call. Raises InvalidLaunchFileError."""
        if self._expanded_location is None:
            location = perform_substitutions(context, self._location)
            self._expanded_location = os.path.abspath(location) if self._launch_description is None else location
        if self._launch_description is None:
            self._launch_description = self._get_launch_description(self._expanded_location)
        return self._launch_description

    def _get_launch_description(self, location):
        raise NotImplementedError(f'{type(self).__name__} cannot read launch files')
