"""A launch file that cannot be read: which, where in it, and why."""


class InvalidLaunchFileError(Exception):
    """The text is complete and for people; `__cause__` is what happened inside the file, if there was something."""
