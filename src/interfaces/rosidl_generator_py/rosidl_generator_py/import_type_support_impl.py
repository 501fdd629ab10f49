"""The name under which stock packages ask for the type support of a package."""


class UnsupportedTypeSupport(Exception):
    """There is no type support for a package. Not raised here: a class of messages brings its own."""

    def __init__(self, pkg_name):
        """Name the package."""
        super().__init__(f"Could not import 'rosidl_typesupport_c' for package '{pkg_name}'")
        self.pkg_name = pkg_name


def import_type_support(pkg_name):
    """Return the module by which messages of any package are read and written."""
    from . import _messages
    return _messages
