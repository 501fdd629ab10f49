"""Which interfaces are installed, and where."""

import os

from ament_index_python import get_resource, get_resources, has_resource

RESOURCE = 'rosidl_interfaces'


def get_interface_packages():
    """Return the prefixes of the packages that have interfaces, by their names."""
    return get_resources(RESOURCE)


def get_interfaces(package_names=()):
    """Return the names of interfaces, 'msg/String', by packages; of all packages if none are named.

    A package without interfaces is left out. :raises LookupError: there is no package of a name.
    """
    return {package: list(_names(package)) for package in _chosen(package_names)}


def get_message_interfaces(package_names=()):
    """Return the names of messages, as get_interfaces() does."""
    return _of_folder('msg', package_names)


def get_service_interfaces(package_names=()):
    """Return the names of services, as get_interfaces() does."""
    return _of_folder('srv', package_names)


def get_action_interfaces(package_names=()):
    """Return the names of actions, as get_interfaces() does."""
    return _of_folder('action', package_names)


def get_interface_path(interface_name):
    """Return the file that defines 'std_msgs/msg/String' or 'std_msgs/msg/String.idl'.

    :raises ValueError: it is no name of an interface
    :raises LookupError: there is no such package or file
    """
    parts = interface_name.split('/')
    if len(parts) < 2:
        raise ValueError(f"Invalid name '{interface_name}'. Expected at least two parts separated by '/'")
    if not all(parts):
        raise ValueError(f"Invalid name '{interface_name}'. Must not contain empty parts")
    if '..' in parts:
        raise ValueError(f"Invalid name '{interface_name}'. Must not contain '..'")
    package = parts[0]
    if not has_resource('packages', package):
        raise LookupError(f"Unknown package '{package}'")
    _, prefix = get_resource('packages', package)
    file = os.path.join(prefix, 'share', *parts)
    suffixes = ('',) if os.path.splitext(file)[1] else (f'.{parts[-2]}', '.idl')
    for suffix in suffixes:
        if os.path.isfile(file + suffix):
            return file + suffix
    raise LookupError(f"Could not find the interface '{interface_name}'")


def _chosen(package_names):
    packages = get_interface_packages()
    for package in package_names:
        if not has_resource('packages', package):
            raise LookupError(f"Unknown package '{package}'")
    return [package for package in (package_names or packages) if package in packages]


def _names(package, folder=None):
    """Return names without suffix, each once: a message has a file in .idl and one in its own language."""
    content, _ = get_resource(RESOURCE, package)
    names = {}
    for line in content.splitlines():
        name, suffix = os.path.splitext(line)
        if suffix in ('.idl', f'.{folder}') if folder else suffix:
            if '_' not in name and (folder is None or name.startswith(f'{folder}/')):
                names[name] = None
    return names


def _of_folder(folder, package_names):
    found = {package: list(_names(package, folder)) for package in _chosen(package_names)}
    return {package: names for package, names in found.items() if names}
