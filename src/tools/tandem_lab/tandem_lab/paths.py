"""Where things lie: installed (PREFIX/lib/tandem_lab/tandem_lab) or in the source folder; programs, data, runs."""

import os
import pathlib
import platform
import shutil

PACKAGE = pathlib.Path(__file__).resolve().parent


def data():
    """The folder of contestants.yaml, experiments/, suites/, schema/; $LAB_DATA names another one (tests)."""
    if os.environ.get('LAB_DATA'):
        return pathlib.Path(os.environ['LAB_DATA'])
    beside = PACKAGE.parent
    if (beside / 'contestants.yaml').is_file():
        return beside
    return beside.parent.parent / 'share' / 'tandem_lab'


def prefixes():
    """Install prefixes, the best first: $LAB_PREFIX (tests), where this package lies, what the shell has sourced."""
    found = [os.environ.get('LAB_PREFIX', '')]
    if PACKAGE.parent.parent.name == 'lib':
        found.append(str(PACKAGE.parent.parent.parent))
    found += os.environ.get('AMENT_PREFIX_PATH', '').split(':')
    # The source folder of a workspace: src/tools/tandem_lab/tandem_lab.
    found.append(str(PACKAGE.parents[3] / 'install'))
    return [pathlib.Path(prefix) for prefix in dict.fromkeys(found) if prefix and os.path.isdir(prefix)]


def program(package, name):
    """Path of PREFIX/lib/PACKAGE/NAME; None when it is nowhere."""
    for prefix in prefixes():
        path = prefix / 'lib' / package / name
        if os.access(path, os.X_OK):
            return str(path)
    return None


def shared(name):
    """PREFIX/NAME, where that is; `name` begins with share/."""
    found = [prefix / name for prefix in prefixes() if (prefix / name).exists()]
    return str(found[0]) if found else name


def lab_peer():
    """The worker; $LAB_PEER names another one (tests). May hold several words."""
    given = os.environ.get('LAB_PEER')
    return given.split() if given else [program('tandem_lab', 'lab_peer') or shutil.which('lab_peer') or 'lab_peer']


def connector():
    """The library of RTI's Connector, where `make connext` has put it: beside a prefix. None when it is nowhere."""
    folder = {'x86_64': 'linux-x64', 'aarch64': 'linux-arm64'}.get(platform.machine(), 'none')
    inside = 'build/connext/lib/python3*/site-packages/rticonnextdds-connector/lib/%s/librtiddsconnector.so' % folder
    return next((path for prefix in prefixes() for path in sorted(prefix.parent.glob(inside))), None)


def library(name):
    """Path of PREFIX/lib/NAME; None when it is nowhere."""
    for prefix in prefixes():
        path = prefix / 'lib' / name
        if path.exists():
            return path
    return None


def environment():
    """What programs of the workspace need of the environment, whether it was sourced or not."""
    found = [str(prefix) for prefix in prefixes()]

    def joined(key, values):
        given = [value for value in os.environ.get(key, '').split(':') if value]
        return ':'.join(dict.fromkeys([*values, *given]))

    return {'AMENT_PREFIX_PATH': joined('AMENT_PREFIX_PATH', found),
            'LD_LIBRARY_PATH': joined('LD_LIBRARY_PATH', [prefix + '/lib' for prefix in found]),
            'PATH': joined('PATH', [prefix + '/bin' for prefix in found])}


def runs():
    """The folder of runs: log/lab of the workspace, or of the current directory."""
    return pathlib.Path(os.environ.get('TANDEM_ROOT') or os.getcwd()) / 'log' / 'lab'
