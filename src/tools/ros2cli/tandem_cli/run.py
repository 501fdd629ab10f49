"""`ros2 run`: becomes an executable of a package, so that signals and the exit status are the program's own."""

import argparse
import os
import shlex

from tandem_cli import ament_index
from tandem_cli.errors import CommandError

SUMMARY = 'run an executable of a package'


def add_arguments(parser):
    parser.add_argument('--prefix', default='', metavar='COMMAND',
                        help="put COMMAND before the executable, as in --prefix 'gdb -ex run --args'")
    parser.add_argument('package', metavar='PACKAGE', help='name of an installed package')
    parser.add_argument('executable', metavar='EXECUTABLE', nargs='?', help='name of one of its executables')
    parser.add_argument('arguments', metavar='...', nargs=argparse.REMAINDER,
                        help='passed on as they are; --ros-args begins those for the node, as in '
                             '--ros-args -r topic:=other -r __node:=name --log-level debug')


def run(options):
    if options.executable is None:
        names = ', '.join(sorted(ament_index.executables(options.package))) or 'none'
        raise CommandError(f"name an executable of package '{options.package}'; these exist: {names}")
    path = ament_index.executable_path(options.package, options.executable)
    try:
        command = [*shlex.split(options.prefix), str(path), *options.arguments]
    except ValueError as error:
        raise CommandError(f'--prefix {options.prefix!r} is no command: {error}') from error
    try:
        os.execvp(command[0], command)
    except OSError as error:
        raise CommandError(f"cannot run '{command[0]}': {error.strerror}") from error
