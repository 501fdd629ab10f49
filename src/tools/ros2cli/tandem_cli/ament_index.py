"""What is installed: packages and their executables, found through AMENT_PREFIX_PATH."""

import os
from pathlib import Path

from tandem_cli.errors import CommandError, unknown

_MARKERS = Path('share/ament_index/resource_index/packages')


def prefixes():
    """Installation prefixes, the one that wins first.

    Raises CommandError when no workspace was sourced.
    """
    paths = [Path(p) for p in os.environ.get('AMENT_PREFIX_PATH', '').split(os.pathsep) if p]
    if not paths:
        raise CommandError('AMENT_PREFIX_PATH is not set: source the local_setup.bash of an installation first')
    return paths


def packages():
    """Maps each installed package to its prefix."""
    found = {}
    for prefix in prefixes():
        folder = prefix / _MARKERS
        if folder.is_dir():
            for marker in folder.iterdir():
                found.setdefault(marker.name, prefix)
    return found


def package_prefix(package):
    """Prefix of one package; CommandError with what exists for an unknown name."""
    found = packages()
    if package not in found:
        raise unknown('package', package, found)
    return found[package]


def executables(package):
    """Maps the names of a package's executables (files with the x bit below lib/<package>) to their paths."""
    root = package_prefix(package) / 'lib' / package
    found = {}
    for folder, subfolders, files in os.walk(root):
        subfolders[:] = sorted(s for s in subfolders if not s.startswith('.') and s != '__pycache__')
        for name in sorted(files):
            path = Path(folder) / name
            if os.access(path, os.X_OK):
                found.setdefault(name, path)
    return found


def executable_path(package, executable):
    """Path of one executable; CommandError with what exists for an unknown name."""
    found = executables(package)
    if not found:
        raise CommandError(f"package '{package}' has no executables")
    if executable not in found:
        raise unknown(f"executable in package '{package}':", executable, found)
    return found[executable]
