"""The error of a substitution that has no value."""


class SubstitutionFailure(RuntimeError):
    """The text says what is missing, for people."""
