"""Classes of messages by their names."""

import importlib


def find_message(type_name):
    """Return the class of 'std_msgs/msg/Header' or of 'std_srvs/srv/SetBool_Request'."""
    package, folder, name = type_name.split('/')
    return importlib.import_module(f'{package}.{folder}')._find(name)
