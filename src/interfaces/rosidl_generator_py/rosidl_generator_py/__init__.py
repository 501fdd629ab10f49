"""Messages, services and actions in Python, as stock ROS 2 has them; their memory is that of C++."""

from .import_type_support_impl import import_type_support

__all__ = ['import_type_support']
