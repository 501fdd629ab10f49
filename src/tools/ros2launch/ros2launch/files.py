"""Which file `ros2 launch` means, and with which arguments."""

import os

from ament_index_python.packages import PackageNotFoundError, get_package_share_directory, get_packages_with_prefixes
from launch.frontend import Parser
from launch_ros.executables import listing


class LaunchError(Exception):
    """Something that the user can do something about."""


def is_launch_file(path):
    """Whether a file's name is that of a launch file: Python's with 'launch' in it, or any of the other languages."""
    name = os.path.basename(path)
    if name.endswith('.py'):
        return 'launch' in name
    return name.endswith(tuple('.' + extension for extension in Parser.get_file_extensions_from_parsers())) \
        and 'launch' in name


def find_launch_file(package, file_name):
    """Path of a launch file by its name, anywhere in the share folder of a package."""
    try:
        share = get_package_share_directory(package)
    except (PackageNotFoundError, ValueError, LookupError, EnvironmentError):
        known = listing(package, get_packages_with_prefixes() if os.environ.get('AMENT_PREFIX_PATH') else [])
        raise LaunchError(f"there is no package and no file '{package}'; of packages, {known}") from None
    found, others = [], set()
    for folder, _, files in os.walk(share):
        for name in files:
            path = os.path.join(folder, name)
            if name == file_name or path == os.path.join(share, file_name or ''):
                found.append(path)
            if is_launch_file(path):
                others.add(name)
    if not file_name:
        names = ', '.join(sorted(others)) or 'it has none'
        raise LaunchError(f"name a launch file of package '{package}': {names}")
    if not found:
        known = listing(file_name, others) if others else 'it has no launch files at all'
        raise LaunchError(f"there is no launch file '{file_name}' in package '{package}' ({share}); {known}")
    if len(found) > 1:
        raise LaunchError(f"'{file_name}' is there more than once in package '{package}'; give the path of one: "
                          + ', '.join(sorted(found)))
    return found[0]
